package import VmxModel
package import VmxSystem

// Stores of downloads have up to 100,000 records. Parsed as a whole, such a list takes three times
// its size in memory. So its values are parsed one at a time, and the file is read in pieces. Two
// forms are still parsed as a whole: XML in another encoding than UTF-8, and keyed archives, whose
// objects may refer to any other object.

/// A property list in a file, whose values are parsed one at a time.
///
///     let file = try PropertyListFile(text)
///     try file.forEachValue(levels: 2) { path, value in … }
///
/// Used by one thread at a time.
package struct PropertyListFile {
  /// The position of a value in the dictionary or array that contains it.
  package struct Step: Sendable, Equatable {
    /// The index in file order, from 0.
    package let index: Int
    /// The name; nil in an array.
    package let key: String?
  }

  /// Receives a value with its position, from the root downwards.
  package typealias Body = (_ path: [Step], PropertyList) throws -> Void

  private let text: SpooledText
  private let isBinary: Bool
  /// Whether the text is UTF-8, and so is parsed in pieces.
  private let isUTF8: Bool

  /// Creates the list of a text; nothing is parsed yet.
  ///
  /// - Throws: `record-unreadable` for more than 64 MiB and errors of reading.
  package init(_ text: SpooledText) throws(Failure) {
    guard text.count <= PropertyList.maxBytes else { throw .listTooLarge }
    self.text = text
    isBinary = try text.piece(0, upTo: 8) == BinaryPropertyList.mark
    isUTF8 = isBinary ? false : try MarkupPieces.isUTF8(text)
  }

  /// Parses the list, and calls the body with each value that lies this number of levels below the
  /// root, and with each value above that level that has no members.
  ///
  /// The whole list is validated, but some values are passed before a later fault is found.
  ///
  /// - Throws: `record-unreadable`, `resources-short`, the errors of the body.
  package func forEachValue(levels: Int, _ body: Body) throws {
    if isBinary {
      var list = try BinaryPropertyList(ListWindow(text))
      try list.forEachValue(levels: levels, body)
    } else if isUTF8 {
      var pieces = MarkupPieces(text)
      try MarkupPropertyList.forEachValue(levels: levels, body) { () throws(Failure) in
        try pieces.next()
      }
    } else {
      var whole: [UInt8]? = MarkupText.prepared(try text.piece(0, upTo: text.count))
      try MarkupPropertyList.forEachValue(levels: levels, body) { whole.take() }
    }
  }

  /// Parses the list as a whole, and resolves a keyed archive.
  ///
  /// - Throws: `record-unreadable`, `resources-short`.
  package func parse() throws(Failure) -> PropertyList {
    try PropertyList(text.piece(0, upTo: text.count))
  }
}

extension SpooledText {
  /// Returns bytes from an offset; fewer than requested only at the end of the text.
  ///
  /// - Throws: `record-unreadable`.
  func piece(_ start: Int, upTo length: Int) throws(Failure) -> [UInt8] {
    do throws(FileError) {
      return try bytes(start..<min(count, start + length))
    } catch {
      throw .unreadableList(error.summary)
    }
  }
}

/// A part of a text in memory, which moves to the bytes that are requested.
struct ListWindow {
  private static let size = 16 << 10

  /// The number of bytes of the text.
  let count: Int
  private let text: SpooledText?
  private var start = 0
  private var bytes: [UInt8] = []

  /// Creates a window on a text.
  init(_ text: SpooledText) {
    (self.text, count) = (text, text.count)
  }

  /// Creates a window on bytes that are all in memory.
  init(_ bytes: [UInt8]) {
    (text, self.bytes, count) = (nil, bytes, bytes.count)
  }

  /// Returns a range of the text.
  ///
  /// - Throws: `record-unreadable` if the text has become shorter.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    mutating get throws(Failure) {
      if range.lowerBound < start || range.upperBound > start + bytes.count, let text {
        start = range.lowerBound
        bytes = try text.piece(start, upTo: max(range.count, Self.size))
      }
      guard range.upperBound <= start + bytes.count else {
        throw .unreadableList("it is truncated")
      }
      return bytes[(range.lowerBound - start)..<(range.upperBound - start)]
    }
  }
}

/// The pieces of an XML text in UTF-8, prepared for the parser as `MarkupText.prepared` does.
struct MarkupPieces {
  private static let size = 64 << 10
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let text: SpooledText
  private var cursor: Int
  /// The bytes that were read and not yet returned: the start of a reference, comment or CDATA
  /// section whose end has not been read.
  private var rest: [UInt8] = []

  init(_ text: SpooledText) {
    self.text = text
    cursor = 0
  }

  /// Returns whether a whole text is UTF-8, and not UTF-16 that happens to be valid UTF-8.
  ///
  /// - Throws: `record-unreadable`.
  static func isUTF8(_ text: SpooledText) throws(Failure) -> Bool {
    let front = try text.piece(0, upTo: 4)
    guard TextEncoding.marked(front).map({ $0.name == "utf-8" }) ?? true,
      !front.starts(with: [0x3C, 0]), !front.starts(with: [0, 0x3C])
    else { return false }
    var offset = 0
    while offset < text.count {
      var piece = try text.piece(offset, upTo: size)
      if piece.isEmpty { return false }
      if offset + piece.count < text.count { piece.removeLast(startedCharacter(in: piece)) }
      guard !piece.isEmpty, String(validating: piece, as: UTF8.self) != nil else { return false }
      offset += piece.count
    }
    return true
  }

  /// Returns the number of bytes at the end that may begin a character of several bytes.
  private static func startedCharacter(in piece: [UInt8]) -> Int {
    let count = piece.reversed().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
    let lead = piece.dropLast(count).last
    return lead.map { $0 >= 0xC0 } ?? false ? count + 1 : 0
  }

  /// Returns the next piece; nil after the last one.
  ///
  /// - Throws: `record-unreadable`.
  mutating func next() throws(Failure) -> [UInt8]? {
    while cursor < text.count || !rest.isEmpty {
      // Reads as much as is left over, so that a long comment is scanned a few times only.
      let read = try text.piece(cursor, upTo: max(Self.size, rest.count))
      let isFirst = cursor == 0
      cursor += read.count
      let isLast = cursor >= text.count || read.isEmpty
      rest += isFirst && read.starts(with: Self.byteOrderMark) ? read.dropFirst(3) : read[...]
      let tail = isLast ? 0 : Self.startedCharacter(in: rest)
      let (prepared, length) = MarkupText.prepared(Array(rest.dropLast(tail)), isLast: isLast)
      rest.removeFirst(length)
      if !prepared.isEmpty { return prepared }
      if isLast { return nil }
    }
    return nil
  }
}
