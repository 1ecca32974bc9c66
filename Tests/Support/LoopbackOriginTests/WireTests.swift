import Glibc
import Testing
import VmxTestSupport

/// The bytes on the wire, read by a client that does not parse HTTP.
@Suite struct WireTests {
  private let origin: LoopbackOrigin
  private let film: [UInt8]

  init() throws {
    origin = try LoopbackOrigin(films: ["a.mp4": 100_000, "a.mp4@2": 100_000])
    film = try origin.bytes(of: "a.mp4")
  }

  @Test func `a plain request gets the whole file and its validators`() throws {
    let answer = try get("/a.mp4")
    #expect(answer.body == film)
    #expect(answer.status == "200" && answer["etag"]?.hasPrefix("\"") == true)
    #expect(answer["last-modified"] == "Sun, 13 Sep 2020 12:26:40 GMT")
  }

  @Test(arguments: [
    ("bytes=10-19", 10..<20), ("bytes=99990-", 99_990..<100_000), ("bytes=-5", 99_995..<100_000),
    ("bytes=99990-200000", 99_990..<100_000),
  ])
  func `a range is answered with these bytes`(range: String, bytes: Range<Int>) throws {
    let answer = try get("/a.mp4", "Range: \(range)")
    #expect(answer.status == "206" && answer.body == Array(film[bytes]))
    #expect(
      answer["content-range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/100000")
  }

  @Test func `a range of another version is answered with the whole`() throws {
    let answer = try get("/a.mp4", "Range: bytes=10-19", "If-Range: \"other\"")
    #expect(answer.status == "200" && answer.body == film)
  }

  @Test func `a range of this version is answered`() throws {
    let tag = try #require(try get("/a.mp4")["etag"])
    #expect(try get("/a.mp4", "Range: bytes=10-19", "If-Range: \(tag)").status == "206")
  }

  @Test func `a range beyond the end tells the size`() throws {
    let answer = try get("/a.mp4", "Range: bytes=100000-")
    #expect(answer.status == "416" && answer["content-range"] == "bytes */100000")
  }

  @Test func `cut ends the stream after so many bytes`() throws {
    let answer = try get("/a.mp4?fault=cut:70001")
    #expect(answer.body == Array(film[..<70_001]) && answer.end == .finished)
    #expect(answer["content-length"] == "100000")
  }

  @Test func `reset delivers so many bytes and resets`() throws {
    let answer = try get("/a.mp4?fault=reset:70001")
    #expect(answer.body == Array(film[..<70_001]) && answer.end == .reset)
  }

  @Test func `a rule acts so many times after so many requests`() throws {
    let target = "/a.mp4?fault=status:503&after=1&times=2"
    let statuses = try (0..<4).map { _ in try get(target).status }
    #expect(statuses == ["200", "503", "503", "200"])
  }

  @Test func `swap changes bytes and ETag`() throws {
    let second = try origin.bytes(of: "a.mp4@2")
    let answers = try (0..<2).map { _ in try get("/a.mp4?fault=swap&after=1") }
    #expect(answers[0].body == film && answers[1].body == second)
    #expect(answers[0]["etag"] != answers[1]["etag"])
  }

  @Test func `an answer is in the log as soon as it has come`() throws {
    _ = try get("/a.mp4?fault=cut:5", "Authorization: Basic eDp5")
    let request = try #require(try origin.requests().last)
    #expect(request.sent == 5 && request.ended == "cut" && request.hasAuthorization)
  }

  @Test func `a request that comes too early makes the time begin anew`() throws {
    let target = "/a.mp4?fault=patience:3600"
    #expect(try get(target).status == "429")
    #expect(try get(target)["retry-after"] == "3600")
    #expect(try origin.requests().map(\.isEarly) == [false, true])
  }

  @Test func `an unknown fault is told, not ignored`() throws {
    #expect(try get("/a.mp4?fault=nonsense").status == "500")
  }

  private func get(_ target: String, _ fields: String...) throws -> RawAnswer {
    try RawAnswer(from: origin.url, target, fields)
  }
}
