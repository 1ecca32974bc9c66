/// Hands values from some threads to others, in order, holding only so many at a time.
package final class Channel<Value: Sendable>: Sendable {
  private struct Queue {
    var values: [Value] = []
    var isClosed = false
    /// How many wait for a value.
    var receivers = 0
  }

  private let queue = Monitor(Queue())
  private let capacity: Int

  /// A channel that makes its writers wait when it holds `capacity` values, at least one.
  package init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// Puts a value in, waiting for room; false if the channel was closed, the value is dropped.
  @discardableResult
  package func send(_ value: Value) -> Bool {
    queue.when({ $0.isClosed || $0.values.count < capacity }) { queue in
      guard !queue.isClosed else { return false }
      queue.values.append(value)
      return true
    }
  }

  /// Waits until somebody waits for a value; false once nothing more goes in.
  package func waitForReceiver() -> Bool {
    queue.when({ $0.isClosed || $0.values.count < $0.receivers }) { !$0.isClosed }
  }

  /// Takes the oldest value out, waiting for one; nil once it is closed and empty.
  package func receive() -> Value? {
    queue.withLock { $0.receivers += 1 }
    return queue.when({ $0.isClosed || !$0.values.isEmpty }) { queue in
      queue.receivers -= 1
      return queue.values.isEmpty ? nil : queue.values.removeFirst()
    }
  }

  /// Ends it: nothing more goes in, what is in it can still be taken out.
  package func close() {
    queue.withLock { $0.isClosed = true }
  }

  /// Ends it at once: what is in it is dropped.
  package func cancel() {
    queue.withLock {
      $0.isClosed = true
      $0.values.removeAll()
    }
  }
}
