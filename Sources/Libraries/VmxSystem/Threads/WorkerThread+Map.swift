import Synchronization

extension WorkerThread {
  /// Maps items to values on several threads, including the calling one.
  ///
  /// - Parameters:
  ///   - threads: the maximum number of threads, including the calling one; fewer if the system
  ///     refuses to create them.
  ///   - make: called once for each item, in no particular order.
  /// - Returns: the values in the order of their items.
  package static func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], threads: Int, named name: String,
    _ make: @escaping @Sendable (Item) -> Value
  ) -> [Value] {
    let work = MappedItems(items, make)
    var others: [WorkerThread] = []
    for _ in 1..<max(1, min(threads, items.count)) {
      do throws(ProcessError) { others.append(try start(name) { work.run() }) } catch { break }
    }
    work.run()
    for thread in others { thread.join() }
    return work.values
  }
}

/// Items that several threads process in turn.
private final class MappedItems<Item: Sendable, Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var made: [Int: Value] = [:]
  }

  private let items: [Item]
  private let make: @Sendable (Item) -> Value
  private let state = Mutex(State())

  init(_ items: [Item], _ make: @escaping @Sendable (Item) -> Value) {
    self.items = items
    self.make = make
  }

  func run() {
    while let index = take() {
      let value = make(items[index])
      state.withLock { $0.made[index] = value }
    }
  }

  /// The values, complete once all threads have ended.
  var values: [Value] {
    state.withLock { state in items.indices.compactMap { state.made[$0] } }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }
}
