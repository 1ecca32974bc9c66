@testable import VmxQueueing
import Testing
import VmxModel

struct ReadyQueueTests {
  private func episode(_ name: String, priority: Int64 = 0, place: Int64 = 0) throws -> Episode {
    var episode = Episode(
      id: try EpisodeID("show/\(name)"), title: name, showTitle: "Show",
      added: Timestamp(seconds: 0), parts: [])
    episode.priority = priority
    episode.place = place
    return episode
  }

  private func line(_ names: String...) throws -> ReadyQueue {
    var line = ReadyQueue()
    for name in names { line.begin(with: try episode(name), .zero, isFavourite: false) }
    line.arrange()
    return line
  }

  private func rest(of line: inout ReadyQueue) -> [String] {
    var names: [String] = []
    while let id = line.next({ _ in true }) { names.append(id.episode) }
    return names
  }

  @Test func `equal items stay in insertion order`() throws {
    var line = try line("c", "a", "b")
    #expect(rest(of: &line) == ["c", "a", "b"])
    #expect(line.isEmpty)
  }

  @Test func `a requeued item gets the position in its current record, once`() throws {
    var line = try line("a", "b", "c")
    line.enqueue(try episode("c", priority: 1), .zero, isFavourite: false)
    line.enqueue(try episode("b", priority: 2), .zero, isFavourite: false)
    line.enqueue(try episode("b", priority: -1), .zero, isFavourite: false)
    #expect(rest(of: &line) == ["c", "a", "b"])
  }

  @Test func `an item that left the queue is skipped`() throws {
    var line = try line("a", "b", "c")
    line.remove(try EpisodeID("show/b"))
    line.enqueue(try episode("d", place: -1), .zero, isFavourite: false)
    line.remove(try EpisodeID("show/d"))
    #expect(rest(of: &line) == ["a", "c"])
  }

  @Test func `an item that is not available yet keeps its turn`() throws {
    var line = try line("a", "b")
    #expect(line.next { $0.episode != "a" }?.episode == "b")
    #expect(line.next { $0.episode != "a" } == nil)
    #expect(!line.isEmpty)
    #expect(rest(of: &line) == ["a"])
  }
}
