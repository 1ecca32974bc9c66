import VmxJSON
import VmxModel

/// Finds the lines that may hold some evidence by going once through all bytes.
enum EvidenceSearch {
  /// Ids of episodes of which a line, not necessarily the last, holds one of the keys.
  static func candidates(_ keys: [String], in image: StoreImage, from start: Int = 0) -> [String] {
    let needles = KeyNeedles(keys)
    let length = image.bound - start
    let pieceSize = length > 8 << 20 ? 1 << 20 : max(1, length)
    var ids: [String] = []
    OrderedWork.run(pieces: (length + pieceSize - 1) / pieceSize) { number, parser in
      let from = start + number * pieceSize
      return Self.ids(from..<min(from + pieceSize, image.bound), needles, keys, image, parser)
    } take: { (found: [String]) in
      for id in found where !ids.contains(id) { ids.append(id) }
      return true
    }
    return ids
  }

  /// Ids of the lines that start in a range and hold a needle.
  private static func ids(
    _ range: Range<Int>, _ needles: KeyNeedles, _ keys: [String], _ image: StoreImage,
    _ parser: JSONParser
  ) -> [String] {
    var offset = range.lowerBound
    if offset > 0 { offset += image.line(at: offset - 1).count }
    var ids: [String] = []
    while offset < range.upperBound {
      // A piece ends with the line that its last byte belongs to.
      let bytes = image.bytes(from: offset)
      let last = min(range.upperBound - 1 - offset, bytes.count - 1)
      let length = last + image.line(at: offset + last).count
      let lines = UnsafeRawBufferPointer(rebasing: bytes[..<min(length, bytes.count)])
      var from = 0
      while from < lines.count {
        let rest = UnsafeRawBufferPointer(rebasing: lines[from...])
        guard let place = needles.first(in: rest) else { break }
        let before = UnsafeRawBufferPointer(rebasing: lines[..<(from + place)])
        let start = (ByteSearch.lastNewline(in: before) ?? -1) + 1
        if let id = id(at: offset + start, keys, image, parser) { ids.append(id) }
        from = start + image.line(at: offset + start).count + 1
      }
      offset += length + 1
    }
    return ids
  }

  private static func id(
    at offset: Int, _ keys: [String], _ image: StoreImage, _ parser: JSONParser
  ) -> String? {
    image.withTape(of: image.line(at: offset), at: offset, parser) { tape in
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

/// What a line must contain to hold one of some keys, byte for byte.
private struct KeyNeedles: Sendable {
  private let keys: [UInt8]
  /// Set where the keys are not of the form that ours have.
  private let others: [[UInt8]]

  init(_ keys: [String]) {
    let quoted = keys.map { Array("\"\($0)\"".utf8) }
    let areOurs = quoted.allSatisfy { key in
      key.count == ByteSearch.keyLength && key[2] == UInt8(ascii: ":")
    }
    self.keys = areOurs ? quoted.flatMap { $0 } : []
    // Only a `\u` escape can hide a key of letters, digits and a colon.
    others = areOurs ? [] : quoted + [Array(#"\u"#.utf8)]
  }

  func first(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard others.isEmpty else {
      return others.compactMap { ByteSearch.offset(of: $0, in: bytes) }.min()
    }
    return ByteSearch.offset(ofKeyAmong: keys, in: bytes)
  }
}
