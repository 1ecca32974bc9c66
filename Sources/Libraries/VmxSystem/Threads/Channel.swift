/// A bounded queue that passes values between threads, in order.
package final class Channel<Value: Sendable>: Sendable {
  private struct Queue {
    var values: [Value] = []
    var isClosed = false
    /// The number of threads that wait for a value.
    var receivers = 0
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

  /// Waits until a receiver waits for a value; false once the channel is closed.
  package func waitForReceiver() -> Bool {
    queue.when({ $0.isClosed || $0.values.count < $0.receivers }) { !$0.isClosed }
  }

  /// Dequeues the oldest value, waiting for one; nil once the channel is closed and empty.
  package func receive() -> Value? {
    queue.withLock { $0.receivers += 1 }
    return queue.when({ $0.isClosed || !$0.values.isEmpty }) { queue in
      queue.receivers -= 1
      return queue.values.isEmpty ? nil : queue.values.removeFirst()
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
