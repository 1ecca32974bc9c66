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
    inspect(image, index, for: nil).damage
  }

  /// Returns the broken lines of an image, and the faults in the trails of its episodes.
  ///
  /// - Parameter paths: the transitions that a trail may have; nil if trails are not checked.
  static func inspect(
    _ image: StoreImage, _ index: StoreIndex, for paths: StatePaths?
  ) -> LineInspection {
    let positions = index.indices { _ in true }
    let pieceSize = 512
    var result = LineInspection(damage: index.broken)
    OrderedWork.run(pieces: (positions.count + pieceSize - 1) / pieceSize) { number, parser in
      let range = number * pieceSize..<min(positions.count, (number + 1) * pieceSize)
      var piece = LineInspection()
      for position in positions[range] {
        piece.add(lineAt: index[Int(position)].offset, of: image, parser, paths)
      }
      return piece
    } take: { (piece: LineInspection) in
      result.damage += piece.damage
      result.trailFaults += piece.trailFaults
      let room = LineStatistics.maxReported - result.trails.count
      result.trails += piece.trails.prefix(max(0, room))
      return true
    }
    result.damage.sort { $0.offset < $1.offset }
    return result
  }
}

/// The result of reading all live lines of a store.
struct LineInspection: Sendable {
  /// An episode, and what is wrong with its trail.
  typealias Trail = (id: EpisodeID, faults: [TrailFault])

  /// The broken lines.
  var damage: [DamagedLine] = []
  /// The first episodes whose trails have faults, in the order of the index: as many as are
  /// reported.
  var trails: [Trail] = []
  /// The number of faults in all trails.
  var trailFaults = 0

  /// Reads one line.
  fileprivate mutating func add(
    lineAt offset: Int, of image: StoreImage, _ parser: JSONParser, _ paths: StatePaths?
  ) {
    let line = image.line(at: offset)
    let isGood = image.withTape(of: line, at: offset, parser) { tape -> Bool in
      guard let facts = LineFacts(tape) else { return false }
      if facts.deletes { return true }
      guard facts.key.kind == .episode else { return RecordReader.isLegible(tape, facts) }
      guard let episode = RecordReader.episode(tape, facts) else { return false }
      if let faults = paths?.faults(in: episode.trail), !faults.isEmpty {
        trails.append((episode.id, faults))
        trailFaults += faults.count
      }
      return true
    }
    if isGood != true { damage.append(DamagedLine(offset: offset, length: line.count)) }
  }
}
