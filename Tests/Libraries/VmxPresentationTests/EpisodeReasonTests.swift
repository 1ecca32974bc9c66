import Testing
import VmxModel
import VmxPresentation
import VmxTestSupport

@Suite struct EpisodeReasonTests {
  private let now = Timestamp(seconds: 1_700_000_000)

  private func reason(_ change: (inout Episode) -> Void) throws -> EpisodeReason {
    var episode = try sampleEpisode()
    change(&episode)
    return EpisodeReason(episode, EpisodeFacts(try outsideWindow()))
  }

  /// Returns a rule at 22:13, when the window is closed.
  private func outsideWindow() throws -> DueRule {
    DueRule(now: now, window: try #require(TimeWindow("01:00-06:00")), zone: FixedZone())
  }

  @Test func `a ready episode waits for nothing`() throws {
    let reason = try reason { $0.parts.removeLast() }
    #expect(reason.waitsFor == "ready")
    #expect(reason.release == nil)
  }

  @Test func `a due episode is fetched by the next fetch`() throws {
    let reason = try reason { $0.parts[0].state = .queued }
    #expect(reason.release == "run 'vmx fetch' to fetch it")
  }

  @Test(arguments: [(Want.hold, "on hold"), (.none, "not wanted")])
  func `an unwanted episode is reported as such`(want: Want, words: String) throws {
    let reason = try reason {
      $0.parts[0].state = .queued
      $0.want = want
    }
    #expect(reason.waitsFor == words)
  }

  @Test(arguments: [
    (Want.hold, "'vmx queue resume girls/s01e01'"), (.none, "'vmx queue add girls/s01e01'"),
    (.gone, "'vmx queue add girls/s01e01'"),
  ])
  func `an unwanted episode names the command to request it`(want: Want, command: String) throws {
    let reason = try reason {
      $0.parts[0].state = .queued
      $0.want = want
    }
    #expect(reason.release?.contains(command) == true)
  }

  @Test func `a dependent episode names its predecessor and how to remove the dependency`() throws {
    var episode = try sampleEpisode()
    episode.parts[0].state = .queued
    let other = try EpisodeID("girls/s01e00")
    var facts = EpisodeFacts(DueRule(now: now))
    facts.predecessor = other
    let reason = EpisodeReason(episode, facts)
    #expect(reason.waitsFor == "'girls/s01e00' must be ready first")
    #expect(reason.release?.contains("'vmx queue after \(episode.id) --none'") == true)
  }

  @Test func `an episode in work names its worker, start and progress`() throws {
    var episode = try sampleEpisode()
    episode.parts[0].state = .partial
    var facts = EpisodeFacts(DueRule(now: now))
    let progress = ByteProgress(completedBytes: 43, total: 100, rate: nil)
    var work = StatusItem(id: "girls/s01e01", part: "video", progress: progress, at: now)
    (work.pid, work.host, work.since) = (77, "den", now.adding(milliseconds: -120_000))
    facts.work = work
    let words = EpisodeReason(episode, facts).waitsFor
    #expect(words.hasPrefix("in progress: process 77 on 'den' since 2023-11-14T22:11:20"))
    #expect(words.hasSuffix("video, 43%"))
    #expect(StateText.state(of: episode, facts).text == "in work 43%")
    #expect(StateText.summary(of: episode, facts).text == "downloading 43%")
    let record = EpisodeDetails(episode, facts).reasonRecord
    #expect(record["work"]?.object?["pid"]?.integer == 77)
  }

  @Test func `an episode with a ready predecessor is not held`() throws {
    let reason = try reason {
      $0.parts[0].state = .waiting
      $0.parts[0].reason = .after
    }
    #expect(reason.release == "run 'vmx fetch' to fetch it")
  }

  @Test func `a waiting episode names the time at which it continues`() throws {
    let reason = try reason {
      $0.parts[0].state = .waiting
      $0.parts[0].reason = .backoff
      $0.parts[0].until = now.adding(milliseconds: 60_000)
    }
    #expect(reason.waitsFor == "the server asked to wait")
    #expect(reason.release?.contains("(in 1m00s)") == true)
  }

  @Test(arguments: [WaitReason.window, .quota])
  func `an episode held until a time is not offered immediately`(wait: WaitReason) throws {
    let reason = try reason {
      $0.parts[0].state = .waiting
      $0.parts[0].reason = wait
      $0.parts[0].until = now.adding(milliseconds: 60_000)
    }
    #expect(reason.release?.contains("(in 1m00s)") == true)
    #expect(reason.release?.contains("at once") == false)
    #expect(reason.release?.contains("network.") == true)
  }

  @Test func `a full library is distinguished from a network without remaining bytes`() throws {
    let reason = try reason {
      $0.parts[0].state = .waiting
      $0.parts[0].reason = .quota
      $0.parts[0].code = .quotaReached
    }
    #expect(reason.waitsFor == "the library has reached its quota")
    #expect(reason.release == ErrorCode.quotaReached.entry.hint)
  }

  @Test func `a permanently failed episode names the command that retries it`() throws {
    let reason = try reason {
      $0.parts[0].state = .failed
      $0.parts[0].code = .httpGone
    }
    #expect(reason.waitsFor == ErrorCode.httpGone.entry.sentence)
    #expect(reason.release?.contains("'vmx fetch girls/s01e01'") == true)
  }

  @Test func `every reason for waiting has its own text`() throws {
    let words = try WaitReason.allCases.map { wait in
      try reason {
        $0.parts[0].state = .waiting
        $0.parts[0].reason = wait
      }.waitsFor
    }
    #expect(Set(words).count == WaitReason.allCases.count)
  }
}
