import VmxModel

/// The progress of all files of a run: active, finished and pending ones.
struct RunProgress {
  /// The active files, in the order in which they began.
  private(set) var items: [ProgressItem] = []
  /// The files that do not belong to an active episode; nil while more may be added.
  var pending: WorkAmount? = WorkAmount.zero
  /// The files of each active episode that have not begun.
  private var waiting: [String: WorkAmount] = [:]
  private var ended = (files: 0, held: Int64(0), total: Int64(0))
  /// The ended parts of episodes that the run may process again; no longer counted once they begin
  /// anew.
  private var repeatable: [String: [ProgressItem]] = [:]
  /// The bytes received in this run; the number never decreases.
  private(set) var received: Int64 = 0
  private var highest: Int64 = 0

  /// Begins the work on an episode, possibly not for the first time in the run.
  mutating func begin(_ id: String, _ amount: WorkAmount) {
    for item in repeatable.removeValue(forKey: id) ?? [] { count(item, -1) }
    waiting[id] = amount
  }

  /// Updates a file; an unknown file begins.
  mutating func update(_ item: ProgressItem) {
    guard let index = items.firstIndex(where: { $0.isSame(as: item) }) else {
      if let old = repeatable[item.id]?.firstIndex(where: { $0.isSame(as: item) }),
        let before = repeatable[item.id]?.remove(at: old)
      {
        count(before, -1)
      } else {
        waiting[item.id]?.subtract(fileOf: item.expected)
      }
      return items.append(item)
    }
    received += max(0, item.completedBytes - items[index].completedBytes)
    items[index] = item
  }

  /// Ends the matching files, whatever their outcome, and returns them.
  mutating func end(_ isOver: (ProgressItem) -> Bool) -> [ProgressItem] {
    let over = items.filter(isOver)
    items.removeAll(where: isOver)
    for item in over {
      count(item, 1)
      if item.part != nil { repeatable[item.id, default: []].append(item) }
    }
    return over
  }

  /// Ends an episode with all its files and returns them.
  ///
  /// - Parameter isFinal: whether the run does not process it again. Then the files that were not
  ///   needed count as finished.
  mutating func end(episode id: String, isFinal: Bool) -> [ProgressItem] {
    let over = end { $0.id == id }
    if isFinal {
      repeatable[id] = nil
      if let left = waiting.removeValue(forKey: id) { ended.files += left.files }
    }
    return over
  }

  private mutating func count(_ item: ProgressItem, _ sign: Int) {
    ended.files += sign
    ended.held = ended.held.addingClamped(Int64(sign) * item.completedBytes)
    ended.total = ended.total.addingClamped(Int64(sign) * max(item.completedBytes, item.total ?? 0))
  }

  /// The number of files that have ended.
  var endedFiles: Int { ended.files }

  /// The number of files of the run; nil while more may be added.
  var files: Int? { pending.map { remaining.files + $0.files + items.count + ended.files } }

  /// The bytes of all files; the total is known only if the sizes of all of them are.
  var bytes: ByteProgress {
    let held = items.map(\.completedBytes).clampedSum().addingClamped(ended.held)
    let totals = items.compactMap { $0.total ?? $0.expected }
    var total: Int64?
    if let pending, totals.count == items.count, remaining.unsized == 0, pending.unsized == 0 {
      total = (totals + [ended.total, remaining.bytes, pending.bytes]).clampedSum()
    }
    return ByteProgress(completedBytes: held, total: total, rate: nil)
  }

  /// Returns the remaining time in milliseconds at a rate in bytes per second. A file of unknown
  /// size is taken for one of mean size. Nil while no size is known, or files may be added.
  func eta(at rate: Int64?) -> Int64? {
    var bytes = bytes
    bytes.rate = rate
    guard bytes.total == nil, let pending else { return bytes.eta }
    let sizes = items.compactMap { $0.total ?? $0.expected }
    let unsized = items.count - sizes.count + remaining.unsized + pending.unsized
    let sized =
      ended.files + sizes.count + (remaining.files + pending.files)
      - (remaining.unsized + pending.unsized)
    let known = (sizes + [ended.total, remaining.bytes, pending.bytes]).clampedSum()
    guard known > 0, sized > 0 else { return nil }
    let mean = Double(known) / Double(sized)
    bytes.total = known.addingClamped(Int64(min(mean * Double(unsized), 1e18)))
    return bytes.eta
  }

  /// Returns the progress of the run in percent: of the bytes if all sizes are known, otherwise of
  /// the files. It never decreases, although sizes become known and files are added. Nil while
  /// files may be added.
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

  private var remaining: WorkAmount { waiting.values.reduce(into: .zero) { $0 += $1 } }
}
