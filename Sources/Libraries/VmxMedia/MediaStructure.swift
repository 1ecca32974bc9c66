package import SystemPackage
import VmxModel
package import VmxSystem

/// The result of checking the structure of a media file. No stream is decoded: only a digest
/// detects damage within the encoded data.
package enum MediaStructure: Sendable, Equatable {
  /// The container was walked to its end and is complete.
  case sound
  /// The container lacks data that it announces.
  case broken(StructureFault)
  /// The container format is not supported, or it has too many parts.
  case unknown

  /// Walks the container of an open file to its end.
  ///
  /// It reads headers and seeks over their content, in bounded memory, and terminates for any
  /// input. Some containers have no total length or allow data after their end; then a file counts
  /// as sound. A false report of damage would be worse.
  ///
  /// - Parameter file: open for reading; its size is read once, at the beginning.
  /// - Throws: `FileError.failed`, usually of `.read`.
  package static func examine(_ file: borrowing OpenFile) throws(FileError) -> MediaStructure {
    try examine(file.descriptor, named: file.path, size: file.facts().size)
  }

  /// Walks the container of a file whose descriptor stays open meanwhile.
  ///
  /// - Parameters:
  ///   - path: the name of the file in messages.
  ///   - size: the size of the file in bytes; data beyond it are not read.
  /// - Throws: `FileError.failed`, usually of `.read`.
  package static func examine(
    _ descriptor: FileDescriptor, named path: FilePath, size: Int64
  ) throws(FileError) -> MediaStructure {
    do throws(WalkEnd) {
      let fault = try fault(in: MediaBytes(descriptor, path, size: size))
      return fault.map { .broken($0) } ?? .sound
    } catch {
      switch error {
      case .failed(let error): throw error
      case .beyondMeasure, .noContainer: return .unknown
      }
    }
  }

  private static func fault(in bytes: MediaBytes) throws(WalkEnd) -> StructureFault? {
    guard bytes.size > 0 else { return StructureFault(.incomplete(.bytes), at: 0) }
    if try bytes.isZero(from: 0) { return StructureFault(.zeros, at: 0) }
    switch MediaKind.sniff(try bytes.piece(at: 0, count: MediaKind.sniffed)) {
    case .mp4, .quicktime, .threeGP, .m4a:
      var walk = BoxWalk(bytes)
      return try walk.fault()
    case .matroska, .webm:
      var walk = ElementWalk(bytes)
      return try walk.fault()
    case .avi:
      var walk = ChunkWalk(bytes)
      return try walk.fault()
    case .flv: return try TagWalk(bytes).fault()
    case .oggVideo, .oggAudio: return try PageWalk(bytes).fault()
    case .html: return StructureFault(.page, at: 0)
    default: return try PacketWalk(bytes).fault()
    }
  }
}
