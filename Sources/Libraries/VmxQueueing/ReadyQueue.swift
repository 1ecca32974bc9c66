import VmxModel

/// The due episodes of a run, in queue order.
///
/// Episodes of the initial scan are packed: a million of them take about fifty bytes each. Later
/// changes are few and are kept in separate collections.
struct ReadyQueue {
  /// 24 bytes: the amount of work fills the gap that alignment would leave.
  private struct Item {
    let priority: Int64
    let place: Int64
    let isFavourite: Bool
    private let unsized: UInt8
    private let files: UInt16
    private let kibibytes: UInt32

    init(_ episode: Episode, _ amount: WorkAmount, isFavourite: Bool) {
      priority = episode.priority
      place = episode.resolvedPlace
      self.isFavourite = isFavourite
      unsized = UInt8(clamping: amount.unsized)
      files = UInt16(clamping: amount.files)
      kibibytes = UInt32(clamping: amount.bytes >> 10)
    }

    var amount: WorkAmount {
      WorkAmount(files: Int(files), unsized: Int(unsized), bytes: Int64(kibibytes) << 10)
    }

    func order(line: Int) -> QueueOrder {
      QueueOrder(priority: priority, isFavourite: isFavourite, place: place, line: line)
    }
  }

  private var items: [Item] = []
  private var ids = PackedTexts()
  /// Indices of the initially scanned episodes, sorted in reverse: the next one is last.
  private var sortedIndices: [UInt32] = []
  /// Episodes that were added or moved after the initial scan, sorted in reverse: the next one is
  /// last.
  private var added: [(order: QueueOrder, id: EpisodeID, amount: WorkAmount)] = []
  private var addedIDs: Set<EpisodeID> = []
  /// Initially scanned episodes to skip, because they were moved or removed later.
  private var superseded: Set<EpisodeID> = []
  private var later = 0
  /// The sort key of the episode that `next` returned last.
  private(set) var lastOrder: QueueOrder?
  /// The work on the episode that `next` returned last; sizes are rounded down to KiB.
  private(set) var lastAmount = WorkAmount.zero

  /// Appends an episode of the initial scan; the caller adds them in the order of their first
  /// lines.
  mutating func begin(with episode: Episode, _ amount: WorkAmount, isFavourite: Bool) {
    sortedIndices.append(UInt32(items.count))
    ids.append(episode.id.description)
    items.append(Item(episode, amount, isFavourite: isFavourite))
  }

  /// Sorts the episodes of the initial scan. The caller calls it once, after the last `begin`.
  mutating func arrange() {
    let standings = items
    sortedIndices.sort { left, right in
      standings[Int(right)].order(line: Int(right)) < standings[Int(left)].order(line: Int(left))
    }
  }

  /// Inserts an episode at the position that its record now determines, or moves it there.
  mutating func enqueue(_ episode: Episode, _ amount: WorkAmount, isFavourite: Bool) {
    withdraw(episode.id)
    superseded.insert(episode.id)
    later += 1
    let order = QueueOrder(
      of: episode, isFavourite: isFavourite, line: items.count + later)
    let index = added.firstIndex { $0.order < order } ?? added.endIndex
    added.insert((order, episode.id, amount), at: index)
    addedIDs.insert(episode.id)
  }

  /// Removes an episode from the queue, whether it was scanned initially or added later.
  mutating func remove(_ id: EpisodeID) {
    withdraw(id)
    superseded.insert(id)
  }

  /// Removes an episode that was processed before and queued again.
  mutating func withdraw(_ id: EpisodeID) {
    if addedIDs.remove(id) != nil { added.removeAll { $0.id == id } }
  }

  /// Whether the queue is empty; superseded entries may still count as present.
  var isEmpty: Bool { sortedIndices.isEmpty && added.isEmpty }

  /// The work on all episodes of the queue; linear in the length of the queue.
  var amount: WorkAmount {
    var sum = added.reduce(into: WorkAmount.zero) { $0 += $1.amount }
    for turn in sortedIndices where superseded.isEmpty || !isSuperseded(turn) {
      sum += items[Int(turn)].amount
    }
    return sum
  }

  private func isSuperseded(_ turn: UInt32) -> Bool {
    EpisodeID(valid: ids[Int(turn)]).map(superseded.contains) ?? true
  }

  /// Removes and returns the first episode that may be processed.
  ///
  /// - Parameter mayGo: called in queue order until it returns true.
  mutating func next(_ mayGo: (EpisodeID) throws -> Bool) rethrows -> EpisodeID? {
    var (old, new) = (sortedIndices.count - 1, added.count - 1)
    while old >= 0 || new >= 0 {
      if new >= 0, old < 0 || added[new].order < order(at: old) {
        let id = added[new].id
        if try mayGo(id) {
          (lastOrder, _, lastAmount) = added.remove(at: new)
          addedIDs.remove(id)
          return id
        }
        new -= 1
      } else if let id = EpisodeID(valid: ids[Int(sortedIndices[old])]), !superseded.contains(id) {
        if try mayGo(id) {
          lastOrder = order(at: old)
          lastAmount = items[Int(sortedIndices[old])].amount
          sortedIndices.remove(at: old)
          return id
        }
        old -= 1
      } else {
        sortedIndices.remove(at: old)
        old -= 1
      }
    }
    return nil
  }

  private func order(at turn: Int) -> QueueOrder {
    let line = Int(sortedIndices[turn])
    return items[line].order(line: line)
  }
}
