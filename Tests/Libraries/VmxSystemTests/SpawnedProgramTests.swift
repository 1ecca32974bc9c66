import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct SpawnedProgramTests {
  private func shell(
    _ script: String, _ arguments: [String] = [], environment: [String] = []
  ) throws -> String? {
    let heard = try SpawnedProgram.captureOutput(
      of: ProgramCall("/bin/sh", ["-c", script, "sh"] + arguments, environment: environment),
      limit: 1000,
      until: Deadline(milliseconds: .max))
    guard case .ended(.exited(0), let output, _) = heard else { return nil }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `arguments are passed unchanged`() throws {
    #expect(try shell("printf '%s|' \"$@\"", ["", "a b", "'\"$x", "ä"]) == "|a b|'\"$x|ä|")
  }

  @Test func `the environment is exactly the given one`() throws {
    #expect(try shell("printf '%s' \"$A-$HOME-\"", environment: ["A=1"]) == "1--")
  }

  @Test func `standard input is empty`() throws {
    #expect(try shell("read x; echo $?") == "1\n")
  }

  @Test func `ignored or blocked signals have their default action in it`() throws {
    ignoreFileSizeSignals()
    let printed = Channel<String>(capacity: 1)
    let thread = try WorkerThread.start("spawner") {
      do {
        printed.send(try self.shell("/bin/grep -E '^Sig(Blk|Ign)' /proc/self/status") ?? "")
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

  @Test func `a missing program is reported with its name`() throws {
    #expect(throws: ProcessError.notStarted("/nonexistent", .noSuchFileOrDirectory)) {
      _ = try SpawnedProgram.start(ProgramCall("/nonexistent", [], environment: []))
    }
  }

  @Test func `input and output are the given files`() throws {
    let folder = try ScratchFolder()
    try folder.write("in", "text")
    let input = try OpenFile(folder.path("in"), .readOnly)
    let output = try OpenFile(folder.path("out"), .writeOnly, options: .create)
    let program = try SpawnedProgram.start(
      ProgramCall("/bin/cat", [], environment: [], input: input.descriptor),
      output: output.descriptor)
    #expect(program.wait() == .exited(0))
    #expect(try folder.text("out") == "text")
  }
}
