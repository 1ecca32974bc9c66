import Glibc

/// Shared state with waiting: a mutex and a queue of waiting threads.
///
/// Each waiter has its own condition. A thread that leaves the monitor wakes the first waiter whose
/// condition holds, and that waiter wakes the next one when it leaves. A change that one thread can
/// use therefore wakes only one thread, and an irrelevant change wakes none.
///
/// Only for threads of vmx (`WorkerThread`): waiting blocks the thread.
///
/// Unchecked, because the compiler cannot verify that `state` and `line` are accessed only under
/// `mutex`; Swift's own Mutex has no condition variable.
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var state: State
  private var line: [Waiter] = []

  /// Creates a monitor with an initial state.
  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Accesses the state exclusively, then wakes a thread whose condition now holds.
  package func withLock<Result, Problem: Error>(
    _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    return try body(&state)
  }

  /// Waits until the condition holds, then accesses the state exclusively.
  ///
  /// - Parameter condition: depends only on the state; also evaluated on other threads.
  package func when<Result, Problem: Error>(
    _ condition: (State) -> Bool, _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    if !condition(state) { _ = sleep(until: condition, orAt: nil) }
    return try body(&state)
  }

  /// Waits until the condition holds or the timeout in milliseconds has passed; returns whether it
  /// holds.
  ///
  /// - Parameter condition: depends only on the state; also evaluated on other threads.
  package func wait(milliseconds: Int64, until condition: (State) -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    return condition(state)
      || sleep(until: condition, orAt: Deadline(milliseconds: milliseconds).time)
  }

  /// The number of waiting threads.
  var waiting: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return line.count
  }

  /// Waits in the queue until the condition holds or the timeout has passed; returns whether it
  /// holds.
  private func sleep(until condition: (State) -> Bool, orAt end: timespec?) -> Bool {
    withoutActuallyEscaping(condition) { condition in
      let waiter = Waiter { [unowned self] in condition(self.state) }
      line.append(waiter)
      defer {
        line.removeAll { $0 === waiter }
        waiter.condition = nil
      }
      while true {
        let isLate = waiter.sleep(mutex, until: end)
        waiter.isCalled = false
        if condition(state) { return true }
        if isLate { return false }
      }
    }
  }

  /// Unlocks the mutex and wakes one waiter whose condition holds.
  private func unlock() {
    let next = line.first { !$0.isCalled && $0.condition?() == true }
    next?.isCalled = true
    pthread_mutex_unlock(mutex)
    // After the unlock: a waiter woken earlier would only block on the mutex.
    next?.wake()
  }
}

/// A thread that waits in a monitor.
// Not generic over the state: instantiating a type for each kind of state costs more than the rest.
private final class Waiter {
  /// Evaluates the condition of the waiter; nil once it no longer waits.
  var condition: (() -> Bool)?
  /// Whether it was woken and has not checked its condition since.
  var isCalled = false
  private let called = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ condition: @escaping () -> Bool) {
    self.condition = condition
    let attributes = UnsafeMutablePointer<pthread_condattr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_condattr_init(attributes)
    // The wall clock may jump; a timeout must not.
    pthread_condattr_setclock(attributes, CLOCK_MONOTONIC)
    pthread_cond_init(called, attributes)
    pthread_condattr_destroy(attributes)
  }

  deinit {
    pthread_cond_destroy(called)
    called.deallocate()
  }

  /// Sleeps until woken, possibly spuriously; returns whether the timeout passed.
  func sleep(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until end: timespec?) -> Bool {
    guard var end else {
      pthread_cond_wait(called, mutex)
      return false
    }
    return pthread_cond_timedwait(called, mutex, &end) == ETIMEDOUT
  }

  func wake() {
    pthread_cond_signal(called)
  }
}

/// Wakes waiting threads after each change for which one of them may wait.
///
///     let claim = try changes.retry(every: 200) { try store.claims.claim(id) }
package final class ChangeSignal: Sendable {
  private let state = Monitor<UInt64>(0)

  /// Creates a signal that has not been sent yet.
  package init() {}

  /// The number of signals so far.
  package var count: UInt64 { state.withLock { $0 } }

  /// Wakes all threads that wait.
  package func signal() {
    state.withLock { $0 &+= 1 }
  }

  /// Waits up to this many milliseconds for a signal after the first `seen` ones, or for the next
  /// one; returns whether it arrived.
  @discardableResult
  package func wait(since seen: UInt64? = nil, milliseconds: Int64) -> Bool {
    let seen = seen ?? count
    return state.wait(milliseconds: milliseconds) { $0 != seen }
  }

  /// Repeats an attempt until it returns a value: after each signal, and after each interval for
  /// changes that no signal reports. A signal during an attempt is not lost.
  package func retry<Result>(
    every milliseconds: Int64 = 60_000, _ attempt: () throws -> Result?
  ) rethrows -> Result {
    while true {
      let seen = count
      if let result = try attempt() { return result }
      wait(since: seen, milliseconds: milliseconds)
    }
  }
}
