import VmxJSON
package import VmxModel

extension StoreSnapshot {
  /// All lines that readers ignore because they are broken, in the order of the file.
  ///
  /// These are the lines without a legible key, and broken last lines of records. Reads all live
  /// lines, on all cores.
  package var damage: [DamagedLine] {
    guard let image else { return [] }
    return Self.damage(of: image, index(of: image))
  }

  /// Whether the store has an episode with this id whose record cannot be read.
  package func isDamaged(_ id: EpisodeID) -> Bool {
    guard let image else { return false }
    let index = index(of: image)
    let key = RecordKey(kind: .episode, id: id.description)
    if let position = index.entryIndex(of: key, in: image, JSONParser()) {
      return index[position].isLive && stored(key.id) == nil
    }
    return index.broken.contains { DamagedLine.isEpisode(key.id, image.line(at: $0.offset)) }
  }

  /// Returns the broken lines of an image, using its index.
  static func damage(of image: StoreImage, _ index: StoreIndex) -> [DamagedLine] {
    let positions = index.indices { _ in true }
    let pieceSize = 512
    var damage = index.broken
    OrderedWork.run(pieces: (positions.count + pieceSize - 1) / pieceSize) { number, parser in
      let range = number * pieceSize..<min(positions.count, (number + 1) * pieceSize)
      return positions[range].compactMap { position in
        Self.damage(at: index[Int(position)].offset, of: image, parser)
      }
    } take: { (lines: [DamagedLine]) in
      damage += lines
      return true
    }
    return damage.sorted { $0.offset < $1.offset }
  }

  private static func damage(
    at offset: Int, of image: StoreImage, _ parser: JSONParser
  ) -> DamagedLine? {
    let line = image.line(at: offset)
    let isGood = image.withTape(of: line, at: offset, parser) { tape in
      LineFacts(tape).map { facts in
        facts.deletes || facts.key.kind != .episode || RecordReader.episode(tape, facts) != nil
      }
    }
    return isGood == true ? nil : DamagedLine(offset: offset, length: line.count)
  }
}
