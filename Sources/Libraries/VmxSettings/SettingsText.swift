package import VmxModel

// Editing in place. Every byte that is not part of the changed value or line stays: comments,
// order, unknown keys, quoting, blank lines, line ends.
//
// A new line is written so that its removal restores the earlier bytes. Three cases decide its
// form. A file that does not end with a line end gets none: the removal of a last line without a
// line end also removes the one before it. A new section has exactly the form `[name]`, line end,
// tab, entry; only a section of that form is removed with its entry. In a section that exists
// without entries, the entry is therefore indented by blanks.

/// The bytes of a settings file, which can be edited in place.
///
/// ```swift
/// var text = try SettingsText(bytes, path: "config")
/// if let name = SettingName("fetch.jobs") { try text.set(name, to: "6") }
/// ```
package struct SettingsText: Sendable {
  /// The bytes of the file.
  package private(set) var bytes: [UInt8]
  private let path: String
  private var pieces: [SettingsPiece]

  /// Parses the bytes of a file.
  ///
  /// - Parameter path: the name of the file for messages.
  /// - Throws: `bad-setting` naming file and line.
  package init(_ bytes: [UInt8], path: String) throws(Failure) {
    self.bytes = bytes
    self.path = path
    pieces = try Self.pieces(of: bytes, path: path)
  }

  /// Returns the line numbers and values of a setting, in their order; the value of a key alone is
  /// nil.
  package func lines(of name: SettingName) -> [(line: Int, value: String?)] {
    indices(of: name).map { (pieces[$0].line, pieces[$0].value) }
  }

  /// Sets the value of a setting: changes the last line of its key, the one that counts, or adds a
  /// line.
  ///
  /// - Parameters:
  ///   - name: a name that is writable.
  ///   - isAdded: whether to add a line in any case, for a key whose lines add up.
  /// - Returns: the number of the line.
  /// - Throws: `internal-error` if the changed text would not be read back as intended.
  @discardableResult
  package mutating func set(
    _ name: SettingName, to value: String, adding isAdded: Bool = false
  ) throws(Failure) -> Int {
    let before = entries
    let old = isAdded ? nil : indices(of: name).last
    let changed = old.map { replacing(valueOf: pieces[$0], with: value) } ?? adding(name, value)
    try replaceBytes(changed)
    var expected = before
    if let old {
      let index = pieces[..<old].count { !$0.isSection }
      expected[index].value = value
    }
    guard let last = indices(of: name).last, pieces[last].value == value else { throw broken(name) }
    var found = entries
    if old == nil { found.remove(at: pieces[..<last].count { !$0.isSection }) }
    guard found == expected else { throw broken(name) }
    return pieces[last].line
  }

  /// Removes all lines of a setting, and each section that had no other line and the form in which
  /// `set` writes it.
  ///
  /// - Returns: the number of removed lines.
  /// - Throws: `internal-error` if the changed text would not be read back as intended.
  @discardableResult
  package mutating func unset(_ name: SettingName) throws(Failure) -> Int {
    let lines = indices(of: name)
    let expected = entries.filter { $0.name != name.text }
    var changed = bytes
    for index in lines.reversed() { remove(index, name, from: &changed) }
    try replaceBytes(changed)
    guard entries == expected else { throw broken(name) }
    return lines.count
  }

  // MARK: Reading

  private static func pieces(of bytes: [UInt8], path: String) throws(Failure) -> [SettingsPiece] {
    var parser = SettingsParser(bytes, path: path)
    return try parser.pieces()
  }

  private struct NamedValue: Equatable {
    let name: String
    var value: String?
  }

  private var entries: [NamedValue] {
    pieces.filter { !$0.isSection }.map { NamedValue(name: $0.name, value: $0.value) }
  }

  private func indices(of name: SettingName) -> [Int] {
    pieces.indices.filter { !pieces[$0].isSection && pieces[$0].name == name.text }
  }

  private mutating func replaceBytes(_ changed: [UInt8]) throws(Failure) {
    do throws(Failure) {
      pieces = try Self.pieces(of: changed, path: path)
    } catch {
      throw Failure(.internalError, "the changed settings would be invalid: \(error.summary)")
    }
    bytes = changed
  }

  private func broken(_ name: SettingName) -> Failure {
    Failure(.internalError, "the changed settings would not be read as intended: '\(name.text)'")
  }
}

