import Testing

@testable import VmxTransfer

@Suite struct SegmentRunsTests {
  @Test func `a run takes what follows it and nothing else`() {
    var runs = SegmentRuns()
    runs.begin(in: 3, after: [1, 2])
    let start = 3 * SegmentMap.size
    #expect(runs.follow(start + 2))
    #expect(!runs.follow(start))
    [UInt8(3)].withUnsafeBytes { _ = runs.update($0, at: start) }
    #expect(runs.follow(start + 2))
  }

  @Test func `of too many runs the one that rested longest is forgotten`() {
    var runs = SegmentRuns()
    for index in 0..<SegmentRuns.limit { runs.begin(in: index, after: []) }
    [UInt8(0)].withUnsafeBytes { _ = runs.update($0, at: 0) }
    runs.begin(in: SegmentRuns.limit, after: [])
    #expect(runs.follow(1))
    #expect(!runs.follow(SegmentMap.size))
    #expect(runs.follow(2 * SegmentMap.size))
  }
}
