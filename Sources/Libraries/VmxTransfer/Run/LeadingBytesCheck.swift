import VmxModel

/// Looks at the first bytes of a body that is to be a film, so that a web page, a picture or an
/// archive under the name of one costs a few kilobytes and not the whole transfer.
///
/// What is not recognised passes: whether it is a film after all is decided when it is whole.
struct LeadingBytesCheck {
  private var front: [UInt8] = []
  private var isDone: Bool

  /// A look at a body; documents pass.
  init(_ kind: TransferJob.Kind) {
    isDone = kind != .media
  }

  /// Takes the next bytes.
  ///
  /// - Parameter isLast: whether the body has ended.
  /// - Returns: what it is, once that is known to be no film.
  mutating func take(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) -> MediaKind? {
    guard !isDone else { return nil }
    front += bytes.prefix(MediaKind.sniffed - front.count)
    guard front.count == MediaKind.sniffed || isLast else { return nil }
    isDone = true
    let kind = MediaKind.sniff(front)
    front = []
    guard let kind, !kind.isVideoContainer, !kind.isAudioContainer else { return nil }
    return kind
  }
}
