import Glibc
import SystemPackage
import Testing
import VmxTestSupport

@testable import VmxSystem

@Suite struct CapturedOutputTests {
  private func captureOutput(
    _ script: String, input: FileDescriptor? = nil, limit: Int = 1000, milliseconds: Int64 = .max,
    or interruption: Interruption? = nil
  ) throws -> SpawnedProgram.CapturedOutput {
    try SpawnedProgram.captureOutput(
      of: ProgramCall(
        "/bin/sh", ["-c", script], environment: ["PATH=/usr/bin:/bin"], input: input), limit: limit,
      until: Deadline(milliseconds: milliseconds), or: interruption)
  }

  private func ended(
    _ ending: SpawnedProgram.Ending, _ output: String, _ errors: String
  ) -> SpawnedProgram.CapturedOutput {
    .ended(ending, output: Array(output.utf8), errors: Array(errors.utf8))
  }

  @Test func `both streams are captured separately`() throws {
    #expect(
      try captureOutput("echo a; echo b >&2; echo c; exit 3") == ended(.exited(3), "a\nc\n", "b\n"))
    #expect(try captureOutput("kill -SEGV $$") == ended(.signalled(SIGSEGV), "", ""))
  }

  @Test func `standard input is the given file, else empty`() throws {
    let file = try MemoryFile("test", holding: Array("film".utf8))
    #expect(try captureOutput("cat", input: file.descriptor) == ended(.exited(0), "film", ""))
    #expect(try captureOutput("cat") == ended(.exited(0), "", ""))
  }

  @Test func `a program that prints too much is stopped, except on standard error`() throws {
    #expect(try captureOutput("printf 12345", limit: 5) == ended(.exited(0), "12345", ""))
    #expect(try captureOutput("while :; do echo 0123456789; done", limit: 25) == .tooMuch)
    let flood = "head -c 300000 /dev/zero | tr '\\0' x >&2; echo ok"
    #expect(try captureOutput(flood, limit: 5) == ended(.exited(0), "ok\n", "xxxxx"))
  }

  @Test(arguments: [
    "sleep 60", "exec >&- 2>&-; sleep 60", "sleep 60 & exit 0", "trap '' TERM; sleep 60",
  ])
  func `a program is ended at its timeout or by an interrupt`(script: String) throws {
    #expect(try captureOutput(script, milliseconds: 100) == .timedOut)
    let interruption = try Interruption()
    interruption.request()
    #expect(try captureOutput(script, or: interruption) == .interrupted)
  }

  @Test func `its child processes end with it`() throws {
    let folder = try ScratchFolder()
    let script = "sleep 60 & echo $! > '\(folder.path("pid"))'; wait"
    // On a loaded machine the shell starts late.
    var limit: Int64 = 300
    repeat {
      #expect(try captureOutput(script, milliseconds: limit) == .timedOut)
      limit *= 4
    } while !folder.exists("pid") && limit < 600_000
    let child = try #require(pid_t(try folder.text("pid").dropLast()))
    let deadline = Deadline(milliseconds: 600_000)
    while !isDead(child), !deadline.isPast { deadline.sleep(nanoseconds: 1_000_000) }
    #expect(isDead(child))
  }

  @Test func `a missing program is reported with its name`() throws {
    #expect(throws: ProcessError.notStarted("/nonexistent", .noSuchFileOrDirectory)) {
      _ = try SpawnedProgram.captureOutput(
        of: ProgramCall("/nonexistent", [], environment: []), limit: 1,
        until: Deadline(milliseconds: .max), or: nil)
    }
  }

  /// Whether a process has ended; a zombie, for which its parent has not waited, counts as ended.
  private func isDead(_ id: pid_t) -> Bool {
    readText(FilePath("/proc/\(id)/stat"))?.contains(") Z ") ?? true
  }
}
