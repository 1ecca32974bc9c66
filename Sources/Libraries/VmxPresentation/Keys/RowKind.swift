/// A kind of rows that are about no episode: the value of their field `row`. Tools for episodes
/// pass such rows on.
package enum RowKind: String, Sendable, CaseIterable {
  case show, favourite, credit, person, feed, step, run, migration, finding, operand, change
  case progress, event, totals, disk, lock, sync, code, key, machine, setting, warning, plugin

  /// The rows, in the plural.
  private var phrase: String {
    switch self {
    case .show: "shows"
    case .favourite: "favourite shows"
    case .credit: "credits of people"
    case .person: "people"
    case .feed: "feeds"
    case .step: "steps of 'vmx clean'"
    case .run: "runs of 'vmx undo'"
    case .migration: "files of 'vmx migrate'"
    case .finding: "checks of 'vmx doctor'"
    case .operand: "operands that are not episodes"
    case .change: "changes of 'vmx sync'"
    case .progress, .event, .totals, .disk: "reports of 'vmx status'"
    case .lock: "states of 'vmx lock'"
    case .sync: "states of 'vmx sync'"
    case .code, .key: "explanations of 'vmx explain'"
    case .machine: "state machines"
    case .setting: "settings"
    case .warning: "warnings"
    case .plugin: "plugins and aliases"
    }
  }

  /// The command that accepts such rows; nil for none.
  private var tool: String? {
    switch self {
    case .show, .favourite, .credit: "vmx episodes"
    case .person: "vmx people"
    case .step: "vmx clean --apply"
    case .run: "vmx undo"
    default: nil
    }
  }

  /// Returns the note about rows that a tool passes on without using them.
  ///
  /// - Parameter name: the value of `row`.
  package static func note(aboutPassed name: String) -> String {
    guard let kind = RowKind(rawValue: name) else { return "these rows are of the kind '\(name)'" }
    return "these rows are \(kind.phrase)" + (kind.tool.map { "; use '\($0)'" } ?? "")
  }
}
