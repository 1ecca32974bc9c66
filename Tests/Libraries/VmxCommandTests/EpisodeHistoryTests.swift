import Testing
import VmxCommand
import VmxModel
import VmxPresentation
import VmxTestSupport

struct EpisodeHistoryTests {
  private static let now = Timestamp(seconds: 1_700_000_000)

  private func episode(_ id: String, _ steps: (Int64, PartState, ErrorCode?)...) throws -> Episode {
    var episode = Episode(
      id: try EpisodeID(id), title: "T", showTitle: "S", added: Self.now,
      parts: [Part(role: .video, variants: [])])
    for (ago, to, code) in steps {
      let at = Self.now.adding(milliseconds: -ago)
      episode.appendTransition(Transition(at: at, part: "video", from: .queued, to: to, code: code))
    }
    return episode
  }

  private func lines(limit: Int = .max, since: Int64? = nil) throws -> [String] {
    let begin = since.map { Self.now.adding(milliseconds: -$0) }
    var history = EpisodeHistory(since: begin, now: Self.now)
    history.add(try episode("a/one", (9000, .probed, nil), (8000, .failed, .httpGone)))
    history.add(try episode("a/two", (8500, .waiting, .outsideWindow), (500, .ready, nil)))
    history.add(try episode("a/three", (100, .removed, nil)))
    var lines: [String] = []
    history.forEach(limit: limit) { row in
      lines.append("\(row.exact(.id)) \(row.exact(.to)) \(row.exact(.code))")
    }
    return lines
  }

  @Test func `events are listed in order of time`() throws {
    #expect(
      try lines() == [
        "a/two waiting outside-window", "a/one failed http-gone", "a/two ready ",
        "a/three removed ",
      ])
  }

  @Test func `a limit keeps the newest`() throws {
    #expect(try lines(limit: 2) == ["a/two ready ", "a/three removed "])
    #expect(try lines(limit: 0).isEmpty)
  }

  @Test func `events before the start time are left out`() throws {
    #expect(try lines(since: 500) == ["a/two ready ", "a/three removed "])
  }

  @Test func `a part name with line breaks is harmless`() throws {
    var episode = try episode("a/one")
    episode.appendTransition(Transition(at: Self.now, part: "vid\neo", from: .queued, to: .ready))
    var history = EpisodeHistory(since: nil, now: Self.now)
    history.add(episode)
    history.forEach(limit: 9) { row in
      #expect(row.exact(.part) == "vid\neo" && row.exact(.to) == "ready")
    }
  }

  @Test func `times are days, timestamps and durations`() throws {
    let clock = FixedClock()
    func read(_ text: String) throws -> String {
      try Timestamp(argument: text, now: clock.now, FixedZone(minutes: 60)).text
    }
    #expect(try read("2026-11-01") == "2026-10-31T23:00:00.000Z")
    #expect(try read("2026-11-01T18:00:00Z") == "2026-11-01T18:00:00.000Z")
    #expect(try read("1h") == "2023-11-14T21:13:20.000Z")
    for text in ["", "yesterday", "2026-11-31", "-3d"] {
      #expect(throws: Failure.self) { try read(text) }
    }
  }
}
