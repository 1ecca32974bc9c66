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
    case media = "pictures and sound"
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
  package var words: String {
    switch kind {
    case .truncated(let missing?): "ends \(missing) bytes too early, at byte \(offset)"
    case .truncated(nil): "ends too early, at byte \(offset)"
    case .zeros: "holds zeros from byte \(offset) on"
    case .page: "holds a web page from byte \(offset) on"
    case .disorder: "is out of order at byte \(offset)"
    case .incomplete(let lack): "lacks \(lack.rawValue)"
    }
  }
}
