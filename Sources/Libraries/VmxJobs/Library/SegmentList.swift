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
      let known = try Sidecar(of: episode, below: root.folder).segments(of: part, whole: whole)
      let count = size.bytes.addingClamped(Self.segmentSize - 1) / Self.segmentSize
      guard let known, known.count == count else { return nil }
      digests = known
    } catch {
      // Without it the whole is proven by its own digest.
      return nil
    }
  }
}

extension Sidecar {
  /// Digests of the segments of a part, if they were made of the whole with this digest.
  fileprivate func segments(of part: String, whole: Digest) -> [Digest]? {
    guard let entry = segmentEntry(of: part), entry["sha256"]?.string == whole.hex,
      entry["size"]?.integer == SegmentList.segmentSize, let list = entry["list"]?.array
    else { return nil }
    let digests = list.compactMap { $0.string.flatMap { Digest(.sha256, hex: $0) } }
    return digests.count == list.count ? digests : nil
  }
}
