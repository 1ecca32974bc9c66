import Glibc

/// State that threads share and wait on: a mutex and a condition in one.
///
/// Only for threads of our own (`WorkerThread`): waiting blocks the thread.
///
/// Unchecked, because the compiler cannot see that `state` is only touched under `mutex`; Swift's
/// own Mutex has no condition to wait on.
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  /// A monitor over a first state.
  package init(_ state: sending State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The wall clock may jump; a time-out must not.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the state alone, then wakes whoever waits for a change.
  package func withLock<Result, Problem: Error>(
    _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until the condition holds, then reads or changes the state alone.
  package func when<Result, Problem: Error>(
    _ condition: (State) -> Bool, _ body: (inout State) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    while !condition(state) { pthread_cond_wait(changed, mutex) }
    return try body(&state)
  }

  /// Waits until the condition holds or so many milliseconds have passed; whether it holds.
  package func wait(milliseconds: Int64, until condition: (State) -> Bool) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = Int64(end.tv_nsec) + (milliseconds % 1000) * 1_000_000
    end.tv_sec += Int(milliseconds / 1000 + nanoseconds / 1_000_000_000)
    end.tv_nsec = Int(nanoseconds % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition(state) {
      if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return condition(state) }
    }
    return true
  }
}
