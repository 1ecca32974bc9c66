import Glibc
import SystemPackage
import Testing
import VmxTestSupport

@testable import VmxSystem

@Suite struct ProgramWaitTests {
  private func shell(_ script: String, input: FileDescriptor? = nil) throws -> SpawnedProgram {
    try SpawnedProgram.start(
      ProgramCall("/bin/sh", ["-c", script], environment: ["PATH=/usr/bin:/bin"], input: input),
      leadsGroup: true)
  }

  @Test func `a program that ends by itself is reported with its status`() throws {
    let never = Deadline(milliseconds: .max)
    #expect(try shell("exit 4").wait(until: never, or: nil) == .ended(.exited(4)))
    #expect(
      try shell("kill -USR1 $$").wait(until: never, or: nil) == .ended(.signalled(SIGUSR1)))
  }

  @Test func `a program that times out is ended with all its children`() throws {
    let folder = try ScratchFolder()
    let ready = folder.path("ready")
    let program = try shell("sleep 60 & echo $! > '\(ready)'; wait")
    let start = Deadline(milliseconds: 600_000)
    while !folder.exists("ready"), !start.isPast { start.sleep(nanoseconds: 1_000_000) }
    #expect(program.wait(until: Deadline(milliseconds: 100), or: nil) == .timedOut)
    let child = try #require(pid_t(try folder.text("ready").dropLast()))
    let deadline = Deadline(milliseconds: 600_000)
    while !isDead(child), !deadline.isPast { deadline.sleep(nanoseconds: 1_000_000) }
    #expect(isDead(child))
  }

  @Test func `a program that ignores SIGTERM is killed`() throws {
    let program = try shell("trap '' TERM; while :; do sleep 1; done")
    #expect(program.wait(until: Deadline(milliseconds: 100), or: nil) == .timedOut)
  }

  @Test func `an interruption ends it long before its timeout`() throws {
    let interruption = try Interruption()
    interruption.request()
    let program = try shell("sleep 60")
    #expect(program.wait(until: Deadline(milliseconds: .max), or: interruption) == .interrupted)
  }

  @Test func `no descriptor of ours is open in it, close-on-exec or not`() throws {
    let kept = open("/dev/null", O_RDONLY)
    defer { close(kept) }
    let heard = try SpawnedProgram.captureOutput(
      of: ProgramCall("/bin/sh", ["-c", "/bin/ls /proc/$$/fd; true"], environment: []), limit: 1000,
      until: Deadline(milliseconds: .max))
    #expect(heard == .ended(.exited(0), output: Array("0\n1\n2\n".utf8), errors: []))
  }

  @Test func `a file in memory is read from its beginning to its end`() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try MemoryFile("test", holding: bytes)
    let folder = try ScratchFolder()
    let output = try OpenFile(folder.path("out"), .writeOnly, options: .create)
    let program = try SpawnedProgram.start(
      ProgramCall("/bin/cat", [], environment: [], input: file.descriptor),
      output: output.descriptor)
    #expect(program.wait() == .exited(0))
    #expect(try folder.bytes("out") == bytes)
  }

  /// Whether a process has ended; a zombie, for which its parent has not waited, counts as ended.
  private func isDead(_ id: pid_t) -> Bool {
    readText(FilePath("/proc/\(id)/stat"))?.contains(") Z ") ?? true
  }
}
