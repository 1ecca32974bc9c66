package import VmxModel

/// One run of a tool, whose journal entries `vmx undo` takes back together.
package struct Operation: Sendable, Hashable {
  /// The tool's name without `vmx-`.
  package let tool: String
  /// The time when it began.
  package let at: Timestamp
  /// The id: the time in digits and letters, then a random word. Ids sort by time, and are valid
  /// file names on every file system.
  package let id: String

  /// Creates an operation that begins now.
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
