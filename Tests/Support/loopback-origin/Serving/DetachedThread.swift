import Glibc

/// Detached threads, which are never joined: one for each connection.
enum DetachedThread {
  /// Runs the closure on a new thread.
  static func start(_ work: @escaping @Sendable () -> Void) throws(OriginProblem) {
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let failure = pthread_create(&thread, nil, runBoxedWork, box.toOpaque())
    guard failure == 0 else {
      box.release()
      throw OriginProblem("pthread_create: \(String(cString: strerror(failure)))")
    }
    pthread_detach(thread)
  }
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private func runBoxedWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run()
  return nil
}
