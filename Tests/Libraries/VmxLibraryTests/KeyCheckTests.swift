@testable import VmxLibrary
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

struct KeyCheckTests {
  private func refusal(_ text: String) throws -> Failure? { try refusal(Array(text.utf8)) }

  private func refusal(_ bytes: [UInt8]) throws -> Failure? {
    let scratch = try ScratchFolder()
    try scratch.write("key", bytes)
    do {
      try KeyCheck(now: Timestamp(seconds: 1000)) { $0.description == "show/a" }
        .check(scratch.path("key"), "'key' of 'show/a'")
      return nil
    } catch let failure as Failure {
      return failure
    }
  }

  @Test(arguments: [
    "\u{1}\u{2}opaque", "{\"k\":\"AAAA\"}", "{\"episode\":\"show/a\",\"expires\":1001}",
    "{\"expires\":\"1970-01-01T00:16:41Z\"}", "{\"expires\":\"some day\",\"episode\":\"a film\"}",
    "{\"episode\":7,\"expires\":null}",
  ])
  func `a possible key of the episode is accepted`(text: String) throws {
    #expect(try refusal(text) == nil)
  }

  /// It was taken for malformed JSON, and refused at each attempt.
  @Test(
    arguments: [[0x7B, 0x80, 0xFF, 0x41], [0x7B, 0x00, 0x41, 0x42], [0x7B, 0x7F]] as [[UInt8]])
  func `a binary key that begins like JSON is accepted`(bytes: [UInt8]) throws {
    #expect(try refusal(bytes) == nil)
  }

  @Test(
    arguments: [
      ("<html>log in</html>", .notKey), ("{\"k\":", .notKey),
      ("{\"episode\":\"show/b\"}", .keyForeign), ("{\"expires\":1000}", .keyExpired),
      ("{\"expires\":\"1970-01-01T00:16:40Z\"}", .keyExpired),
    ] as [(String, ErrorCode)])
  func `each error has its code`(text: String, code: ErrorCode) throws {
    #expect(try refusal(text)?.code == code)
  }

  @Test(arguments: [
    "{\"k\":\"SECRET\"", "{\"k\":\"SECRET\",\"episode\":\"secret/SECRET\"}",
    "{\"k\":\"SECRET\",\"episode\":\"secret/b\"}", "{\"k\":\"SECRET\",\"expires\":1}",
  ])
  func `no message contains any part of a key`(text: String) throws {
    let failure = try refusal(text)
    #expect(failure?.summary.lowercased().contains("secret") != true)
  }
}
