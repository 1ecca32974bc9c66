import VmxModel
import VmxSystem

/// The text of a tag file in pieces of whole lines, since a manifest may have tens of megabytes.
///
/// A piece lacks the terminator of its last line, except for the last piece, which ends as the text
/// does. So the lines of all pieces (`TagLines`) are the lines of the text.
struct TagPieces: Sequence, IteratorProtocol {
  private let text: SpooledText
  /// The number of bytes of the byte order mark at the start.
  private let mark: Int
  private var offset: Int
  private var single: ArraySlice<UInt8>?
  private var isEnded = false

  /// Creates the single piece of a text that is already in memory.
  init(whole: ArraySlice<UInt8>, of text: SpooledText) {
    (self.text, self.single) = (text, whole)
    (mark, offset) = (0, 0)
  }

  /// Creates the pieces of a UTF-8 text, which is read on demand.
  init(_ text: SpooledText, mark: Int) {
    (self.text, self.mark) = (text, mark)
    offset = mark
  }

  mutating func next() -> ArraySlice<UInt8>? {
    if isEnded { return nil }
    if let single {
      isEnded = true
      return single
    }
    var length = SpooledText.maxInMemory
    while let window = read(length) {
      if offset + window.count >= text.count {
        isEnded = true
        return window[...]
      }
      if let end = Self.end(in: window) {
        offset += end + 1
        let isPair = window[end] == 0x0A && end > 0 && window[end - 1] == 0x0D
        return window[..<(isPair ? end - 1 : end)]
      }
      length *= 2
    }
    isEnded = true
    return nil
  }

  /// Returns the index of the last line terminator in the window. It is a line feed, or else a
  /// carriage return that is not the first half of a CRLF.
  private static func end(in window: [UInt8]) -> Int? {
    window.lastIndex(of: 0x0A) ?? window.dropLast().lastIndex(of: 0x0D)
  }

  /// Reads a window; returns nil if the text cannot be read, which `isValid` has already detected.
  private func read(_ length: Int) -> [UInt8]? {
    do throws(FileError) {
      return try text.bytes(offset..<Swift.min(text.count, offset + length))
    } catch {
      return nil
    }
  }

  /// Whether all pieces can be read and are UTF-8.
  var isValid: Bool {
    var pieces = self
    var end = mark
    while let piece = pieces.next() {
      guard BagDeclaration.isValid(piece) else { return false }
      end = pieces.isEnded ? pieces.offset + piece.count : pieces.offset
    }
    return end >= text.count
  }
}

extension BagDeclaration {
  /// Returns the text of another tag file as UTF-8; nil if it is invalid, or the encoding is
  /// unknown.
  func pieces(of text: SpooledText) -> TagPieces? {
    do throws(FileError) {
      guard isUTF8, text.count > SpooledText.maxInMemory else {
        return try decode(text.bytes(0..<text.count)).map { TagPieces(whole: $0, of: text) }
      }
      let mark = TextEncoding.marked(try text.bytes(0..<4))
      let pieces = TagPieces(text, mark: mark?.name == "utf-8" ? mark?.mark ?? 0 : 0)
      return pieces.isValid ? pieces : nil
    } catch {
      return nil
    }
  }
}
