import Glibc

/// Threads that nobody waits for: one for each connection.
enum DetachedThread {
  /// Runs the closure on a thread of its own.
  static func start(_ work: @escaping @Sendable () -> Void) throws(OriginProblem) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 << 10)
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let failure = pthread_create(&thread, &attributes, runBoxedWork, box.toOpaque())
    guard failure != 0 else { return }
    box.release()
    throw OriginProblem("pthread_create: \(String(cString: strerror(failure)))")
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
