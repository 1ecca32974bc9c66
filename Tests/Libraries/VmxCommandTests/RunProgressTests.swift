import Testing
import VmxModel

@testable import VmxCommand

@Suite struct RunProgressTests {
  private var run = RunProgress()

  private func item(_ id: String, _ held: Int64, of total: Int64?, expected: Int64? = nil)
    -> ProgressItem
  {
    var item = ProgressItem(id: id, part: "video", completedBytes: held, total: total)
    item.expected = expected
    return item
  }

  private func amount(_ sizes: Int64?...) -> WorkAmount {
    sizes.reduce(into: WorkAmount.zero) { $0.add(fileOf: $1) }
  }

  @Test mutating func `the total counts items in work, waiting and finished`() {
    run.begin("a", amount(100, 10))
    run.pending = amount(200, 300)
    #expect(run.files == 4)
    #expect(run.bytes.total == 610)
    run.update(item("a", 50, of: 120, expected: 100))
    #expect(run.files == 4)
    #expect(run.bytes.total == 630)
    #expect(run.percent() == 7)
    _ = run.end { $0.id == "a" }
    #expect((run.endedFiles, run.files) == (1, 4))
  }

  @Test mutating func `an unknown size hides the total, and the percentage counts files`() {
    run.begin("a", amount(nil))
    run.pending = amount(200)
    #expect(run.bytes.total == nil)
    run.update(item("a", 50, of: nil))
    #expect(run.bytes.total == nil)
    run.update(item("a", 50, of: 100))
    #expect(run.bytes.total == 300)
    #expect(run.percent() == 16)
  }

  @Test mutating func `the remaining time takes a file of unknown size for one of mean size`() {
    run.begin("a", amount(100))
    run.pending = amount(300)
    run.update(item("a", 50, of: 100, expected: 100))
    #expect(run.eta(at: 50) == 7000)
    #expect(run.eta(at: nil) == nil)
    run.pending = amount(300, nil)
    #expect(run.eta(at: 50) == 11_000)
    // Without any size there is no estimate, nor while rows may arrive.
    run.pending = nil
    #expect(run.eta(at: 50) == nil)
    var other = RunProgress()
    other.begin("b", amount(nil))
    other.update(item("b", 50, of: nil))
    #expect(other.eta(at: 50) == nil)
  }

  @Test mutating func `the percentage never decreases`() {
    run.begin("a", amount(100))
    run.update(item("a", 50, of: 100, expected: 100))
    #expect(run.percent() == 50)
    run.pending = amount(1000)
    #expect(run.percent() == 50)
    _ = run.end(episode: "a", isFinal: true)
    run.pending = .zero
    #expect(run.percent() == 50)
  }

  // Regression: each attempt at a file whose server asks to wait was counted as one more file.
  @Test mutating func `an episode that is processed again is counted once`() {
    run.begin("a", amount(100, 10))
    run.pending = .zero
    for _ in 0..<3 {
      run.update(item("a", 0, of: nil, expected: 100))
      _ = run.end { $0.id == "a" }
      #expect((run.endedFiles, run.files) == (1, 2))
    }
    _ = run.end(episode: "a", isFinal: false)
    run.begin("a", amount(100, 10))
    #expect((run.endedFiles, run.files) == (0, 2))
    run.update(item("a", 100, of: 100, expected: 100))
    _ = run.end(episode: "a", isFinal: true)
    #expect((run.endedFiles, run.files) == (2, 2))
  }

  @Test mutating func `files that an episode did not need count as done`() {
    run.begin("a", amount(100, nil))
    run.update(item("a", 100, of: 100, expected: 100))
    _ = run.end(episode: "a", isFinal: true)
    #expect((run.endedFiles, run.files) == (2, 2))
    #expect(run.percent() == 100)
  }

  @Test mutating func `while rows may arrive, the number of files is unknown`() {
    run.pending = nil
    run.begin("a", amount(100))
    run.update(item("a", 50, of: 100, expected: 100))
    #expect(run.files == nil && run.percent() == nil)
    run.pending = WorkAmount.zero
    #expect(run.percent() == 50)
  }

  @Test mutating func `bytes held before the run do not count as received`() {
    run.update(item("a", 500, of: 1000))
    run.update(item("a", 700, of: 1000))
    run.update(item("a", 600, of: 1000))
    #expect(run.received == 200)
  }
}
