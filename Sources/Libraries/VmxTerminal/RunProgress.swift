import VmxModel

/// The progress of all files of a run, those in work and those before and after them.
struct RunProgress {
  /// The files in work, in the order in which they began.
  private(set) var items: [ProgressItem] = []
  /// The files that do not belong to an episode in work; nil while more may be named.
  var pending: WorkAmount? = WorkAmount.zero
  /// The files of each episode in work that have not begun.
  private var waiting: [String: WorkAmount] = [:]
  private var ended = (files: 0, held: Int64(0), total: Int64(0))
  /// The bytes received in this run, which only grow.
  private(set) var received: Int64 = 0
  private var highest: Int64 = 0

  /// Begins the work on an episode.
  mutating func begin(_ id: String, _ amount: WorkAmount) {
    waiting[id, default: .zero] += amount
  }

  /// Updates a file; one that was unknown begins.
  mutating func update(_ item: ProgressItem) {
    guard let index = items.firstIndex(where: { $0.isSame(as: item) }) else {
      waiting[item.id]?.subtract(fileOf: item.expected)
      return items.append(item)
    }
    received += max(0, item.held - items[index].held)
    items[index] = item
  }

  /// Ends a file, whatever its outcome.
  mutating func end(_ isOver: (ProgressItem) -> Bool) -> [ProgressItem] {
    let over = items.filter(isOver)
    items.removeAll(where: isOver)
    for item in over {
      ended.files += 1
      ended.held = ended.held.addingClamped(item.held)
      ended.total = ended.total.addingClamped(max(item.held, item.total ?? 0))
    }
    return over
  }

  /// Ends an episode with all its files. Those that were not needed count as done.
  mutating func end(episode id: String) -> [ProgressItem] {
    let over = end { $0.id == id }
    if let left = waiting.removeValue(forKey: id) { ended.files += left.files }
    return over
  }

  /// The number of files that have ended.
  var endedFiles: Int { ended.files }

  /// The number of files of the run; nil while more may be named.
  var files: Int? { pending.map { left.files + $0.files + items.count + ended.files } }

  /// The bytes of all files; the total is known only if the sizes of all of them are.
  var bytes: ByteProgress {
    let held = items.map(\.held).clampedSum().addingClamped(ended.held)
    let totals = items.compactMap { $0.total ?? $0.expected }
    var total: Int64?
    if let pending, totals.count == items.count, left.unsized == 0, pending.unsized == 0 {
      total = (totals + [ended.total, left.bytes, pending.bytes]).clampedSum()
    }
    return ByteProgress(held: held, total: total, rate: nil)
  }

  /// The progress of the run in percent: of the bytes if all sizes are known, else of the files.
  /// It never falls, although sizes become known and files are added. Nil while files may be named.
  mutating func percent() -> Int64? {
    let bytes = bytes
    let now =
      bytes.percent
      ?? files.map { files in
        let parts = items.map { Double($0.percent ?? 0) / 100 }
        let done = Double(ended.files) + parts.reduce(0, +)
        return files == ended.files ? 100 : min(99, Int64(done / Double(files) * 100))
      }
    guard let now else { return nil }
    highest = max(highest, now)
    return highest
  }

  private var left: WorkAmount { waiting.values.reduce(into: .zero) { $0 += $1 } }
}
