import CLinux
import Glibc
import Synchronization
import SystemPackage

/// An operating system thread for blocking work.
///
/// Its stack has 8 MiB whatever the limits of the shell, and it receives no signals. Those go to
/// the main thread, whose blocking calls they interrupt.
package final class WorkerThread: Sendable {
  private static let stackSize = 8 << 20

  private let handle: Mutex<pthread_t?>

  private init(_ handle: pthread_t) {
    self.handle = Mutex(handle)
  }

  deinit {
    // No caller can join the thread any more, so it is detached and frees its resources itself.
    handle.withLock { handle in
      if let handle { _ = pthread_detach(handle) }
    }
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: the name in debuggers and `ps`, of which the first 15 bytes count.
  ///   - body: the work of the thread. If the caller drops the returned object without joining, the
  ///     thread continues detached.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(ProcessError) -> WorkerThread {
    let work = Unmanaged.passRetained(ThreadWork(name: name, body: body))
    // The Swift initialiser is not always found: the compiler may take the type for one of
    // swift-system's C module if it reads that module first.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setstacksize(attributes, stackSize)
    var handle = pthread_t()
    let error = withSignalsBlocked {
      pthread_create(&handle, attributes, { ThreadWork.run($0) }, work.toOpaque())
    }
    guard error == 0 else {
      work.release()
      throw .noThread(name, Errno(rawValue: error))
    }
    return WorkerThread(handle)
  }

  /// Waits for the thread to end; a second call returns at once.
  ///
  /// A thread must not join itself.
  package func join() {
    let joinable = handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
    if let joinable { pthread_join(joinable, nil) }
  }
}

/// Limits the number of memory pools (arenas of glibc) from which threads allocate. Each pool keeps
/// the memory that its threads have freed. With one pool for each of many threads, a long run would
/// hold several times the memory that it uses.
///
/// Call it before threads are started.
package func limitMemoryPools(to count: Int) { linux_limit_arenas(CInt(count)) }

/// The signals for a fault of the thread itself; if they were blocked, they would kill the process
/// without a report.
private let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]

/// Runs a body while all signals but faults are blocked; threads created in it inherit the mask.
private func withSignalsBlocked<R>(_ body: () -> R) -> R {
  var all = sigset_t()
  sigfillset(&all)
  for fault in faults { sigdelset(&all, fault) }
  var before = sigset_t()
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}

/// The name and body with which a thread starts.
private final class ThreadWork: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let work = Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue()
    linux_name_thread(work.name)
    work.body()
    return nil
  }
}
