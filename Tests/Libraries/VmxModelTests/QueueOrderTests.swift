import Testing
import VmxModel

struct QueueOrderTests {
  private static let usual = QueueOrder(priority: 0, isFavourite: false, place: 10, line: 5)

  private static func usual(_ change: (inout QueueOrder) -> Void) -> QueueOrder {
    var order = usual
    change(&order)
    return order
  }

  @Test(arguments: [
    usual { $0.priority = 1 }, usual { $0.isFavourite = true }, usual { $0.place = 9 },
    usual { $0.line = 4 }, QueueOrder(priority: 1, isFavourite: false, place: 99, line: 99),
    QueueOrder(priority: 0, isFavourite: true, place: 99, line: 99),
    QueueOrder(priority: 0, isFavourite: false, place: 9, line: 99),
  ])
  func `each rule decides only if the previous ones are equal`(first: QueueOrder) {
    #expect(first < Self.usual)
    #expect(!(Self.usual < first))
  }

  @Test func `no item precedes itself`() {
    #expect(!(Self.usual < Self.usual))
  }

  @Test func `without a position the time of adding decides`() {
    var episode = Episode(
      id: EpisodeID(show: .episode(season: 1, number: 1), episode: .episode(season: 1, number: 1)),
      title: "", showTitle: "",
      added: Timestamp(milliseconds: 3), parts: [])
    #expect(episode.resolvedPlace == 3_000_000)
    episode.place = -1
    #expect(QueueOrder(of: episode, isFavourite: false, line: 0).place == -1)
    #expect(Timestamp(milliseconds: .max).nanoseconds == .max)
    #expect(Timestamp(milliseconds: .min).nanoseconds == .min)
  }

  @Test func `position and predecessors are restored, and an invalid id is not waited for`()
    throws
  {
    var object = JSONObject()
    object.append("place", .integer(7))
    object.append("after", .array([.string("a/b"), .string("nonsense")]))
    let episode = try Episode(record: object, id: try EpisodeID("a/c"), rev: 1)
    #expect(episode.place == 7)
    #expect(episode.after == [try EpisodeID("a/b")])
    #expect(try Episode(record: episode.record, id: episode.id, rev: 1) == episode)
  }

  @Test(arguments: [
    (Want.fetch, PartState.partial, true), (.hold, .failed, true), (.fetch, .ready, false),
    (.none, .partial, false), (.gone, .removed, false),
  ])
  func `only a wanted episode that is not ready holds others`(
    want: Want, state: PartState, holds: Bool
  ) throws {
    var part = Part(role: .video, variants: [])
    part.state = state
    var episode = Episode(
      id: try EpisodeID("a/b"), title: "", showTitle: "", added: Timestamp(seconds: 0),
      parts: [part])
    episode.want = want
    #expect(episode.blocksDependents == holds)
  }
}
