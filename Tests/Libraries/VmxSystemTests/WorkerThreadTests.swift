import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import VmxSystem

@Suite struct WorkerThreadTests {
  @Test func `joining waits for the end`() throws {
    let done = Mutex(false)
    let gate = Channel<Bool>(capacity: 1)
    let thread = try WorkerThread.start("test") {
      _ = gate.receive()
      done.withLock { $0 = true }
    }
    gate.send(true)
    thread.join()
    thread.join()
    #expect(done.withLock { $0 })
  }

  @Test func `a detached thread runs to its end`() throws {
    let ended = Channel<Bool>(capacity: 1)
    _ = try WorkerThread.start("test") { ended.send(true) }
    #expect(ended.receive() == true)
  }

  @Test func `signals go to others, faults do not`() throws {
    let found = Channel<[Int32]>(capacity: 1)
    let thread = try WorkerThread.start("test") {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      found.send((1...31).filter { sigismember(&mask, $0) == 1 })
    }
    thread.join()
    let open = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGSTOP, SIGSYS, SIGTRAP]
    #expect(found.receive() == (1...31).filter { !open.contains($0) })
  }

  @Test func `starting a thread leaves the signals of the starter alone`() throws {
    func mask() -> [Int32] {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return (1...31).filter { sigismember(&mask, $0) == 1 }
    }
    let before = mask()
    let thread = try WorkerThread.start("test") {}
    #expect(mask() == before)
    thread.join()
  }

  @Test func `a thread has its name`() throws {
    let found = Channel<String?>(capacity: 1)
    let thread = try WorkerThread.start("transfer loop of vmx") {
      found.send(readText("/proc/thread-self/comm"))
    }
    thread.join()
    #expect(found.receive() == "transfer loop o\n")
  }

  @Test func `a deep recursion has room`() throws {
    @Sendable func depth(_ left: Int, _ text: String) -> Int {
      left == 0 ? text.utf8.count : depth(left - 1, text + "x") + 1
    }
    let found = Channel<Int>(capacity: 1)
    let thread = try WorkerThread.start("test") { found.send(depth(5000, "")) }
    thread.join()
    #expect(found.receive() == 10_000)
  }
}
