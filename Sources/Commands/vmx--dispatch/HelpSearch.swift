import VmxModel
import VmxPlugins

/// The result of `vmx help WORDS`: commands for a purpose, then tools, plugins, aliases and options
/// whose help has words that begin with all of these.
struct HelpSearch {
  /// The result; empty if nothing was found.
  let text: String

  /// Searches the tools of vmx, and the names and summaries of plugins and aliases.
  init(_ words: [String], in tools: OwnTools, plugins: [Plugin]) {
    let words = words.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber } }
      .map(String.init).filter { !Toolbox.fillers.contains($0) }
    func matches(_ text: String) -> Bool {
      let others = text.lowercased().split { !$0.isLetter && !$0.isNumber }
      return !words.isEmpty
        && words.allSatisfy { word in others.contains { $0.hasPrefix(word) } }
    }
    let purposes = Toolbox.purposes(of: words).map {
      Overview.line("  vmx \($0.command)", $0.text, width: 34)
    }
    let named = Toolbox.tools.filter { matches("\($0.name) \($0.summary)") }
      .map { Overview.line("  vmx \($0.name)", $0.summary, width: 34) }
    let others = plugins.filter { matches("\($0.name) \($0.summary ?? "")") }
      .map { Overview.line("  vmx \($0.name)", $0.summary ?? "", width: 34) }
    var options: [String] = []
    for tool in Toolbox.tools where !words.isEmpty {
      for option in Self.options(in: tools.help(of: tool.name) ?? "")
      where matches("\(option.names) \(option.text)") {
        options.append(
          Overview.line("  vmx \(tool.name) \(option.names)", option.text, width: 34))
      }
    }
    var text = ""
    let sections = [
      ("For this purpose", purposes), ("Tools", named), ("Plugins and aliases", others),
      ("Options", options),
    ]
    for (title, lines) in sections where !lines.isEmpty {
      text += (text.isEmpty ? "" : "\n") + "\(title)\n" + lines.joined()
    }
    self.text = text.isEmpty ? "" : text + "\n'vmx help TOOL' explains a tool.\n"
  }

  /// Returns the options in the help of a tool, each with its text in one line.
  private static func options(in help: String) -> [(names: String, text: String)] {
    var options: [(names: String, text: String)] = []
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      let words = line.dropFirst(indent)
      if indent == 2, words.hasPrefix("-") {
        let names = words.firstRange(of: "  ").map { words[..<$0.lowerBound] } ?? words
        let text = words.dropFirst(names.count).drop { $0 == " " }
        options.append((String(names), String(text)))
      } else if indent > 10, !options.isEmpty {
        let last = options.count - 1
        options[last].text += (options[last].text.isEmpty ? "" : " ") + words
      } else {
        options.append(("", ""))
      }
    }
    return options.filter { !$0.names.isEmpty }
  }
}
