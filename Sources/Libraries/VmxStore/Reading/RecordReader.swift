import Synchronization
import VmxJSON
import VmxModel

/// Decodes the current line of a record, and falls back to earlier lines if it is broken.
struct RecordReader {
  let image: StoreImage
  let parser: JSONParser
  var cache: IndexCache?
  /// Set when a line cannot be read.
  var damage: DamageMark?

  /// A record, and whether a later line of it is broken.
  struct Found<Value> {
    var value: Value
    var isStale: Bool
  }

  private enum Content<Value> {
    case value(Value)
    case removed
    case broken
  }

  /// Returns the record of a line, or of the last good line before it.
  ///
  /// - Parameters:
  ///   - offset: the offset of the last line of the record.
  ///   - hasEarlier: whether the record may have an earlier line.
  ///   - decode: returns nil for a line whose content is invalid.
  /// - Returns: nil if the record was removed or none of its lines is good.
  func read<Value>(
    _ key: RecordKey, at offset: Int, hasEarlier: Bool,
    _ decode: (JSONTape, LineFacts) -> Value?
  ) -> Found<Value>? {
    switch content(at: offset, decode) {
    case .value(let value): return Found(value: value, isStale: false)
    case .removed: return nil
    case .broken: damage?.set()
    }
    guard hasEarlier else { return nil }
    var found = last(key, before: offset, decode)
    found?.isStale = true
    return found
  }

  /// Returns the record of a key from its last good line before an offset.
  func last<Value>(
    _ key: RecordKey, before offset: Int, _ decode: (JSONTape, LineFacts) -> Value?
  ) -> Found<Value>? {
    var found: Found<Value>?
    var isStale = false
    let walk = LineWalk(image: image, parser: parser, cache: cache)
    walk.visit(key.id, of: key.kind, before: offset) { hit in
      guard hit.kind == key.kind else {
        if hit.kind == nil {
          damage?.set()
          isStale = true
        }
        return true
      }
      switch content(at: hit.offset, decode) {
      case .value(let value): found = Found(value: value, isStale: isStale)
      case .removed: break
      case .broken:
        damage?.set()
        isStale = true
        return true
      }
      return false
    }
    return found
  }

  private func content<Value>(
    at offset: Int, _ decode: (JSONTape, LineFacts) -> Value?
  ) -> Content<Value> {
    let content = image.withTape(of: image.line(at: offset), at: offset, parser) { tape in
      guard let facts = LineFacts(tape) else { return nil as Content<Value>? }
      if facts.deletes { return .removed }
      return decode(tape, facts).map { .value($0) }
    }
    return content ?? .broken
  }

  /// Decodes an episode from its line; nil if the line removes it or a field is invalid.
  static func episode(_ line: JSONTape, _ facts: LineFacts) -> Episode? {
    episode(line, facts: facts, fields: .all)
  }

  /// Decodes some fields of an episode; nil if the line removes it or one of them is invalid.
  static func episode(
    _ line: JSONTape, facts: LineFacts, fields: EpisodeFields
  ) -> Episode? {
    guard facts.key.kind == .episode, !facts.deletes, let id = EpisodeID(valid: facts.key.id) else {
      return nil
    }
    return self.fields(fields, of: line, id, rev: facts.seq)
  }

  /// Decodes some fields of the line of an episode; nil if one of them is invalid.
  static func fields(
    _ fields: EpisodeFields, of line: JSONTape, _ id: EpisodeID, rev: Int64
  ) -> Episode? {
    do throws(Failure) {
      return try Episode(line: line, id: id, rev: rev, fields)
    } catch {
      // The line is valid JSON with an invalid field; it is ignored like a line that is not JSON.
      return nil
    }
  }

  /// Whether this version can interpret a line that removes nothing. The fields of records other
  /// than episodes and shows are read one by one.
  static func isLegible(_ line: JSONTape, _ facts: LineFacts) -> Bool {
    switch facts.key.kind {
    case .episode: episode(line, facts) != nil
    case .show: LibraryShow.isDecodable(line)
    default: true
    }
  }

  /// Decodes a record of any kind from its line.
  static func record(_ line: JSONTape, _ facts: LineFacts) -> StoredRecord? {
    line.object.map { StoredRecord(key: facts.key, seq: facts.seq, at: facts.at, line: $0) }
  }
}

/// Records that a reader has skipped a line that it could not read.
final class DamageMark: Sendable {
  private let isMet = Atomic<Bool>(false)

  /// Whether a reader has skipped such a line so far.
  var isSet: Bool { isMet.load(ordering: .relaxed) }

  func set() { isMet.store(true, ordering: .relaxed) }
}
