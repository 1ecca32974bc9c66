import Testing
import VmxModel
import VmxVerifying

struct TrackTimesTests {
  @Test(
    arguments: [
      // 5 per cent of an hour are three minutes.
      (3_600_000, 3_420_000, false), (3_600_000, 3_419_999, true),
      (3_600_000, 3_780_000, false), (3_600_000, 3_780_001, true),
      // 5 per cent of ten seconds would be half a second: two seconds are allowed.
      (10_000, 8000, false), (10_000, 7999, true), (10_000, 12_000, false), (10_000, 12_001, true),
      (40_000, 38_000, false), (40_001, 38_000, true),
      (1, 1, false), (.max, 1, true), (1, .max, true), (.max, .max, false),
    ] as [(Int64, Int64, Bool)])
  func `a track differs if it exceeds both tolerances`(
    declared: Int64, found: Int64, differs: Bool
  ) {
    let times = TrackTimes([MediaTrack(.video, found)], declared: declared)
    #expect(times.differing.isEmpty == !differs)
  }

  @Test func `only the differing tracks are returned`() {
    let tracks = [
      MediaTrack(.video, 3_600_000), MediaTrack(.audio, nil), MediaTrack(.audio, 41_000),
    ]
    #expect(TrackTimes(tracks, declared: 3_600_000).differing == [tracks[2]])
  }

  @Test func `without a declared duration nothing differs`() {
    #expect(TrackTimes([MediaTrack(.video, 1)], declared: nil).differing.isEmpty)
  }

  @Test func `the text names each track`() {
    let tracks = [MediaTrack(.video, 3_723_000), MediaTrack(.audio, nil)]
    #expect(TrackTimes(tracks, declared: nil).text == "video 1:02:03, audio ?")
    #expect(TrackTimes([], declared: nil).text == "")
  }
}
