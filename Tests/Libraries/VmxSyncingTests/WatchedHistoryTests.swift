import Testing
import VmxModel

@testable import VmxSyncing

/// The actions that a history keeps for the merge.
struct WatchedHistoryTests {
  private func action(
    _ kind: SyncAction.Kind, _ milliseconds: Int64, position: Int64? = nil,
    total: Int64? = 1_000_000
  ) -> SyncAction {
    .sample(kind, at: Timestamp(milliseconds: milliseconds), position: position, total: total)
  }

  /// Returns a random action within a few seconds, so that many are equal or simultaneous.
  private func action(_ random: inout some RandomNumberGenerator) -> SyncAction {
    let at = Int64.random(in: 0..<8000, using: &random) / 250 * 250
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return action(.delete, at)
    case 1, 2: return action(.new, at)
    case 3, 4: return action(.play, at, position: 1_000_000)
    case 5: return action(.play, at, position: 1000)
    case 6: return action(.play, at, position: 100_000 + at, total: nil)
    default:
      let total = Int64.random(in: 1...3, using: &random) * 1_000_000
      return action(.play, at, position: 200_000 + at, total: total)
    }
  }

  @Test func `the kept actions decide all that all actions decide, whatever the library has`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let actions = (0..<Int.random(in: 0..<30, using: &random)).map { _ in action(&random) }
      let kept = WatchedHistory(actions)
      // The steps of all actions, each from a history of its own, in the order of their times.
      let all = actions.flatMap { WatchedHistory([$0]).steps }.enumerated().sorted {
        ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
      }
      for newest in [nil] + (0..<9).map({ Timestamp(seconds: $0) }) {
        for isWatched in [false, true] {
          let position = PlaybackPosition(milliseconds: 5, duration: 77, at: WatchedHistory.now)
          var merge = WatchedMerge(isWatched: isWatched, position: position, newest: newest)
          var whole = merge
          merge.apply(kept)
          whole.apply(all.map(\.element))
          #expect(merge == whole, "\(actions)")
        }
      }
    }
  }

  // Regression: a sync kept all actions of all pages.
  @Test func `few of many actions are kept`() {
    let plays = (0..<10_000).map { action(.play, $0 * 1000, position: 200_000 + $0) }
    #expect(WatchedHistory(plays).steps.count == 1)
    let marks = (0..<10_000).map { action($0 % 2 == 0 ? .new : .play, $0, position: 1_000_000) }
    #expect(WatchedHistory(marks).steps.count == 2)
    let same = Array(repeating: action(.play, 5, position: 1_000_000), count: 10_000)
    #expect(WatchedHistory(same).steps.count == 1)
  }

  @Test func `of very many equal marks the first has the time of the mark`() {
    let history = WatchedHistory((1...10_000).map { action(.play, $0 * 1000, position: 1_000_000) })
    #expect(history.steps.count == 100)
    var merge = WatchedMerge(isWatched: false, position: nil, newest: nil)
    merge.apply(history)
    #expect(merge.markedAt == Timestamp(seconds: 1))
    #expect(merge.newest == Timestamp(seconds: 10_000))
  }
}
