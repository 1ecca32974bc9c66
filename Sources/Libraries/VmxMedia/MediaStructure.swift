package import SystemPackage
import VmxModel
package import VmxSystem

/// The result of checking the structure of a media file. No stream is decoded: only a digest
/// detects damage within the encoded data.
package enum MediaStructure: Sendable, Equatable {
  /// The container was walked to its end and is complete.
  case intact
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

  /// Walks the container of a file whose descriptor stays open during the call.
  ///
  /// - Parameters:
  ///   - path: the name of the file in messages.
  ///   - size: the size of the file in bytes; data beyond it are not read.
  /// - Throws: `FileError.failed`, usually of `.read`.
  package static func examine(
    _ descriptor: FileDescriptor, named path: FilePath, size: Int64
  ) throws(FileError) -> MediaStructure {
    do throws(WalkError) {
      try walk(MediaBytes(descriptor, path, size: size))
      return .intact
    } catch {
      switch error {
      case .broken(let kind, let offset): return .broken(StructureFault(kind, at: offset))
      case .failed(let error): throw error
      case .tooManyParts, .unsupported: return .unknown
      }
    }
  }

  private static func walk(_ bytes: MediaBytes) throws(WalkError) {
    guard bytes.size > 0 else { throw .broken(.incomplete(.bytes), at: 0) }
    if try bytes.isZero(from: 0) { throw .broken(.zeros, at: 0) }
    switch MediaKind.sniff(try bytes.piece(at: 0, count: MediaKind.sniffLength)) {
    case .mp4, .quicktime, .threeGP, .m4a:
      var walk = BoxWalk(bytes)
      try walk.run()
    case .matroska, .webm:
      var walk = ElementWalk(bytes)
      try walk.run()
    case .avi: try bytes.walkChunks()
    case .flv: try bytes.walkTags()
    case .oggVideo, .oggAudio: try bytes.walkPages()
    case .html: throw .broken(.page, at: 0)
    default: try bytes.walkPackets()
    }
  }
}

/// A fault in the structure of a media file, with its position.
package struct StructureFault: Sendable, Equatable {
  /// The kinds of faults.
  package enum Kind: Sendable, Equatable {
    /// The file is truncated, by at least this many bytes if known.
    case truncated(missing: Int64?)
    /// Zeros in place of required data, as after space was allocated and never written.
    case zeros
    /// A web page begins here.
    case page
    /// Data that are not allowed at this position.
    case disorder
    /// The file is valid up to its end, but lacks data without which it cannot be played.
    case incomplete(Lack)
  }

  /// Data that every file of its kind requires.
  package enum Lack: String, Sendable {
    case bytes = "any bytes"
    case index = "its index (moov)"
    case media = "video and audio data"
  }

  /// The kind of the fault.
  package let kind: Kind
  /// The offset of the first invalid byte, from 0; the end of the file if bytes are missing.
  package let offset: Int64

  init(_ kind: Kind, at offset: Int64) {
    self.kind = kind
    self.offset = offset
  }

  /// The fault as a clause for the user, with the file as its subject.
  package var text: String {
    switch kind {
    case .truncated(let missing?): "ends \(missing) bytes too early, at byte \(offset)"
    case .truncated(nil): "ends too early, at byte \(offset)"
    case .zeros: "contains zeros from byte \(offset) on"
    case .page: "contains a web page from byte \(offset) on"
    case .disorder: "is out of order at byte \(offset)"
    case .incomplete(let lack): "lacks \(lack.rawValue)"
    }
  }
}
