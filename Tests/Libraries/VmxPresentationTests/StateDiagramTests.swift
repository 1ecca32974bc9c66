import Testing
import VmxModel
import VmxPresentation

@Suite struct StateDiagramTests {
  private let diagram = StateDiagram([
    StateMachine<PartState, Int>(
      "transfer", [.partial: Action(to: [.complete, .missing]) { _ in .complete }]
    ).table
  ])

  @Test func `PlantUML has a state for each key and an edge for each outcome`() {
    #expect(
      diagram.text(in: .plantuml) == """
        @startuml
        hide empty description
        state "transfer" as machine_transfer {
          state partial
        }
        state waiting
        state failed
        [*] --> new
        partial --> complete
        partial --> missing
        machine_transfer --> waiting : must wait
        machine_transfer --> failed : failed
        waiting --> queued : resumed
        failed --> queued : retried
        @enduml

        """)
  }

  @Test func `Mermaid has the same edges`() {
    let text = diagram.text(in: .mermaid)
    #expect(text.hasPrefix("stateDiagram-v2\n"))
    #expect(text.contains("  partial --> complete\n"))
  }

  @Test func `JSON has a line for each machine and one for the final states`() {
    #expect(
      diagram.text(in: .json) == """
        {"schema":1,"id":"transfer","row":"machine","states":[{"state":"partial","to":["complete","missing"]}]}
        {"schema":1,"id":"resting","row":"machine","states":[{"state":"waiting","to":["queued"]},{"state":"failed","to":["queued"]}]}

        """)
  }
}
