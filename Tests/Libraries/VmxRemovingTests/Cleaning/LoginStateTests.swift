@testable import VmxRemoving
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@Suite struct LoginStateTests {
  private let scratch: ScratchFolder
  private let now = Timestamp(seconds: 1000)

  init() throws {
    scratch = try ScratchFolder()
    try scratch.write("store", "a")
  }

  private func cursor() throws -> LoginCursor {
    var cursor = LoginCursor()
    cursor.seen = [
      try LoginCursor.PathState(scratch.path("store")),
      try LoginCursor.PathState(scratch.path("away")),
    ]
    return cursor
  }

  @Test func `nothing is to be done where all is as it was`() throws {
    #expect(try cursor().isCurrent(now: now))
  }

  @Test func `a store that grew is looked at`() throws {
    let cursor = try cursor()
    try scratch.write("store", "ab")
    #expect(try !cursor.isCurrent(now: now))
  }

  @Test func `a root that has come is looked at`() throws {
    let cursor = try cursor()
    try scratch.write("away", "")
    #expect(try !cursor.isCurrent(now: now))
  }

  @Test func `what falls due is done, though nothing has changed`() throws {
    var cursor = try cursor()
    cursor.next = now
    #expect(try !cursor.isCurrent(now: now))
    #expect(try cursor.isCurrent(now: now.adding(milliseconds: -1)))
  }

  @Test func `a look that came to no end goes on`() throws {
    var cursor = try cursor()
    cursor.index = 7
    #expect(try !cursor.isCurrent(now: now))
  }

  @Test func `a cursor is read as it was written`() throws {
    var cursor = try cursor()
    cursor.index = 7
    cursor.next = now
    #expect(LoginCursor(cursor.bytes) == cursor)
  }

  @Test(arguments: ["", "{", "[]", "{\"place\":-1}", "{\"seen\":[{\"size\":\"x\"}]}"])
  func `a file that is no cursor counts as none`(text: String) {
    #expect(LoginCursor(Array(text.utf8)) == LoginCursor())
  }

  @Test func `the log stays small and keeps what is new`() throws {
    let folder = LoginState(scratch.path.appending("state"), of: "/home")
    for number in 0..<3000 {
      folder.report([Failure(.rootAway, "number \(number)\nforged")], at: now)
    }
    let log = try scratch.text("state/clean.log")
    #expect(log.utf8.count <= 64 << 10)
    #expect(log.hasSuffix("number 2999?forged\n"))
    #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("1970-") })
  }
}
