import Testing
import VmxModel
import VmxPresentation
import VmxVerifying

@testable import vmx_verify

struct VerificationRowTests {
  private func row(
    _ answer: Verdict?, _ result: OperationResult, times: TrackTimes? = nil,
    received: JSONObject = JSONObject()
  ) -> VerificationRow {
    var row = VerificationRow(
      id: "t/a", rev: 7, part: "video", role: .video, result, now: Timestamp(seconds: 60))
    row.root = "1111"
    row.path = "/m/a\u{1B}[31m.mp4"
    row.verdict = answer
    row.segments = [3, 7]
    row.size = ByteCount(clamping: 9)
    row.sha256 = Digest(.sha256, hex: String(repeating: "0a", count: 32))
    row.proof = .length
    row.verifiedAt = Timestamp(seconds: 0)
    row.times = times
    row.received = received
    return row
  }

  private func text(_ object: JSONObject) -> String {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `the record has its fields in their order`() {
    let record = row(.damaged, .failed(Failure(.fileDamaged, "it differs", hint: "mend it")))
      .record(nil)
    #expect(
      record.fields.map(\.key) == [
        "schema", "id", "rev", "part", "role", "root", "path", "relative_path", "answer",
        "segments", "size",
        "sha256", "proof", "proven", "stage", "outcome", "error",
      ])
    #expect(text(record).contains(#""segments":[3,7]"#))
    #expect(text(record).contains(#""proven":"1970-01-01T00:00:00.000Z""#))
  }

  @Test func `tracks are printed on request`() throws {
    let tracks = [MediaTrack(.video, 41_000), MediaTrack(.audio, nil)]
    let row = row(.damaged, .done, times: TrackTimes(tracks, declared: 3_723_000))
    #expect(
      text(row.record([.tracks, .declared]))
        == #"{"schema":1,"id":"t/a","tracks":[{"type":"video","duration_ms":41000},"#
        + #"{"type":"audio"}],"declared_ms":3723000}"#)
    #expect(row.exact(.tracks) == "video=41000,audio=")
    #expect(row.exact(.declared) == "3723000")
    #expect(row.cell(.declared).text == "1:02:03")
    let line = try #require(row.line(TerminalFacts(isTerminal: true, width: 120)))
    #expect(line.contains("  video  video 0:41, audio ?  /m/"))
  }

  @Test func `a file without tracks differs from one that was not probed`() {
    let empty = row(.damaged, .done, times: TrackTimes([], declared: nil))
    #expect(text(empty.record([.tracks, .declared])) == #"{"schema":1,"id":"t/a","tracks":[]}"#)
    #expect(text(row(.intact, .done).record([.tracks])) == #"{"schema":1,"id":"t/a"}"#)
  }

  @Test func `unknown fields of the input row are passed on, known ones are not`() {
    var received = JSONObject()
    for (key, value) in [("note", "mine"), ("state", "ready"), ("answer", "lost")] {
      received.append(key, value)
    }
    let record = row(.intact, .done, received: received).record(nil)
    #expect(record["note"]?.string == "mine")
    #expect(record["state"] == nil)
    #expect(record["answer"]?.string == "intact")
  }

  @Test func `only the requested fields are present`() {
    let record = row(.intact, .done).record([.verdict])
    #expect(text(record) == #"{"schema":1,"id":"t/a","answer":"intact"}"#)
  }

  @Test func `a line for users has no control characters`() throws {
    let line = try #require(
      row(.damaged, .done).line(TerminalFacts(isTerminal: true, width: 80)))
    #expect(line.hasPrefix("damaged"))
    #expect(!line.contains("\u{1B}"))
  }
}
