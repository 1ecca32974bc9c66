package import SystemPackage
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
    try MediaReport(of: descriptor, named: path, size: size).structure
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
    /// Another film begins here: two files were joined, or a download continued with the whole
    /// file.
    case joined
    /// Bytes that belong to no part of the container follow it.
    case trailing
    /// Text follows the container or a part of it, such as a message of the program that sent it.
    case message
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

  /// Whether the file may lack bytes that its source has later. Other faults do not end by waiting.
  package var isIncomplete: Bool {
    switch kind {
    case .truncated, .zeros, .page, .message, .incomplete: true
    case .joined, .trailing, .disorder: false
    }
  }

  /// The fault as a clause for the user, with the file as its subject.
  package var text: String {
    switch kind {
    case .truncated(let missing?): "ends \(missing) bytes too early, at byte \(offset)"
    case .truncated(nil): "ends too early, at byte \(offset)"
    case .zeros: "contains zeros from byte \(offset) on"
    case .page: "contains a web page from byte \(offset) on"
    case .joined: "is joined with another film at byte \(offset)"
    case .trailing: "has trailing bytes that belong to no part of it from byte \(offset) on"
    case .message: "contains a text from byte \(offset) on"
    case .disorder: "is out of order at byte \(offset)"
    case .incomplete(let lack): "lacks \(lack.rawValue)"
    }
  }
}
