import Glibc
import SystemPackage
import Testing

@testable import VmxSystem

/// SIGURG and SIGWINCH replace INT and TERM: they are ignored by default, so that the second one
/// does not kill the tests.
@Suite struct InterruptionTests {
  private func isReadable(_ descriptor: FileDescriptor) -> Bool {
    var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&asked, 1, 0) == 1
  }

  private func handler(of signal: Int32) -> UInt {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
  }

  /// Raises the signal on this thread, which Swift's thread pool may have shielded from signals.
  private func raiseHere(_ signal: Int32) {
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    raise(signal)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  @Test func `no interrupt is requested initially`() throws {
    let interruption = try Interruption()
    #expect(!interruption.isRequested)
    #expect(interruption.signal == nil)
    #expect(!isReadable(interruption.descriptor))
  }

  @Test func `a request is seen by flag and by poll, and persists`() throws {
    let interruption = try Interruption()
    interruption.request()
    interruption.request()
    #expect(interruption.isRequested)
    #expect(interruption.signal == SIGINT)
    #expect(isReadable(interruption.descriptor))
    #expect(isReadable(interruption.descriptor))
  }

  @Test func `no child process inherits the descriptor`() throws {
    let interruption = try Interruption()
    #expect(fcntl(interruption.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func `the first signal requests a stop, the second has its default effect`()
    throws
  {
    signal(SIGWINCH, SIG_IGN)
    let interruption = try Interruption(watching: [SIGURG, SIGWINCH])
    #expect(handler(of: SIGWINCH) == 1)
    #expect(!interruption.isRequested)
    raiseHere(SIGURG)
    #expect(interruption.isRequested)
    #expect(interruption.signal == SIGURG)
    #expect(isReadable(interruption.descriptor))
    #expect(handler(of: SIGURG) > 1)
    raiseHere(SIGURG)
    #expect(handler(of: SIGURG) == 0)
    signal(SIGWINCH, SIG_DFL)
  }

  @Test func `SIGPIPE is ignored unless it is handled`() {
    ignoreFileSizeSignals()
    #expect(handler(of: SIGXFSZ) == 1)
  }
}
