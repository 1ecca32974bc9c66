package import VmxModel

/// The state diagram, generated from the tables of the state machines.
///
/// It also shows the rules that hold for all machines: an action that throws leads to `waiting` or
/// `failed`, and both continue through `queued`.
package struct StateDiagram: Sendable {
  /// The output languages.
  package enum Language: String, Sendable, CaseIterable {
    case plantuml, mermaid, dot, json
  }

  /// One machine: its states and their possible successors.
  struct Machine: Sendable, Equatable {
    let name: String
    let steps: [Step]
  }

  /// A state of a machine and the possible successors after its action.
  struct Step: Sendable, Equatable {
    let from: PartState
    let to: [PartState]
  }

  private let machines: [Machine]
  private let resting: [PartState]
  private let events: [Event]
  private let licence: [LicenceStep]

  /// A licence state and its successors after its action; none for a resting state.
  private typealias LicenceStep = (from: LicenceState, to: [LicenceState])

  /// A transition between two states without an action.
  private typealias Event = (from: PartState, to: PartState, why: String)

  /// Creates the diagram of the given machines; states are in the order of their declaration.
  ///
  /// - Parameter licence: the table of licence states. They are drawn separately, since their names
  ///   overlap with those of the other states.
  package init(_ machines: [StateTable<PartState>], licence: StateTable<LicenceState>? = nil) {
    self.licence =
      licence.map { table in
        LicenceState.allCases.map { state in
          (state, LicenceState.allCases.filter { table.outcomes[state]?.contains($0) ?? false })
        }
      } ?? []
    self.machines = machines.map { machine in
      let steps = PartState.allCases.compactMap { state in
        machine.outcomes[state].map { outcomes in
          Step(from: state, to: PartState.allCases.filter(outcomes.contains))
        }
      }
      return Machine(name: machine.name, steps: steps)
    }
    let handled = Set(machines.flatMap { $0.outcomes.keys })
    let reached = Set(machines.flatMap { $0.outcomes.values.flatMap(\.self) })
    let named = handled.union(reached).union([.waiting, .failed])
    resting = PartState.allCases.filter { $0.awaitsEvent && named.contains($0) }
    // A stopped part always continues through `queued`, even if no table contains that state.
    let known = named.union([.queued])
    events = StateEvent.all.flatMap { event in
      event.usual.map { ($0.from, $0.to, event.name) }
    }.filter { named.contains($0.from) && known.contains($0.to) }
  }

  /// Returns the diagram in a language, with a final line end. JSON has one line for each machine
  /// and one for the resting states.
  package func text(in language: Language) -> String {
    switch language {
    case .plantuml: plantUML
    case .mermaid: mermaid
    case .dot: dot
    case .json: json
    }
  }

  private var plantUML: String {
    var lines = ["@startuml", "hide empty description"]
    for machine in machines {
      lines.append("state \"\(machine.name)\" as machine_\(machine.name) {")
      lines += machine.steps.map { "  state \($0.from.rawValue)" }
      lines.append("}")
    }
    lines += resting.map { "state \($0.rawValue)" }
    lines.append("[*] --> \(PartState.new.rawValue)")
    lines += edges(machinePrefix: "machine_")
    lines += licenceBlock
    lines.append("@enduml")
    return lines.joined(separator: "\n") + "\n"
  }

  private var mermaid: String {
    var lines = ["stateDiagram-v2"]
    for machine in machines {
      lines.append("  state \"\(machine.name)\" as machine_\(machine.name) {")
      lines += machine.steps.map { "    \($0.from.rawValue)" }
      lines.append("  }")
    }
    lines.append("  [*] --> \(PartState.new.rawValue)")
    lines += edges(machinePrefix: "machine_").map { "  \($0)" }
    lines += licenceBlock.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The machines as clusters for Graphviz; `dot` draws an edge from a cluster only with a node in
  /// it, so `waiting` and `failed` are reached from the first state of each machine.
  private var dot: String {
    var lines = ["digraph vmx {", "  rankdir=LR; compound=true; node [shape=box, style=rounded];"]
    for machine in machines {
      lines.append("  subgraph cluster_\(machine.name) {")
      lines.append("    label=\"\(machine.name)\";")
      lines += machine.steps.map { "    \($0.from.rawValue);" }
      lines.append("  }")
    }
    lines += resting.map { "  \($0.rawValue);" }
    lines += ["  start [shape=point];", "  start -> \(PartState.new.rawValue);"]
    for machine in machines {
      for step in machine.steps {
        lines += step.to.map { "  \(step.from.rawValue) -> \($0.rawValue);" }
      }
      guard let first = machine.steps.first?.from.rawValue else { continue }
      for (to, why) in [("waiting", "must wait"), ("failed", "failed")] {
        lines.append("  \(first) -> \(to) [ltail=cluster_\(machine.name), label=\"\(why)\"];")
      }
    }
    lines += events.map {
      "  \($0.from.rawValue) -> \($0.to.rawValue) [label=\"\($0.why)\", style=dashed];"
    }
    if !licence.isEmpty {
      lines += ["  subgraph cluster_licence {", "    label=\"licence\";"]
      lines += licenceEdges.flatMap { edge in
        let label = edge.why.map { " [label=\"\($0)\"]" } ?? ""
        return ["    licence_\(edge.from.rawValue) -> licence_\(edge.to.rawValue)\(label);"]
      }
      lines += licence.map {
        "    licence_\($0.from.rawValue) [label=\"\($0.from.rawValue)\"];"
      }
      lines.append("  }")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The transitions of the licence states.
  private var licenceEdges: [(from: LicenceState, to: LicenceState, why: String?)] {
    licence.flatMap { step in
      var edges = step.to.map { (from: step.from, to: $0, why: String?.none) }
      if step.from.awaitsEvent {
        edges.append((step.from, .checking, "next run"))
      } else if !step.to.allSatisfy(\.awaitsEvent) {
        edges.append((step.from, .waiting, "failed"))
      }
      return edges
    }
  }

  /// The licence states as one composite state, for PlantUML and Mermaid.
  private var licenceBlock: [String] {
    guard !licence.isEmpty else { return [] }
    func name(_ state: LicenceState) -> String { "licence_\(state.rawValue)" }
    var lines = ["state \"licence\" as machine_licence {"]
    lines += licence.map { "  state \"\($0.from.rawValue)\" as \(name($0.from))" }
    lines += licenceEdges.map { edge in
      "  \(name(edge.from)) --> \(name(edge.to))\(edge.why.map { " : \($0)" } ?? "")"
    }
    return lines + ["}"]
  }

  private func edges(machinePrefix: String) -> [String] {
    var edges: [String] = []
    for step in machines.flatMap(\.steps) {
      edges += step.to.map { "\(step.from.rawValue) --> \($0.rawValue)" }
    }
    for machine in machines {
      edges.append("\(machinePrefix)\(machine.name) --> waiting : must wait")
      edges.append("\(machinePrefix)\(machine.name) --> failed : failed")
    }
    return edges + events.map { "\($0.from.rawValue) --> \($0.to.rawValue) : \($0.why)" }
  }

  private var json: String {
    var lines: [JSONObject] = machines.map { machine in
      var object = EpisodeJSON.head(machine.name, .machine)
      let states = machine.steps.map { step in
        JSONValue.object(
          JSONObject(distinct: [
            ("state", .string(step.from.rawValue)),
            ("to", .array(step.to.map { .string($0.rawValue) })),
          ]))
      }
      object.append("states", .array(states))
      return object
    }
    var rest = EpisodeJSON.head("resting", .machine)
    rest.append("states", .array(resting.map { .object(atRest($0)) }))
    lines.append(rest)
    lines += licenceLines
    return lines.map { JSONValue.object($0).text + "\n" }.joined()
  }

  /// The licence states: one line for the machine and one for its resting states.
  private var licenceLines: [JSONObject] {
    guard !licence.isEmpty else { return [] }
    func line(_ id: String, _ steps: [LicenceStep]) -> JSONObject {
      var object = EpisodeJSON.head(id, .machine)
      let states = steps.map { step in
        let next = step.from.awaitsEvent ? [.checking] : step.to
        return JSONValue.object(
          JSONObject(distinct: [
            ("state", .string(step.from.rawValue)),
            ("to", .array(next.map { .string($0.rawValue) })),
          ]))
      }
      object.append("states", .array(states))
      return object
    }
    return [
      line("licence", licence.filter { !$0.from.awaitsEvent }),
      line("licence-resting", licence.filter(\.from.awaitsEvent)),
    ]
  }

  private func atRest(_ state: PartState) -> JSONObject {
    let next = events.filter { $0.from == state }.map { JSONValue.string($0.to.rawValue) }
    return JSONObject(distinct: [("state", .string(state.rawValue)), ("to", .array(next))])
  }
}
