/// A bounded queue that passes values between threads, in order.
package final class Channel<Value: Sendable>: Sendable {
  private struct Queue {
    var values: [Value] = []
    var isClosed = false
  }

  private let queue = Monitor(Queue())
  private let capacity: Int

  /// Creates a channel whose senders wait while it holds `capacity` values, at least one.
  package init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// Enqueues a value, waiting for space; false if the channel is closed, and the value is dropped.
  @discardableResult
  package func send(_ value: Value) -> Bool {
    queue.when({ $0.isClosed || $0.values.count < capacity }) { queue in
      guard !queue.isClosed else { return false }
      queue.values.append(value)
      return true
    }
  }

  /// Dequeues the oldest value, waiting for one; nil once the channel is closed and empty.
  package func receive() -> Value? {
    queue.when({ $0.isClosed || !$0.values.isEmpty }) { queue in
      queue.values.isEmpty ? nil : queue.values.removeFirst()
    }
  }

  /// Closes the channel: no more values are accepted, those in it can still be received.
  package func close() {
    queue.withLock { $0.isClosed = true }
  }

  /// Closes the channel and drops the values in it.
  package func cancel() {
    queue.withLock {
      $0.isClosed = true
      $0.values.removeAll()
    }
  }
}
