import VmxJSON
import VmxModel

/// What one pass over the store found of an id and of some evidence.
struct Mentions: Sendable {
  /// The lines of the id, last first.
  var hits: [LineWalk.Hit] = []
  /// Ids of episodes of which a line, not necessarily the last, holds the evidence.
  var holders: [String] = []
  /// The lines of roots met on the way.
  var roots: PassedRoots
}

/// Looks for an episode by its id and by its evidence in one pass over the bytes.
///
/// Whoever adds one episode asks for both, and reading the store is nearly all that it costs. In
/// lines as our writer writes them the id and the evidence stand at the start; what comes behind is
/// passed over like a newline is looked for. Any other line that may count is read as a whole.
struct MentionSearch: Sendable {
  private let id: String
  private let name: [UInt8]
  private let keys: KeyNeedles

  /// - Parameter id: nil if only the evidence is looked for.
  init(_ id: String?, _ keys: [String]) {
    self.id = id ?? ""
    name = Array(self.id.utf8)
    self.keys = KeyNeedles(keys)
  }

  /// Goes over an image from an offset, the start of a line, on all cores.
  func run(in image: StoreImage, from start: Int = 0) -> Mentions {
    let length = image.bound - start
    let pieceSize = length > 8 << 20 ? 4 << 20 : max(1, length)
    var mentions = Mentions(roots: PassedRoots(before: image.bound))
    mentions.roots.from = start
    OrderedWork.run(pieces: (length + pieceSize - 1) / pieceSize) { number, parser in
      let from = start + number * pieceSize
      return found(from..<min(from + pieceSize, image.bound), image, parser)
    } take: { (found: Mentions) in
      mentions.append(found)
      return true
    }
    mentions.hits.reverse()
    mentions.roots.hits = mentions.roots.hits.mapValues { $0.reversed() }
    return mentions
  }

  /// What the lines mention that start in a range, first ones first.
  private func found(
    _ range: Range<Int>, _ image: StoreImage, _ parser: JSONParser
  ) -> Mentions {
    var mentions = Mentions(roots: PassedRoots(before: image.bound))
    let walk = LineWalk(image: image, parser: parser)
    var offset = range.lowerBound
    if offset > 0 { offset += image.line(at: offset - 1).count }
    while offset < range.upperBound {
      let bytes = image.bytes(from: offset)
      let stop = min(range.upperBound - offset, bytes.count)
      guard let place = keys.line(naming: name, in: bytes, before: stop) else {
        offset += stop
        continue
      }
      offset += place
      let line = image.line(at: offset)
      if !id.isEmpty {
        walk.note(offset, &mentions.roots)
        if let hit = walk.hit(at: offset, id) { mentions.hits.append(hit) }
      }
      if keys.mayStand(in: line), let holder = holder(line, at: offset, image, parser) {
        mentions.holders.append(holder)
      }
      offset += line.count + 1
    }
    return mentions
  }

  /// The id of the episode whose line it is, if it holds the evidence.
  private func holder(
    _ line: UnsafeRawBufferPointer, at offset: Int, _ image: StoreImage, _ parser: JSONParser
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
  /// Adds what stands behind it.
  fileprivate mutating func append(_ later: Mentions) {
    hits += later.hits
    for id in later.holders where !holders.contains(id) { holders.append(id) }
    roots.isUnsure = roots.isUnsure || later.roots.isUnsure
    roots.hits.merge(later.roots.hits) { $0 + $1 }
  }
}

/// What a line must contain to hold one of some keys, byte for byte.
private struct KeyNeedles: Sendable {
  private let keys: [String]
  /// With their quotes, and the escape without which a key of letters, digits and a colon stands
  /// there as it is.
  private let needles: [[UInt8]]
  /// One after the other; nil if they are not of the form that ours have.
  private let ours: [UInt8]?

  init(_ keys: [String]) {
    self.keys = keys
    let quoted = keys.map { Array("\"\($0)\"".utf8) }
    needles = quoted + [Array(#"\u"#.utf8)]
    let areOurs = quoted.allSatisfy { key in
      key.count == ByteSearch.keyLength && key[2] == UInt8(ascii: ":")
    }
    ours = areOurs ? quoted.flatMap { $0 } : nil
  }

  func contains(_ key: String) -> Bool { keys.contains(key) }

  /// Offset of the first line that may name an id or hold a key.
  func line(naming id: [UInt8], in bytes: UnsafeRawBufferPointer, before stop: Int) -> Int? {
    guard let ours else { return 0 }
    return ByteSearch.line(naming: id, orHoldingOneOf: ours, in: bytes, before: stop)
  }

  func mayStand(in line: UnsafeRawBufferPointer) -> Bool {
    needles.contains { ByteSearch.offset(of: $0, in: line) != nil }
  }
}
