/// What is wrong with the structure of a media file, and where.
package struct StructureFault: Sendable, Equatable {
  /// The ways in which a file is broken.
  package enum Kind: Sendable, Equatable {
    /// The file ends too early: by this many bytes at least, where that can be told.
    case truncated(missing: Int64?)
    /// Zeros stand where something must be, as after space was reserved and never filled.
    case zeros
    /// Here begins a web page.
    case page
    /// Here stands what cannot stand here.
    case disorder
    /// The file is in order as far as it goes, and lacks what it cannot be played without.
    case incomplete(Lack)
  }

  /// What no file of its kind can do without.
  package enum Lack: String, Sendable {
    case bytes = "any bytes"
    case index = "its index (moov)"
    case media = "pictures and sound"
  }

  /// The way in which it is broken.
  package let kind: Kind
  /// The first byte that is wrong, counted from 0; the end of the file where bytes are missing.
  package let offset: Int64

  init(_ kind: Kind, at offset: Int64) {
    self.kind = kind
    self.offset = offset
  }

  /// The same as a clause for people, with the file as its subject.
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
