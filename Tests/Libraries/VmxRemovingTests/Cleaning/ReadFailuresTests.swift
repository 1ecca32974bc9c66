@testable import VmxRemoving
import SystemPackage
import Testing
import VmxModel
import VmxSystem

@Suite struct ReadFailuresTests {
  private let failures = ReadFailures()
  private let error = FileError.failed(.list, "a", .ioError)

  @Test func `a folder covers what is below it, and no folder whose name begins alike`() {
    failures.add(error, at: PathBytes("Show"))
    #expect(failures.covers(PathBytes("Show")) && failures.covers(PathBytes("Show/a.mp4")))
    #expect(!failures.covers(PathBytes("Shows/a.mp4")) && !failures.covers(PathBytes("Sho")))
  }

  @Test func `a path below one that failed is not told of again`() {
    failures.add(error, at: PathBytes("Show"))
    failures.add(error, at: PathBytes("Show/Season 01"))
    failures.add(error, at: PathBytes([]))
    #expect(failures.entries.map(\.path.displayText) == ["Show", ""])
  }

  @Test func `an attempt keeps the error of a file and goes on`() throws {
    let error = error
    #expect(try failures.attempt(at: PathBytes("a")) { () -> Int in throw error } == nil)
    #expect(try failures.attempt(at: PathBytes("b")) { 5 } == 5)
    #expect(failures.entries.map(\.failure.code) == [.mediaUnwritable])
    #expect(throws: Failure.self) {
      try failures.attempt(at: PathBytes("c")) { throw Failure(.storeDamaged, "other") }
    }
  }
}
