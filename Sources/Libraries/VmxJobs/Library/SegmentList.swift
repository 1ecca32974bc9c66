package import VmxModel
import VmxSystem

/// The digests of the segments of one file, as the sidecar beside it keeps them.
package struct SegmentList: Sendable, Equatable {
  /// Bytes in every segment but the last.
  package static let segmentSize: Int64 = 4 << 20

  /// SHA-256 of each segment, in order.
  package let digests: [Digest]

  /// The list that belongs to a whole of this digest and size; nil where the sidecar has none.
  ///
  /// - Parameter size: bytes of the whole.
  package init?(
    of part: String, in episode: EpisodeID, whole: Digest, size: ByteCount, on root: MediaRoot
  ) {
    do throws(FileError) {
      let sidecar = try Sidecar(of: episode, below: root.folder)
      guard let known = sidecar.segments(of: part, whole: whole, size: size) else { return nil }
      digests = known
    } catch {
      // Without it the whole is proven by its own digest.
      return nil
    }
  }
}

extension Sidecar {
  /// Digests of the segments of a part, if they are those of a whole of this digest and size.
  func segments(of part: String, whole: Digest, size: ByteCount) -> [Digest]? {
    guard let entry = segmentEntry(of: part), entry["sha256"]?.string == whole.hex,
      entry["size"]?.integer == SegmentList.segmentSize, let list = entry["list"]?.array
    else { return nil }
    let digests = list.compactMap { $0.string.flatMap { Digest(.sha256, hex: $0) } }
    let count = size.bytes.addingClamped(SegmentList.segmentSize - 1) / SegmentList.segmentSize
    return digests.count == list.count && digests.count == count ? digests : nil
  }
}
