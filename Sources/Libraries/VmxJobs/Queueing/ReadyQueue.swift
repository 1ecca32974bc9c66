import VmxModel

/// Episodes that stand in line to be taken up, in the order of the queue.
///
/// Those of the beginning are packed: a million of them cost some fifty bytes each. What changes
/// later is few and kept beside them.
struct ReadyQueue {
  private struct Standing {
    let priority: Int64
    let place: Int64
    let isFavourite: Bool

    func order(line: Int) -> QueueOrder {
      QueueOrder(priority: priority, isFavourite: isFavourite, place: place, line: line)
    }
  }

  private var standings: [Standing] = []
  private var ids = PackedTexts()
  /// Numbers of those of the beginning, the one whose turn it is last.
  private var turns: [UInt32] = []
  /// Those that came later or stand elsewhere now, the one whose turn it is last.
  private var fresh: [(order: QueueOrder, id: EpisodeID)] = []
  private var freshIDs: Set<EpisodeID> = []
  /// Those of the beginning that are to be passed over.
  private var superseded: Set<EpisodeID> = []
  private var later = 0

  /// Takes one of the beginning; they come in the order of their first lines.
  mutating func begin(with episode: Episode, isFavourite: Bool) {
    turns.append(UInt32(standings.count))
    ids.append(episode.id.description)
    standings.append(
      Standing(
        priority: episode.priority, place: episode.resolvedPlace, isFavourite: isFavourite))
  }

  /// Puts those of the beginning in order; to be called once, when all of them are here.
  mutating func arrange() {
    let standings = standings
    turns.sort { left, right in
      standings[Int(right)].order(line: Int(right)) < standings[Int(left)].order(line: Int(left))
    }
  }

  /// Lets an episode stand where its record says now, whether it is in line already or not.
  mutating func put(_ episode: Episode, isFavourite: Bool) {
    withdraw(episode.id)
    superseded.insert(episode.id)
    later += 1
    let order = QueueOrder(
      of: episode, isFavourite: isFavourite, line: standings.count + later)
    let place = fresh.firstIndex { $0.order < order } ?? fresh.endIndex
    fresh.insert((order, episode.id), at: place)
    freshIDs.insert(episode.id)
  }

  /// Takes an episode out of the line, wherever it stands.
  mutating func remove(_ id: EpisodeID) {
    withdraw(id)
    superseded.insert(id)
  }

  /// Takes an episode out that had its turn and was put in line once more.
  mutating func withdraw(_ id: EpisodeID) {
    if freshIDs.remove(id) != nil { fresh.removeAll { $0.id == id } }
  }

  /// Whether nobody stands in line; some that are to be passed over may still count.
  var isEmpty: Bool { turns.isEmpty && fresh.isEmpty }

  /// Takes out the first that may go.
  ///
  /// - Parameter mayGo: asked in the order of the line, until it says yes.
  mutating func next(_ mayGo: (EpisodeID) throws -> Bool) rethrows -> EpisodeID? {
    var (old, new) = (turns.count - 1, fresh.count - 1)
    while old >= 0 || new >= 0 {
      if new >= 0, old < 0 || fresh[new].order < order(at: old) {
        let id = fresh[new].id
        if try mayGo(id) {
          fresh.remove(at: new)
          freshIDs.remove(id)
          return id
        }
        new -= 1
      } else if let id = EpisodeID(valid: ids[Int(turns[old])]), !superseded.contains(id) {
        if try mayGo(id) {
          turns.remove(at: old)
          return id
        }
        old -= 1
      } else {
        turns.remove(at: old)
        old -= 1
      }
    }
    return nil
  }

  private func order(at turn: Int) -> QueueOrder {
    let line = Int(turns[turn])
    return standings[line].order(line: line)
  }
}
