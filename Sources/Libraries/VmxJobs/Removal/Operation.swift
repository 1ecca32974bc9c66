package import VmxModel

/// One run of a tool, whose rows `vmx undo` takes back together.
package struct Operation: Sendable, Hashable {
  /// The tool's name without `vmx-`.
  package let tool: String
  /// When it began.
  package let at: Timestamp
  /// What names it: the moment in digits and letters, then a word of its own. Ids sort by time, and
  /// are names that every file system takes.
  package let id: String

  /// A run that begins now.
  package init(tool: String, at: Timestamp) {
    self.tool = tool
    self.at = at
    let moment = at.text.filter { $0.isLetter || $0.isNumber }
    id = "\(moment)-\(Hex.text(of: UInt64.random(in: .min ... .max)).prefix(8))"
  }

  init(tool: String, at: Timestamp, id: String) {
    self.tool = tool
    self.at = at
    self.id = id
  }
}
