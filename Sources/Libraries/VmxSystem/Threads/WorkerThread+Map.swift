extension WorkerThread {
  /// Maps items to values on several threads.
  ///
  /// - Parameters:
  ///   - threads: the maximum number of threads; fewer if the system refuses to create them.
  ///   - make: called once for each item, in no particular order.
  /// - Returns: the values in the order of their items.
  package static func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], threads: Int, named name: String,
    _ make: @escaping @Sendable (Item) -> Value
  ) -> [Value] {
    var values: [Value] = []
    forEachInOrder(items.count, threads: threads, named: name) { index in
      make(items[index])
    } take: { value in
      values.append(value)
      return true
    }
    return values
  }

  /// Makes values on several threads that need no context, and delivers them in order.
  ///
  /// See `forEachInOrder(_:threads:named:context:make:take:)` for the parameters.
  package static func forEachInOrder<Value: Sendable>(
    _ count: Int, threads: Int, named name: String, make: @escaping @Sendable (Int) -> Value,
    take: (Value) throws -> Bool
  ) rethrows {
    try forEachInOrder(
      count, threads: threads, named: name, context: {}, make: { index, _ in make(index) },
      take: take)
  }

  /// Makes values on several threads and delivers them in order.
  ///
  /// - Parameters:
  ///   - count: the number of values.
  ///   - threads: the maximum number of threads; fewer if the system refuses to create them. If it
  ///     refuses all, the calling thread makes the values.
  ///   - context: creates the context of a thread, such as a parser.
  ///   - make: makes the value with a number from 0, on any thread, with the context of that
  ///     thread.
  ///   - take: receives the values one by one, in order, on the calling thread. It ends the run by
  ///     returning false or by throwing.
  package static func forEachInOrder<Context, Value: Sendable>(
    _ count: Int, threads: Int, named name: String, context: @escaping @Sendable () -> Context,
    make: @escaping @Sendable (Int, Context) -> Value, take: (Value) throws -> Bool
  ) rethrows {
    let state = Monitor(OrderedValues<Value>(count: count, ahead: max(6, 2 * threads)))
    var workers: [WorkerThread] = []
    defer {
      state.withLock { $0.isStopped = true }
      for worker in workers { worker.join() }
    }
    for _ in 0..<(count < 2 ? 0 : min(threads, count)) {
      do throws(ProcessError) {
        workers.append(
          try start(name) {
            let context = context()
            while let number = state.when({ $0.canBegin }, { $0.begin() }) {
              let value = make(number, context)
              state.withLock { $0.made[number] = value }
            }
          })
      } catch {
        break
      }
    }
    if workers.isEmpty {
      let context = context()
      for number in 0..<count where try !take(make(number, context)) { return }
    }
    for number in 0..<(workers.isEmpty ? 0 : count) {
      let value = state.when({ $0.made[number] != nil }, { $0.deliver(number) })
      guard let value, try take(value) else { return }
    }
  }
}

/// The values that threads make in any order and one thread takes in order.
private struct OrderedValues<Value: Sendable>: Sendable {
  let count: Int
  /// The maximum number of values begun beyond those delivered. It limits their memory while the
  /// receiver is busy.
  let ahead: Int
  var made: [Int: Value] = [:]
  var isStopped = false
  private var begun = 0
  private var delivered = 0

  init(count: Int, ahead: Int) {
    self.count = count
    self.ahead = ahead
  }

  /// Whether a thread need not wait: it can begin a value, or there is none left.
  var canBegin: Bool { isStopped || begun >= count || begun < delivered + ahead }

  /// Returns the number of the next value; nil if there is none left.
  mutating func begin() -> Int? {
    guard !isStopped, begun < count else { return nil }
    begun += 1
    return begun - 1
  }

  mutating func deliver(_ number: Int) -> Value? {
    delivered = number + 1
    return made.removeValue(forKey: number)
  }
}
