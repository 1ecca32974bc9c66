import Glibc

/// State that threads share and wait on: a mutex and a line of those who wait.
///
/// Each waits for a condition of its own. Whoever leaves the monitor wakes the first one in the
/// line whose condition holds by then, and that one the next when it leaves in its turn: so a
/// change that one thread can use wakes one thread, and one that concerns nobody wakes nobody.
///
/// Only for threads of our own (`WorkerThread`): waiting blocks the thread.
///
/// Unchecked, because the compiler cannot see that `state` and `line` are only touched under
/// `mutex`; Swift's own Mutex has no condition to wait on.
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var state: State
  private var line: [Waiter] = []

  /// A monitor over a first state.
  package init(_ state: sending State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Reads or changes the state alone, then wakes whoever waited for it to be so.
  package func withLock<Result, Problem: Error>(
    _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    pthread_mutex_lock(mutex)
    defer { leave() }
    return try body(&state)
  }

  /// Waits until the condition holds, then reads or changes the state alone.
  ///
  /// - Parameter condition: looks at nothing but the state; asked on other threads too.
  package func when<Result, Problem: Error>(
    _ condition: (State) -> Bool, _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    pthread_mutex_lock(mutex)
    defer { leave() }
    if !condition(state) { _ = sleep(until: condition, orAt: nil) }
    return try body(&state)
  }

  /// Waits until the condition holds or so many milliseconds have passed; whether it holds.
  ///
  /// - Parameter condition: looks at nothing but the state; asked on other threads too.
  package func wait(milliseconds: Int64, until condition: (State) -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { leave() }
    return condition(state) || sleep(until: condition, orAt: Self.time(after: milliseconds))
  }

  /// How many wait.
  var waiting: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return line.count
  }

  /// Stands in the line until the condition holds, or until the time; whether it holds.
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

  /// Lets go of the mutex and wakes one that can go on.
  private func leave() {
    let next = line.first { !$0.isCalled && $0.condition?() == true }
    next?.isCalled = true
    pthread_mutex_unlock(mutex)
    // Not before: it would wake only to wait for the mutex.
    next?.wake()
  }

  private static func time(after milliseconds: Int64) -> timespec {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = Int64(end.tv_nsec) + (milliseconds % 1000) * 1_000_000
    end.tv_sec += Int(milliseconds / 1000 + nanoseconds / 1_000_000_000)
    end.tv_nsec = Int(nanoseconds % 1_000_000_000)
    return end
  }
}

/// One thread that waits in a monitor.
// Of no monitor in particular: types that are made for each kind of state cost more than the rest.
private final class Waiter {
  /// Whether what it waits for holds; nil once it waits no more.
  var condition: (() -> Bool)?
  /// Whether it was woken and has not looked since.
  var isCalled = false
  private let called = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ condition: @escaping () -> Bool) {
    self.condition = condition
    called.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The wall clock may jump; a time-out must not.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(called, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(called)
    called.deallocate()
  }

  /// Sleeps until it is woken, or for no reason; whether the time came first.
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