/// The changes of the bytes.
extension SettingsText {
  /// Returns a value as a file contains it: in quotes if blanks or signs of comments require them.
  static func encoded(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      default: text.unicodeScalars.append(scalar)
      }
    }
    let isQuoted =
      value.utf8.first == UInt8(ascii: " ") || value.utf8.last == UInt8(ascii: " ")
      || value.utf8.contains { "#;\r".utf8.contains($0) }
    return isQuoted ? "\"\(text)\"" : text
  }

  /// Replaces the bytes of a value; the spaces, the comment and the line end around it stay.
  private func replacing(valueOf piece: SettingsPiece, with value: String) -> [UInt8] {
    guard case .entry(let old, let range) = piece.content else { return bytes }
    var text = Self.encoded(value)
    if old == nil { text = value.isEmpty ? " =" : " = \(text)" }
    if range.isEmpty, !text.isEmpty {
      if bytes[range.lowerBound - 1] == UInt8(ascii: "=") { text = " \(text)" }
      if bytes[range.upperBound...].first.map({ "#;".utf8.contains($0) }) == true { text += " " }
    }
    return Array(bytes[..<range.lowerBound]) + Array(text.utf8) + bytes[range.upperBound...]
  }

  /// Adds a line to the last section of the name that can take one, else a section at the end.
  private func adding(_ name: SettingName, _ value: String) -> [UInt8] {
    let text = Self.encoded(value)
    let entry = text.isEmpty ? "\(name.key) =" : "\(name.key) = \(text)"
    for index in pieces.indices.reversed()
    where pieces[index].isSection && pieces[index].name == name.wholeSection {
      let next = pieces[(index + 1)...].firstIndex(where: \.isSection) ?? pieces.endIndex
      let last = pieces[next - 1]
      let end = Self.lineEnd(after: last.range.upperBound, in: bytes)
      // Another section that begins on the same line would receive the entry.
      if next < pieces.endIndex, pieces[next].range.lowerBound < end { continue }
      let indent = last.isSection ? "  " : indent(of: last)
      return inserting("\(indent)\(entry)", after: end, isTerminated: end < bytes.count)
    }
    let lineEnd = String(decoding: self.lineEnd, as: UTF8.self)
    let isTerminated =
      bytes.isEmpty
      || bytes.last == UInt8(ascii: "\n") && pieces.last?.range.upperBound != bytes.count
    let end = isTerminated ? bytes.count - 1 : bytes.count
    return inserting(
      "\(name.header)\(lineEnd)\t\(entry)", after: end, isTerminated: isTerminated)
  }

  /// Inserts a line after the line end at an offset, or with a line end before it at the end of a
  /// file whose last line has none.
  private func inserting(_ line: String, after end: Int, isTerminated: Bool) -> [UInt8] {
    guard isTerminated else {
      // Of a carriage return and a lone line feed, a removal would take both for one line end.
      let separator = bytes.last == UInt8(ascii: "\r") ? [0x0D, 0x0A] : lineEnd
      return bytes + separator + Array(line.utf8)
    }
    return Array(bytes[..<(end + 1)]) + Array(line.utf8) + lineEnd + bytes[(end + 1)...]
  }

  /// Removes the line of an entry from bytes that are unchanged up to its end.
  private func remove(_ index: Int, _ name: SettingName, from bytes: inout [UInt8]) {
    let entry = pieces[index]
    var start = entry.range.lowerBound
    while start > 0, " \t\r".utf8.contains(bytes[start - 1]) { start -= 1 }
    // The removal of the next line may have removed the line end of this one.
    var end = Self.lineEnd(after: min(entry.range.upperBound, bytes.count), in: bytes)
    let isTerminated = end < bytes.count
    guard Self.isLineStart(start, in: bytes) else {
      // The header of the section is on the same line.
      if isTerminated, end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      bytes.removeSubrange(start..<end)
      return
    }
    if isTerminated { end += 1 }
    if end == bytes.count || bytes[end] == UInt8(ascii: "[") {
      start = startOfSection(name, before: index, in: bytes) ?? start
    }
    if !isTerminated, start > 0, bytes[start - 1] == UInt8(ascii: "\n") {
      start -= 1
      if start > 0, bytes[start - 1] == UInt8(ascii: "\r") { start -= 1 }
    }
    bytes.removeSubrange(start..<end)
  }

  /// Returns the offset of the section whose first entry is the given one, if the section has the
  /// form in which `set` writes it.
  private func startOfSection(
    _ name: SettingName, before index: Int, in bytes: [UInt8]
  ) -> Int? {
    // A line of the same bytes may also continue the value of another entry.
    guard index > 0, pieces[index - 1].isSection else { return nil }
    let entry = pieces[index]
    for separator in [[0x0A], [0x0D, 0x0A]] as [[UInt8]] {
      let form = Array(name.header.utf8) + separator + [UInt8(ascii: "\t")]
      let start = entry.range.lowerBound - form.count
      if start >= 0, Self.isLineStart(start, in: bytes),
        bytes[start..<entry.range.lowerBound] == form[...]
      {
        return start
      }
    }
    return nil
  }

  // MARK: Lines

  /// The line end of the file: that of its first line.
  private var lineEnd: [UInt8] {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")), first > 0,
      bytes[first - 1] == UInt8(ascii: "\r")
    else { return [0x0A] }
    return [0x0D, 0x0A]
  }

  /// Returns the offset of the line feed that ends a line, else the number of bytes.
  private static func lineEnd(after offset: Int, in bytes: [UInt8]) -> Int {
    bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  }

  private static func isLineStart(_ offset: Int, in bytes: [UInt8]) -> Bool {
    offset == 0 || bytes[offset - 1] == UInt8(ascii: "\n")
      || offset == 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
  }

  /// Returns the blanks before an entry on its line; a tab if its section is on the same line.
  private func indent(of piece: SettingsPiece) -> String {
    var start = piece.range.lowerBound
    while start > 0, " \t".utf8.contains(bytes[start - 1]) { start -= 1 }
    guard Self.isLineStart(start, in: bytes) else { return "\t" }
    return String(decoding: bytes[start..<piece.range.lowerBound], as: UTF8.self)
  }
}
