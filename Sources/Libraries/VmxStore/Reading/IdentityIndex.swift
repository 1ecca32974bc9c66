import Glibc
import VmxJSON
package import VmxModel

/// Maps identity keys to the index entries of the episodes that may have them.
///
/// It may return an entry whose identity keys have changed since, or one with another key of the
/// same hash. So the caller checks the record itself. It never omits an entry.
struct IdentityIndex: Sendable {
  private var slots: ContiguousArray<UInt64> = ContiguousArray(repeating: 0, count: 1024)
  private var count = 0
  /// The number of bytes of the store that were indexed.
  private(set) var end = 0

  /// Indexes the identity keys of all live episodes.
  init(of image: StoreImage, _ index: StoreIndex) {
    let positions = index.indices { $0.marks.contains(.episode) }
    let pieceSize = 4096
    OrderedWork.run(pieces: (positions.count + pieceSize - 1) / pieceSize) { number, parser in
      let range = number * pieceSize..<min(positions.count, (number + 1) * pieceSize)
      return positions[range].flatMap { position in
        Self.keys(of: image, at: index[Int(position)].offset, parser).map { ($0, position) }
      }
    } take: { (keys: [(UInt64, UInt32)]) in
      for (hash, position) in keys { insert(hash, position) }
      return true
    }
    end = image.bound
  }

  /// Adds the identity keys of the lines that were appended since the last call.
  mutating func extend(over image: StoreImage, _ index: StoreIndex) {
    let parser = JSONParser()
    while end < image.bound {
      let line = image.line(at: end)
      if let key = image.key(at: end, parser), key.kind == .episode,
        let position = index.entryIndex(of: key, in: image, parser)
      {
        for hash in Self.keys(of: image, at: end, parser) { insert(hash, UInt32(position)) }
      }
      end += line.count + 1
    }
  }

  /// Returns the places in the index of the episodes that may have an identity key.
  func indices(of key: String) -> [Int] {
    let hash = KeyHash.of(key)
    var positions: [Int] = []
    var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash >> 32 { positions.append(Int(slots[slot] & 0xFFFF_FFFF) - 1) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return positions
  }

  private mutating func insert(_ hash: UInt64, _ position: UInt32) {
    let word = hash & ~0xFFFF_FFFF | UInt64(position + 1)
    var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] == word { return }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = word
    count += 1
    if count * 10 >= slots.count * 7 { resize() }
  }

  private mutating func resize() {
    let old = slots
    slots = ContiguousArray(repeating: 0, count: old.count * 2)
    for word in old where word != 0 {
      var slot = Int(truncatingIfNeeded: word >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = word
    }
  }

  /// Returns the hashes of the keys under `identity` in a line.
  private static func keys(
    of image: StoreImage, at offset: Int, _ parser: JSONParser
  ) -> [UInt64] {
    let line = image.line(at: offset)
    if let start = LineStart(line), let keys = plainKeys(line, after: start) { return keys }
    let keys = image.withTape(of: line, at: offset, parser) { tape in
      var keys: [UInt64] = []
      tape.field("identity")?.forEachElement { key in
        if let text = key.utf8 { keys.append(KeyHash.fold(UnsafeRawBufferPointer(text))) }
        return true
      }
      return keys
    }
    return keys ?? []
  }

  /// Returns the same hashes without a parser; nil unless `identity` is the first field and has no
  /// escapes.
  private static func plainKeys(
    _ line: UnsafeRawBufferPointer, after start: LineStart
  ) -> [UInt64]? {
    let opening: StaticString = #","identity":["#
    var position = start.length + opening.utf8CodeUnitCount
    guard let base = line.baseAddress, position < line.count,
      memcmp(base + start.length, opening.utf8Start, opening.utf8CodeUnitCount) == 0
    else { return nil }
    var keys: [UInt64] = []
    while position < line.count, line[position] != UInt8(ascii: "]") {
      guard line[position] == UInt8(ascii: "\""),
        let quote = memchr(base + position + 1, 0x22, line.count - position - 1)
      else { return nil }
      let count = UnsafeRawPointer(quote) - (base + position + 1)
      let text = UnsafeRawBufferPointer(start: base + position + 1, count: count)
      guard memchr(base + position + 1, 0x5C, count) == nil else { return nil }
      keys.append(KeyHash.fold(text))
      position += count + 2
      if position < line.count, line[position] == UInt8(ascii: ",") { position += 1 }
    }
    return keys
  }
}

extension StoreSnapshot {
  /// Returns the ids of the episodes that have any of the identity keys, in no particular order.
  package func find(_ evidence: [IdentityKey]) -> [EpisodeID] {
    guard let image, !evidence.isEmpty else { return [] }
    let candidates: [String]
    if let index = availableIndex(of: image) {
      let known = cache.identityIndex(of: image, index)
      let positions = evidence.flatMap { known.indices(of: $0.key) }
      guard !positions.isEmpty else { return [] }
      let parser = JSONParser()
      candidates = Set(positions).compactMap { position in
        image.key(at: index[position].offset, parser)?.id
      }
    } else {
      candidates = cache.candidates(Self.sortedKeys(evidence), in: image)
    }
    let keys = Set(evidence)
    return candidates.compactMap { id in
      // The line that was found may not be the last of its record.
      guard let episode = stored(id)?.value else { return nil }
      return episode.identity.contains { keys.contains($0) } ? episode.id : nil
    }
  }

  /// Searches for an episode and for identity keys in one pass over the bytes if there is no index,
  /// and caches both results.
  func search(for id: EpisodeID, _ evidence: [IdentityKey]) {
    guard let image, !evidence.isEmpty, availableIndex(of: image) == nil else { return }
    cache.search(for: id.description, Self.sortedKeys(evidence), in: image)
  }

  /// Returns the keys in a canonical order, so that equal searches share a cache entry.
  private static func sortedKeys(_ evidence: [IdentityKey]) -> [String] {
    Set(evidence.map(\.key)).sorted()
  }
}
