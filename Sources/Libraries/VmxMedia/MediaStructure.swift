package import SystemPackage
import VmxModel
package import VmxSystem

/// What the structure of a media file says of its bytes. No byte of a stream is decoded: a picture
/// that is wrong within is found by a digest only.
package enum MediaStructure: Sendable, Equatable {
  /// The container was walked to its end, and all that it promises is there.
  case sound
  /// It promises what is not there.
  case broken(StructureFault)
  /// No container that is known here, or one of more parts than can be walked.
  case unknown

  /// Walks the container of an open file to its end.
  ///
  /// It reads heads and seeks over what they hold, in bounded memory, and ends whatever the bytes
  /// are. Where a container says nothing of its length, or allows for bytes behind its end, a file
  /// counts as sound: a sound file that is called broken would be worse.
  ///
  /// - Parameter file: open for reading; its size is taken once, at the beginning.
  /// - Throws: `FileError.failed`, above all of `.read`.
  package static func examine(_ file: borrowing OpenFile) throws(FileError) -> MediaStructure {
    try examine(file.descriptor, named: file.path, size: file.facts().size)
  }

  /// The same for a descriptor that stays open meanwhile.
  ///
  /// - Parameters:
  ///   - path: what messages call the file.
  ///   - size: bytes of the file; what lies behind them is not read.
  /// - Throws: `FileError.failed`, above all of `.read`.
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
