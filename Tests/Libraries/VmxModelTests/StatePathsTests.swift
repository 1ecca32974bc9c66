import Testing
import VmxModel

@Suite struct StatePathsTests {
  private let paths = StatePaths([
    StateTable(
      name: "transfer",
      outcomes: [
        .new: [.queued], .queued: [.probed, .complete], .probed: [.partial],
        .partial: [.complete, .queued],
      ])
  ])

  /// The trail of a video that passes through these states, a second apart.
  private func trail(_ states: PartState..., part: String = "video") -> [Transition] {
    zip(states, states.dropFirst()).enumerated().map { index, step in
      Transition(
        at: Timestamp(seconds: Int64(index)), part: part, from: step.0, to: step.1)
    }
  }

  @Test func `a trail along the rows has no fault`() {
    #expect(paths.faults(in: []) == [])
    #expect(paths.faults(in: trail(.new, .queued, .probed, .partial, .complete)) == [])
    #expect(paths.faults(in: trail(.partial, .queued, .probed)) == [])
  }

  @Test func `a step without a row is named`() {
    #expect(
      paths.faults(in: trail(.new, .queued, .partial, .complete)) == [
        TrailFault(.row, part: "video", from: .queued, to: .partial)
      ])
    #expect(
      TrailFault(.row, part: "video", from: .queued, to: .partial).summary
        == "the state tables have no row from 'queued' to 'partial'")
  }

  @Test func `a gap is named by the step that would close it`() {
    let gap = trail(.new, .queued) + trail(.partial, .complete)
    #expect(
      paths.faults(in: gap) == [TrailFault(.step, part: "video", from: .queued, to: .partial)])
    #expect(
      TrailFault(.step, part: "video", from: .queued, to: .partial).summary
        == "the trail has no step from 'queued' to 'partial'")
  }

  @Test func `parts are followed one by one`() {
    let video = trail(.new, .queued, .probed)
    let image = trail(.new, .queued, .complete, part: "image")
    #expect(paths.faults(in: [video[0], image[0], video[1], image[1]]) == [])
  }

  @Test func `work that stopped goes on from where it stopped, or from the event after it`() {
    #expect(paths.faults(in: trail(.probed, .partial, .failed) + trail(.partial, .complete)) == [])
    #expect(paths.faults(in: trail(.probed, .partial, .waiting, .queued, .probed)) == [])
    #expect(
      paths.faults(in: trail(.probed, .partial, .failed) + trail(.probed, .partial)) == [
        TrailFault(.step, part: "video", from: .failed, to: .probed)
      ])
  }

  @Test func `an undo begins at removed behind any step`() {
    #expect(paths.faults(in: trail(.new, .ready) + trail(.removed, .ready)) == [])
    #expect(paths.faults(in: trail(.new, .queued) + trail(.removed, .partial)) == [])
  }

  @Test func `the usual edges of an event are among its rows`() {
    for event in StateEvent.all {
      for edge in event.usual {
        #expect(event.from.contains(edge.from) && event.to.contains(edge.to), "\(event.name)")
      }
    }
  }

  @Test func `only the rows of a table lead forward to the bytes and their check`() {
    let none = StatePaths([])
    for state in PartState.allCases where state != .removed && !state.isBeingRemoved {
      for next in [PartState.probed, .partial, .checked] { #expect(!none.allows(state, next)) }
    }
    #expect(!none.allows(.new, .queued))
    #expect(!none.allows(.ready, .queued))
  }
}
