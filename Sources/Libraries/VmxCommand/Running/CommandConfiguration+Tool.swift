package import ArgumentParser
import VmxModel

extension CommandConfiguration {
  /// The configuration of one of our tools; its summary comes from the toolbox's table.
  ///
  /// - Parameters:
  ///   - name: without `vmx-`.
  ///   - usage: the operands as people should read them; made from the declarations if nil.
  ///   - discussion: what the summary leaves open, and examples.
  package init(tool name: String, usage: String? = nil, discussion: String = "") {
    self.init(
      commandName: "vmx-\(name)", abstract: Toolbox.tool(named: name)?.summary ?? "",
      usage: usage, discussion: discussion, version: "vmx-\(name) \(Toolbox.version)")
  }
}
