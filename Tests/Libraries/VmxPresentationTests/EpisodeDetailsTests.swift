import Testing
import VmxModel
import VmxPresentation

@Suite struct EpisodeDetailsTests {
  private var facts = EpisodeFacts(DueRule(now: Timestamp(seconds: 1_700_000_000)))

  init() {
    facts.folders = ["r": "/media"]
  }

  private func failed() throws -> EpisodeDetails {
    var episode = try sampleEpisode()
    episode.parts[0].state = .failed
    episode.parts[0].code = .httpGone
    episode.parts[0].message = "gone '\u{1b}[2J'"
    episode.appendTransition(
      Transition(
        at: facts.now, part: "video", from: .queued, to: .failed, code: .httpGone))
    return EpisodeDetails(episode, facts)
  }

  @Test func `the details show state, code, parts and trail`() throws {
    let text = try failed().details.text(.pipe)
    for words in [
      "girls/s01e01\n", "state    failed: http-gone\n", "code     http-gone\n",
      "file    /media/Girls/a.mp4\n", "subtitle:en (optional)\n",
      "video: queued → failed (http-gone)\n",
    ] {
      #expect(text.contains(words))
    }
  }

  @Test func `messages of servers contain no terminal control characters`() throws {
    #expect(!(try failed().details.text(.pipe).contains("\u{1b}")))
  }

  @Test func `the record is that of list with trail and reason`() throws {
    let record = try failed().record
    #expect(record["state"] == "failed")
    #expect(record["trail"]?.array?.count == 1)
    #expect(record["why"]?.object?["waits_for"] == "the server does not have the file")
  }

  @Test func `an offered variant shows its duration`() throws {
    var episode = try sampleEpisode()
    let source = Source(url: "http://example.org/b.mp4")
    var variant = Variant(sources: [source])
    variant.duration = 3_723_000
    episode.parts[0].variants.append(variant)
    let sheet = EpisodeDetails(episode, facts)
    #expect(sheet.details.text(.pipe).contains("offered  1:02:03\n"))
    let variants = sheet.record["parts"]?.array?.first?.object?["variants"]?.array
    #expect(variants?.map { $0.object?["duration_ms"] } == [nil, 3_723_000])
  }

  @Test func `the reason alone is short`() throws {
    let keys = try failed().reasonRecord.fields.map(\.key)
    #expect(keys == ["schema", "id", "rev", "want", "state", "code", "lacks", "why"])
  }
}
