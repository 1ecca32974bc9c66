@testable import VmxVerifying
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

struct VerificationOrderTests {
  @Test func `files never verified come first, then the oldest proof, damaged ones last`() throws {
    let library = try VerifyingLibrary()
    let days: [(String, Int64?, PartState)] = [
      ("t/young", 30, .ready), ("t/lost", nil, .missing), ("t/old", 10, .ready),
      ("t/never", nil, .ready), ("t/away", 1, .queued), ("t/hurt", 1, .damaged),
    ]
    for (id, day, state) in days {
      var episode = try library.add(id, [1])
      episode.parts[0].verifiedAt = day.map { Timestamp(seconds: $0 * 86_400) }
      episode.parts[0].state = state
      try library.store.update(.soon) { [episode] in $0.write(episode) }
    }
    let snapshot = try library.store.snapshot()
    var order = VerificationOrder()
    snapshot.summaries { summary in
      order.add(summary)
      return true
    }
    var ids: [String] = []
    order.forEach(in: snapshot) { item in
      ids.append(item.id.description)
      return true
    }
    #expect(ids == ["t/never", "t/old", "t/young", "t/lost", "t/away", "t/hurt"])
  }

  @Test(arguments: [
    ([3], "3"), ([0, 1, 2], "0-2"), ([0, 2, 3, 9], "0, 2-3, 9"),
    (Array(stride(from: 0, to: 40, by: 2)), "0, 2, 4, 6, 8, 10, 12, 14 and more"),
  ])
  func `segments are printed as runs`(_ segments: [Int], _ text: String) {
    #expect(SegmentVerification.ranges(of: segments) == text)
  }

  @Test func `a budget allows the file that exceeds it, and no other`() throws {
    let library = try VerifyingLibrary()
    let items = try ["t/a", "t/b"].flatMap { id in
      VerificationItem.all(
        of: EpisodeSummary(try library.add(id, [UInt8](repeating: 1, count: 100))))
    }
    var settings = VerificationSettings()
    settings.budget = ByteCount(1)
    let budget = VerificationBudget(settings)
    #expect(items.map { budget.allows($0) } == [true, false])
    settings.budget = nil
    settings.milliseconds = 0
    #expect(!VerificationBudget(settings).allows(items[0]))
  }
}
