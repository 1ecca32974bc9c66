package import VmxModel
import VmxSystem

/// The segment digests of one file, as kept in its sidecar.
package struct SegmentList: Sendable, Equatable {
  /// The size in bytes of every segment but the last.
  package static let segmentSize: Int64 = 4 << 20

  /// The SHA-256 of each segment, in order.
  package let digests: [Digest]

  /// Reads the list for a file of this digest and size; nil where the sidecar has none.
  ///
  /// - Parameter size: the bytes of the whole.
  package init?(
    of part: String, in episode: EpisodeID, whole: Digest, size: ByteCount, on root: MediaRoot
  ) {
    do throws(FileError) {
      let sidecar = try Sidecar(of: episode, below: root.folder)
      guard let known = sidecar.segments(of: part, whole: whole, size: size) else { return nil }
      digests = known
    } catch {
      // Without segment digests the file is verified by its own digest.
      return nil
    }
  }
}

extension Sidecar {
  /// Returns the segment digests of a part, if they belong to a file of this digest and size.
  func segments(of part: String, whole: Digest, size: ByteCount) -> [Digest]? {
    guard let entry = segmentEntry(of: part), entry["sha256"]?.string == whole.hex,
      entry["size"]?.integer == SegmentList.segmentSize, let list = entry["list"]?.array
    else { return nil }
    let digests = list.compactMap { $0.string.flatMap { Digest(.sha256, hex: $0) } }
    let count = size.bytes.addingClamped(SegmentList.segmentSize - 1) / SegmentList.segmentSize
    return digests.count == list.count && digests.count == count ? digests : nil
  }
}
