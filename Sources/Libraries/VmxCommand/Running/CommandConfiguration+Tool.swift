package import ArgumentParser
import VmxModel

extension CommandConfiguration {
  /// Creates the configuration of a tool; its summary comes from the table in `Toolbox`.
  ///
  /// - Parameters:
  ///   - name: the name without `vmx-`.
  ///   - usage: the synopsis that the help shows.
  ///   - discussion: details beyond the summary, and examples.
  package init(tool name: String, usage: String, discussion: String = "") {
    // With a super-command name the parser does not check for a request to generate completions,
    // which costs a sixth of the start time; vmx installs its own completions. The name is never
    // shown, because every tool sets its usage.
    self.init(
      commandName: "vmx-\(name)", _superCommandName: "vmx",
      abstract: Toolbox.tool(named: name)?.summary ?? "", usage: usage, discussion: discussion,
      version: "vmx-\(name) \(Toolbox.version)")
  }
}
