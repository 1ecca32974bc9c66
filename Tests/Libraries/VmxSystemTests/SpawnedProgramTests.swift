import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct SpawnedProgramTests {
  private func shell(
    _ script: String, _ arguments: [String] = [], environment: [String] = [], limit: Int = 1000,
    deadline: Deadline? = nil
  ) throws -> SpawnedProgram.Printed {
    try SpawnedProgram.capture(
      "/bin/sh", ["-c", script, "sh"] + arguments, environment: environment, limit: limit,
      deadline: deadline)
  }

  @Test func `what a program prints and how it ends is told`() throws {
    let printed = try shell("printf yes; exit 7")
    #expect(printed.output == Array("yes".utf8))
    #expect(printed.ending == .exited(7))
  }

  @Test func `arguments pass as they are`() throws {
    let printed = try shell("printf '%s|' \"$@\"", ["", "a b", "'\"$x", "ä"])
    #expect(String(decoding: printed.output, as: UTF8.self) == "|a b|'\"$x|ä|")
  }

  @Test func `the environment is the one given and no other`() throws {
    let printed = try shell("printf '%s' \"$A-$HOME-\"", environment: ["A=1"])
    #expect(String(decoding: printed.output, as: UTF8.self) == "1--")
  }

  @Test func `a program that a signal ends is told as such`() throws {
    #expect(try shell("kill -TERM $$").ending == .signalled(SIGTERM))
  }

  @Test func `there is no input`() throws {
    #expect(try shell("read x; echo $?").output == Array("1\n".utf8))
  }

  @Test func `a program that prints too much is stopped`() throws {
    let printed = try shell("while :; do echo 0123456789; done", limit: 25)
    #expect(printed.output == Array("0123456789\n0123456789\n012".utf8))
    #expect(printed.ending == .signalled(SIGKILL))
  }

  @Test func `output of just the limit is not too much`() throws {
    let printed = try shell("printf 12345", limit: 5)
    #expect(printed == .init(ending: .exited(0), output: Array("12345".utf8)))
  }

  @Test func `a program that takes too long is stopped`() throws {
    let printed = try shell("while :; do :; done", deadline: Deadline(milliseconds: 20))
    #expect(printed.ending == .signalled(SIGKILL))
  }

  @Test func `signals that we ignore or hold back are as usual for it`() throws {
    ignoreFileSizeSignals()
    let printed = Channel<String>(capacity: 1)
    let thread = try WorkerThread.start("spawner") {
      do {
        let run = try self.shell("/bin/grep -E '^Sig(Blk|Ign)' /proc/self/status")
        printed.send(String(decoding: run.output, as: UTF8.self))
      } catch {
        printed.close()
      }
    }
    thread.join()
    let text = try #require(printed.receive())
    let masks = text.split(separator: "\n").compactMap {
      UInt64($0.split(separator: "\t").last ?? "", radix: 16)
    }
    #expect(masks.count == 2)
    #expect(masks.first == 0)
    #expect(masks.last.map { $0 & (1 << UInt64(SIGXFSZ - 1)) } == 0)
  }

  @Test func `a program that is not there is named`() throws {
    #expect(throws: ProcessError.notStarted("/nonexistent", .noSuchFileOrDirectory)) {
      _ = try SpawnedProgram.start("/nonexistent", [], environment: [])
    }
  }

  @Test func `input and output are the files given`() throws {
    let folder = try ScratchFolder()
    try folder.write("in", "text")
    let input = try OpenFile(folder.path("in"), .readOnly)
    let output = try OpenFile(folder.path("out"), .writeOnly, options: .create)
    let program = try SpawnedProgram.start(
      "/bin/cat", [], environment: [], input: input.descriptor, output: output.descriptor)
    #expect(program.wait() == .exited(0))
    #expect(try folder.text("out") == "text")
  }
}
