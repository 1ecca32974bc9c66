import VmxJSON
import VmxSystem

/// What a process has found out about the store, kept for as long as it lives.
///
/// The first snapshots look things up by going through the bytes from behind, which costs less
/// than an index; who asks more often gets one. It grows with the store: only what was appended is read again.
final class IndexCache: Sendable {
  /// Below so many bytes an index is made at once.
  private static let small = 2 << 20
  /// So many snapshots go without an index.
  private static let patience = 3

  private struct State: Sendable {
    var file: StoreFile?
    var image: StoreImage?
    var index: StoreIndex?
    var evidence: EvidenceIndex?
    var snapshots = 0
  }

  private let state = Monitor(State())

  /// The file as it is now; what was known of another file is forgotten.
  func image(of file: StoreFile) throws(StoreError) -> StoreImage {
    try state.withLock { state throws(StoreError) in
      if !file.isSame(as: state.file) { state = State() }
      let image = try StoreImage(of: file, after: state.image)
      state.file = file
      state.image = image
      return image
    }
  }

  /// The file that was looked at last.
  var file: StoreFile? { state.withLock { $0.file } }

  /// An index of an image; nil if going without one is cheaper; each snapshot asks once.
  ///
  /// - Parameter always: whether to make one in any case.
  func index(of image: StoreImage, always: Bool) -> StoreIndex? {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return Self.made(of: image) }
      if let index = state.index {
        guard index.end <= image.bound else { return Self.made(of: image) }
        state.index?.extend(over: image)
        return state.index
      }
      if !always, image.bound > Self.small, state.snapshots < Self.patience {
        state.snapshots += 1
        return nil
      }
      state.index = Self.made(of: image)
      return state.index
    }
  }

  /// An index of the evidence in an image.
  func evidence(of image: StoreImage, _ index: StoreIndex) -> EvidenceIndex {
    state.withLock { state in
      guard image.file.isSame(as: state.file), (state.evidence?.end ?? 0) <= image.bound else {
        return EvidenceIndex(of: image, index)
      }
      var evidence = state.evidence ?? EvidenceIndex(of: image, index)
      state.evidence = nil
      evidence.extend(over: image, index)
      state.evidence = evidence
      return evidence
    }
  }

  /// Whether an index of the image is at hand.
  func hasIndex(of image: StoreImage) -> Bool {
    state.withLock { image.file.isSame(as: $0.file) && $0.index != nil }
  }

  private static func made(of image: StoreImage) -> StoreIndex {
    var index = StoreIndex(expecting: image.bound / 1024)
    index.extend(over: image)
    return index
  }
}
