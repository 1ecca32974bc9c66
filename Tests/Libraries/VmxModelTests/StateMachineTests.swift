import Testing
import VmxModel

struct StateMachineTests {
  @Test func `a table returns the action and the outcomes of a state`() throws {
    let machine = StateMachine<PartState, Int>(
      "counting",
      [
        .new: Action(to: [.queued]) { count in
          count += 1
          return .queued
        }
      ])
    var count = 0
    let action = try #require(machine.actions[.new])
    #expect(machine.name == "counting")
    #expect(action.outcomes == [.queued])
    #expect(try action.perform(&count) == .queued)
    #expect(count == 1)
    #expect(machine.actions[.ready] == nil)
  }
}
