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

  @Test func `signals are delivered to other threads, faults are not`() throws {
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

  @Test func `starting a thread does not change the signals of its creator`() throws {
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

  @Test func `a deep recursion has enough stack`() throws {
    @Sendable func depth(_ left: Int, _ text: String) -> Int {
      left == 0 ? text.utf8.count : depth(left - 1, text + "x") + 1
    }
    let found = Channel<Int>(capacity: 1)
    let thread = try WorkerThread.start("test") { found.send(depth(5000, "")) }
    thread.join()
    #expect(found.receive() == 10_000)
  }

  @Test(arguments: [0, 1, 2, 500], [1, 4])
  func `values are computed on several threads and received in order`(count: Int, threads: Int) {
    let items = Array(0..<count)
    #expect(
      WorkerThread.map(items, threads: threads, named: "test") { $0 * 2 } == items.map { $0 * 2 })
  }

  @Test func `each thread has its own context`() {
    final class Context { var isUsed = false }
    let clashes = Atomic(0)
    WorkerThread.forEachInOrder(200, threads: 4, named: "test") {
      Context()
    } make: { number, context in
      if context.isUsed { clashes.add(1, ordering: .relaxed) }
      context.isUsed = true
      defer { context.isUsed = false }
      return number
    } take: { _ in
      true
    }
    #expect(clashes.load(ordering: .relaxed) == 0)
  }

  @Test func `the receiver ends the run, and few values are computed without use`() {
    let made = Atomic(0)
    var taken: [Int] = []
    WorkerThread.forEachInOrder(10_000, threads: 2, named: "test") { number in
      made.add(1, ordering: .relaxed)
      return number
    } take: { number in
      taken.append(number)
      return number < 3
    }
    #expect(taken == [0, 1, 2, 3])
    #expect(made.load(ordering: .relaxed) <= 10)
  }

  @Test func `an error of the receiver reaches the caller`() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try WorkerThread.forEachInOrder(100, threads: 2, named: "test") { number in
        number
      } take: { _ in
        throw Refused()
      }
    }
  }
}
