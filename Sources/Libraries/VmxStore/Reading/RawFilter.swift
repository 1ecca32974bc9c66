import Glibc
import VmxJSON
import VmxModel

// Most queries match few of many lines. So the scan searches first for the bytes that every
// matching line contains, and parses only lines with these bytes. A line without them cannot match,
// unless `\u` escapes hide letters: lines with such escapes are always parsed.

/// Rejects lines that cannot match a query, without parsing them.
struct RawFilter: Sendable {
  private enum Clause {
    /// The line contains one of these texts.
    case text([[UInt8]])
    /// The line has one of these integers under a key.
    case number(key: [UInt8], values: Set<Int64>)
    /// The show has one of these slugs or ASCII titles in lower case.
    case show([[UInt8]])
    /// The id begins with these bytes.
    case prefix([UInt8])

    /// The bytes that every matching line contains, except lines that match a show by its slug.
    var searchBytes: [UInt8]? {
      switch self {
      case .text(let texts): texts.count == 1 ? texts.first : nil
      case .number(let key, _): key
      case .show: showTitle
      case .prefix: nil
      }
    }
  }

  /// The bytes that the scan itself searches for on behalf of the first clause; empty if there are
  /// none.
  let searchBytes: [UInt8]

  private let first: Clause
  private let others: [Clause]

  /// Creates a filter for a query; nil if the bytes of a line alone cannot exclude it.
  init?(_ query: EpisodeQuery) {
    var clauses: [Clause] = []
    if !query.ids.isEmpty { return nil }
    if !query.states.isEmpty || query.includesPaused, !query.states.contains(.new) {
      var words = query.states.map(\.rawValue)
      if query.includesPaused { words.append(Want.hold.rawValue) }
      clauses.append(.text(words.map { Self.quoted($0) }))
    }
    // A line without `want` means fetch.
    if !query.wants.isEmpty, !query.wants.contains(.fetch) {
      clauses.append(.text(query.wants.map { Self.quoted($0.rawValue) }))
    }
    if !query.seasons.isEmpty {
      clauses.append(.number(key: Self.quoted(.season), values: query.seasons))
    }
    if !query.numbers.isEmpty {
      clauses.append(.number(key: Self.quoted(.number), values: query.numbers))
    }
    if query.isKept == true { clauses.append(.text([Self.quoted(.keep)])) }
    if query.isWatched == true { clauses.append(.text([Self.quoted(.watched)])) }
    if !query.foldedShows.isEmpty, query.foldedShows.allSatisfy(Self.isPlain) {
      clauses.append(.show(query.foldedShows.map { Array($0.utf8) }))
    }
    if !query.prefix.isEmpty { clauses.append(.prefix(Array(query.prefix.utf8))) }
    let position = clauses.lastIndex { $0.searchBytes != nil } ?? clauses.indices.last
    guard let position else { return nil }
    first = clauses.remove(at: position)
    others = clauses
    searchBytes = first.searchBytes ?? []
  }

  /// Whether a line may match; false means that it certainly does not.
  func mayMatch(_ line: UnsafeRawBufferPointer, _ start: LineStart) -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: line[start.length...])
    if matches(first, in: rest, start: start),
      others.allSatisfy({ matches($0, in: rest, start: start) })
    {
      return true
    }
    return ByteSearch.contains(#"\u"#, in: line)
  }

  /// Whether a line may match, given where the scan found the needle; false is certain.
  func mayMatch(
    _ line: UnsafeRawBufferPointer, start: LineStart, found: FoundLine
  ) -> Bool {
    if searchBytes.isEmpty || found.isRepeated { return mayMatch(line, start) }
    guard matchesFirst(line, start: start, found: found) else { return found.mayEscape }
    if others.isEmpty { return true }
    let rest = UnsafeRawBufferPointer(rebasing: line[start.length...])
    return others.allSatisfy { matches($0, in: rest, start: start) } || found.mayEscape
  }

  /// Whether the first clause matches at the only occurrence of its needle.
  private func matchesFirst(
    _ line: UnsafeRawBufferPointer, start: LineStart, found: FoundLine
  ) -> Bool {
    if case .show(let names) = first, names.contains(where: { Self.isShow($0, of: start.id) }) {
      return true
    }
    guard let position = found.matchOffset else { return false }
    let value = Self.value(after: position + searchBytes.count, in: line)
    switch first {
    case .text, .prefix: return true
    case .number(_, let values): return Self.number(value).map { values.contains($0) } ?? true
    case .show(let names): return names.contains { Self.mayEqual(value, $0) }
    }
  }

  private func matches(
    _ clause: Clause, in rest: UnsafeRawBufferPointer, start: LineStart
  ) -> Bool {
    switch clause {
    case .text(let texts):
      texts.contains { ByteSearch.offset(of: $0, in: rest) != nil }
    case .number(let key, let values):
      Self.values(of: key, in: rest) { value in
        Self.number(value).map { values.contains($0) } ?? true
      }
    case .show(let names):
      names.contains { Self.isShow($0, of: start.id) }
        || Self.values(of: Self.showTitle, in: rest) { value in
          names.contains { Self.mayEqual(value, $0) }
        }
    case .prefix(let text): start.id.begins(with: text, text.count)
    }
  }

  private static let showTitle = quoted(.showTitle)

  private static func quoted(_ field: Episode.Field) -> [UInt8] { quoted(field.rawValue) }

  private static func quoted(_ text: String) -> [UInt8] { Array("\"\(text)\"".utf8) }

  /// Whether a title has only one spelling in JSON, apart from the case of its letters.
  private static func isPlain(_ title: String) -> Bool {
    title.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && !"\"\\/".utf8.contains($0) }
  }

  private static func isShow(_ slug: [UInt8], of id: UnsafeRawBufferPointer) -> Bool {
    id.count > slug.count && id[slug.count] == UInt8(ascii: "/")
      && id.begins(with: slug, slug.count)
  }

  /// Whether the body returns true for the bytes after any occurrence of a key and its colon.
  private static func values(
    of key: [UInt8], in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var rest = bytes
    while let position = ByteSearch.offset(of: key, in: rest) {
      if body(value(after: position + key.count, in: rest)) { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(position + key.count)...])
    }
    return false
  }

  /// Returns the bytes after a key and its colon.
  private static func value(
    after key: Int, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    let value = bytes[key...].drop { $0 == UInt8(ascii: ":") || $0 == 0x20 || $0 == 0x09 }
    return UnsafeRawBufferPointer(rebasing: value)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let digits = bytes.prefix { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  private static func mayEqual(_ value: UnsafeRawBufferPointer, _ title: [UInt8]) -> Bool {
    guard value.count > title.count + 1, value[0] == UInt8(ascii: "\"") else {
      return value.first != UInt8(ascii: "\"")
    }
    for (index, expected) in title.enumerated() {
      let byte = value[index + 1]
      // Some letters beyond ASCII have a lower case within ASCII.
      if byte >= 0x80 { return true }
      let isUpper = byte &- 0x41 < 26
      if (isUpper ? byte | 0x20 : byte) != expected { return false }
    }
    return value[title.count + 1] == UInt8(ascii: "\"")
  }
}
