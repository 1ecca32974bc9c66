import VmxJSON
import VmxModel

/// The lines that one pass over the store found for an id and for identity keys.
struct Mentions: Sendable {
  /// The lines of the id, last first.
  var hits: [LineWalk.Hit] = []
  /// The ids of episodes with any line, not necessarily the last, that contains one of the identity
  /// keys.
  var holders: [String] = []
  /// The lines of roots that the pass read.
  var roots: ScannedRoots
}

/// Searches for an episode by its id and by its identity keys in one pass over the bytes.
///
/// A command that adds one episode needs both, and reading the store is nearly its whole cost. In
/// lines that the writer wrote, the id and the identity keys are at the start. The search skips the
/// rest of such a line at the speed of a search for a newline. Any other line that may match is
/// parsed as a whole.
struct MentionSearch: Sendable {
  private let id: String
  private let name: [UInt8]
  private let keys: [String]
  /// The byte strings of which a line must contain one to hold one of the keys: the keys in quotes,
  /// and `\u`. A key consists of letters, digits and a colon, so only an escape can hide it.
  private let needles: [[UInt8]]
  /// The keys in quotes, concatenated; nil if they do not have the form of the writer's keys.
  private let quotedKeys: [UInt8]?

  /// Prepares a search.
  ///
  /// - Parameter id: nil to search for the identity keys only.
  init(_ id: String?, _ keys: [String]) {
    self.id = id ?? ""
    name = Array(self.id.utf8)
    self.keys = keys
    let quoted = keys.map { Array("\"\($0)\"".utf8) }
    needles = quoted + [Array(#"\u"#.utf8)]
    let areOurs = quoted.allSatisfy { key in
      key.count == ByteSearch.keyLength && key[2] == UInt8(ascii: ":")
    }
    quotedKeys = areOurs ? quoted.flatMap { $0 } : nil
  }

  /// Searches an image from an offset, the start of a line, on all cores.
  func run(in image: StoreImage, from start: Int = 0) -> Mentions {
    let length = image.bound - start
    let pieceSize = length > 8 << 20 ? 4 << 20 : max(1, length)
    var mentions = Mentions(roots: ScannedRoots(before: image.bound))
    mentions.roots.from = start
    OrderedWork.run(pieces: (length + pieceSize - 1) / pieceSize) { number, parser in
      let from = start + number * pieceSize
      return found(in: from..<min(from + pieceSize, image.bound), of: image, parser: parser)
    } take: { (found: Mentions) in
      mentions.append(found)
      return true
    }
    mentions.hits.reverse()
    mentions.roots.hits = mentions.roots.hits.mapValues { $0.reversed() }
    return mentions
  }

  /// Returns the matches in the lines that start in a range, in ascending order.
  private func found(
    in range: Range<Int>, of image: StoreImage, parser: JSONParser
  ) -> Mentions {
    var mentions = Mentions(roots: ScannedRoots(before: image.bound))
    let walk = LineWalk(image: image, parser: parser)
    var offset = range.lowerBound
    if offset > 0 { offset += image.line(at: offset - 1).count }
    while offset < range.upperBound {
      let bytes = image.bytes(from: offset)
      let stop = min(range.upperBound - offset, bytes.count)
      guard let position = nextLine(in: bytes, before: stop) else {
        offset += stop
        continue
      }
      offset += position
      let line = image.line(at: offset)
      if !id.isEmpty {
        walk.record(offset, &mentions.roots)
        if let hit = walk.hit(at: offset, id) { mentions.hits.append(hit) }
      }
      let mayHold = needles.contains { ByteSearch.offset(of: $0, in: line) != nil }
      if mayHold, let holder = holder(of: line, at: offset, in: image, parser: parser) {
        mentions.holders.append(holder)
      }
      offset += line.count + 1
    }
    return mentions
  }

  /// Returns the offset of the first line that may contain the id or one of the keys.
  private func nextLine(in bytes: UnsafeRawBufferPointer, before stop: Int) -> Int? {
    guard let quotedKeys else { return 0 }
    return ByteSearch.line(naming: name, orHoldingOneOf: quotedKeys, in: bytes, before: stop)
  }

  /// Returns the id of the episode of a line, if the line holds one of the identity keys.
  private func holder(
    of line: UnsafeRawBufferPointer, at offset: Int, in image: StoreImage, parser: JSONParser
  ) -> String? {
    image.withTape(of: line, at: offset, parser) { tape in
      guard let facts = LineFacts(tape), facts.key.kind == .episode else { return nil }
      var holds = false
      tape.field("identity")?.forEachElement { key in
        holds = key.string.map { keys.contains($0) } ?? false
        return !holds
      }
      return holds ? facts.key.id : nil
    }
  }
}

extension Mentions {
  /// Appends the matches of a later range.
  fileprivate mutating func append(_ later: Mentions) {
    hits += later.hits
    for id in later.holders where !holders.contains(id) { holders.append(id) }
    roots.isIncomplete = roots.isIncomplete || later.roots.isIncomplete
    roots.hits.merge(later.roots.hits) { $0 + $1 }
  }
}
