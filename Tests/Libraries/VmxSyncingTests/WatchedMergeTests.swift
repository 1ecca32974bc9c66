import Testing
import VmxModel

@testable import VmxSyncing

/// The effects of the actions of other devices on an episode.
struct WatchedMergeTests {
  private func action(
    _ kind: SyncAction.Kind, _ seconds: Int64, position: Int64? = nil, total: Int64? = 1_000_000
  ) -> SyncAction {
    .sample(kind, at: Timestamp(seconds: seconds), position: position, total: total)
  }

  private func merge(
    _ actions: [SyncAction], isWatched: Bool = false, newest: Int64? = nil
  ) -> WatchedMerge {
    var merge = WatchedMerge(
      isWatched: isWatched, position: nil, newest: newest.map { Timestamp(seconds: $0) })
    merge.apply(WatchedHistory(actions))
    return merge
  }

  @Test func `a play to nine tenths is watched, a shorter one is a position`() {
    #expect(merge([action(.play, 5, position: 900_000)]).isWatched)
    let part = merge([action(.play, 5, position: 500_000)])
    #expect(!part.isWatched)
    #expect(part.position?.milliseconds == 500_000)
    #expect(part.position?.at == Timestamp(seconds: 5))
  }

  @Test func `the newest own time wins in any options`() {
    let plays = [action(.play, 9, position: 300_000), action(.play, 7, position: 600_000)]
    #expect(merge(plays).position?.milliseconds == 300_000)
    #expect(merge(plays.reversed()).position?.milliseconds == 300_000)
  }

  @Test func `new after the play takes it back, before it does not`() {
    #expect(!merge([action(.new, 9), action(.play, 7, position: 1_000_000)]).isWatched)
    #expect(merge([action(.new, 5), action(.play, 7, position: 1_000_000)]).isWatched)
  }

  @Test func `a part played again leaves the mark`() {
    let merge = merge([action(.play, 5, position: 300_000)], isWatched: true, newest: 4)
    #expect(merge.isWatched)
    #expect(merge.position?.milliseconds == 300_000)
  }

  @Test func `what is known here and newer stays`() {
    #expect(merge([action(.new, 5)], isWatched: true, newest: 5).isWatched)
    #expect(!merge([action(.new, 6)], isWatched: true, newest: 5).isWatched)
  }

  @Test func `an action in the second of the last mark here is not newer`() {
    var merge = WatchedMerge(
      isWatched: true, position: nil, newest: Timestamp(milliseconds: 5100))
    var action = action(.new, 5)
    action.at = Timestamp(milliseconds: 5900)
    merge.apply(WatchedHistory([action]))
    #expect(merge.isWatched)
  }

  @Test func `the time of the mark is that of its action, not of a later one`() {
    let merge = merge([action(.play, 9, position: 300_000), action(.play, 7, position: 1_000_000)])
    #expect(merge.isWatched)
    #expect(merge.markedAt == Timestamp(seconds: 7))
    #expect(merge.newest == Timestamp(seconds: 9))
  }

  @Test func `a time to come counts as now`() {
    let merge = merge([action(.play, 1_900_000_000, position: 1_000_000)])
    #expect(merge.isWatched)
    #expect(merge.newest == WatchedHistory.now)
  }

  @Test func `the same actions again change nothing`() {
    var once = merge([action(.play, 5, position: 500_000), action(.new, 3)])
    let before = once
    once.apply(WatchedHistory([action(.new, 3), action(.play, 5, position: 500_000)]))
    #expect(once == before)
  }

  @Test func `unknown positions, downloads and deletions have no effect`() {
    let merge = merge([action(.play, 5), action(.download, 6), action(.delete, 7)])
    #expect(merge.newest == nil)
  }
}
