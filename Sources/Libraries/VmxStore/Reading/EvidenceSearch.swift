import VmxJSON
import VmxModel

/// Finds the lines that may hold some evidence by going once through all bytes.
enum EvidenceSearch {
  /// Ids of episodes of which a line, not necessarily the last, holds one of the keys.
  static func candidates(_ keys: [String], in image: StoreImage, from start: Int = 0) -> [String] {
    // Only a `\u` escape can hide a key of letters, digits and a colon.
    let needles = keys.map { Array("\"\($0)\"".utf8) } + [Array(#"\u"#.utf8)]
    let length = image.bound - start
    let pieceSize = length > 8 << 20 ? 1 << 20 : max(1, length)
    var ids: [String] = []
    do {
      try OrderedWork.run(pieces: (length + pieceSize - 1) / pieceSize) { number, parser in
        let from = start + number * pieceSize
        return Self.ids(from..<min(from + pieceSize, image.bound), needles, keys, image, parser)
      } take: { (found: [String]) in
        for id in found where !ids.contains(id) { ids.append(id) }
        return true
      }
    } catch {
      fatalError("taking ids throws nothing")
    }
    return ids
  }

  /// Ids of the lines that start in a range and hold a needle.
  private static func ids(
    _ range: Range<Int>, _ needles: [[UInt8]], _ keys: [String], _ image: StoreImage,
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
      for needle in needles {
        var from = 0
        while from < lines.count {
          let rest = UnsafeRawBufferPointer(rebasing: lines[from...])
          guard let place = ByteSearch.offset(of: needle, in: rest) else { break }
          let start = (lines[..<(from + place)].lastIndex(of: 0x0A) ?? -1) + 1
          if let id = id(at: offset + start, keys, image, parser) { ids.append(id) }
          from = start + image.line(at: offset + start).count + 1
        }
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
