package import ArgumentParser
import VmxModel

extension CommandConfiguration {
  /// The configuration of one of our tools; its summary comes from the toolbox's table.
  ///
  /// - Parameters:
  ///   - name: without `vmx-`.
  ///   - usage: the command line as people should read it.
  ///   - discussion: what the summary leaves open, and examples.
  package init(tool name: String, usage: String, discussion: String = "") {
    // Below another command the parser does not look for a request for its own completions, which
    // costs a sixth of a start; ours are installed. It is named nowhere, since all have a usage.
    self.init(
      commandName: "vmx-\(name)", _superCommandName: "vmx",
      abstract: Toolbox.tool(named: name)?.summary ?? "", usage: usage, discussion: discussion,
      version: "vmx-\(name) \(Toolbox.version)")
  }
}
