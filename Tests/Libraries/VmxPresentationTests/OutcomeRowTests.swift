import Testing
import VmxModel

@testable import VmxPresentation

@Suite struct OutcomeRowTests {
  private let facts = EpisodeFacts(DueRule(now: Timestamp(seconds: 1_700_000_000)))

  @Test func `unknown fields pass through, known fields are computed again`() throws {
    let received = JSONObject(distinct: [
      ("schema", 1), ("id", "girls/s01e01"), ("title", "Old"), ("mine", 5), ("stage", "add"),
    ])
    let row = OutcomeRow(
      "girls/s01e01", stage: "fetch", .done, episode: EpisodeRow(try sampleEpisode(), facts),
      received: received)
    let record = row.record(nil)
    #expect(record["title"] == "Pilot")
    #expect(record["mine"] == 5)
    #expect(record["stage"] == "fetch")
    #expect(record["outcome"] == "done")
  }

  @Test func `a failed row has its code, message and hint`() {
    let failure = Failure(.noSuchEpisode, "no episode has the id 'a/b'")
    let record = OutcomeRow("a/b", stage: "fetch", .failed(failure), episode: nil).record(nil)
    let error = record["error"]?.object
    #expect(error?["code"] == "no-such-episode")
    #expect(error?["message"] == "no episode has the id 'a/b'")
    #expect(error?["hint"] == "run 'vmx list' for the list of ids")
  }

  @Test func `an unchanged row names the command that removes the obstacle`() {
    let row = OutcomeRow("a/b", stage: "fetch", .unchanged(hint: "resume it"), episode: nil)
    #expect(row.record(nil)["hint"] == "resume it")
  }
}
