import VmxModel

/// A subcommand that is not a tool of vmx: an executable `vmx-NAME`, or an alias of the settings.
package struct Plugin: Sendable, Equatable {
  /// The kind of a subcommand.
  package enum Kind: String, Sendable {
    case plugin, alias
  }

  /// The place in which a subcommand was found.
  package enum Source: String, Sendable {
    /// A folder of `VMX_EXEC_PATH` or `--exec-path`.
    case execPath = "exec-path"
    /// The folders of the tools of vmx.
    case vmx
    /// A folder of `PATH`.
    case path
    /// The settings.
    case settings
  }

  /// The name, as typed after `vmx`.
  package let name: String
  /// The kind.
  package let kind: Kind
  /// The purpose of a plugin, or the text of an alias; nil for a plugin that states none.
  package var summary: String?
  /// The version that a plugin states.
  package var version: String?
  /// The path of the executable, or of the settings file; nil for an alias of another origin.
  package let path: String?
  /// The place in which it was found.
  package let source: Source
  /// The problems, in the order of `PluginWarning`.
  package var warnings: [PluginWarning] = []
  /// The path of the executable that hides it; nil if it is not hidden.
  package var hiddenBy: String?

  /// Creates a subcommand without a version and without problems.
  package init(
    name: String, kind: Kind, summary: String? = nil, path: String?, source: Source
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.path = path
    self.source = source
  }

  /// Whether `vmx NAME` runs it.
  package var isUsable: Bool {
    warnings.allSatisfy { warning in
      switch warning {
      case .shadowed, .notExecutable, .badAlias, .aliasLoop: false
      case .shadowsTool, .brokenInterpreter, .writableByOthers, .badDescription: true
      }
    }
  }
}

/// A problem of a plugin or alias.
package enum PluginWarning: Equatable, Sendable {
  /// Another file of the same name is run instead.
  case shadowed
  /// It is run instead of a tool of vmx.
  case shadowsTool
  /// The user may not execute the file.
  case notExecutable
  /// The program that the first line of the script names does not exist.
  case brokenInterpreter(String)
  /// Another user can change the file.
  case writableByOthers
  /// The JSON file with the description is malformed.
  case badDescription
  /// The text of the alias is malformed or leads to no tool, for this reason.
  case badAlias(String)
  /// The alias leads to itself.
  case aliasLoop

  /// The word in rows.
  package var word: String {
    switch self {
    case .shadowed: "shadowed"
    case .shadowsTool: "shadows-tool"
    case .notExecutable: "not-executable"
    case .brokenInterpreter: "broken-interpreter"
    case .writableByOthers: "writable-by-others"
    case .badDescription: "bad-description"
    case .badAlias: "bad-alias"
    case .aliasLoop: "alias-loop"
    }
  }
}

extension Plugin {
  /// Returns a sentence about a problem, with the next step.
  package func sentence(about warning: PluginWarning) -> String {
    let file = path ?? ""
    let quoted = ShellWord.quoted(file)
    return switch warning {
    case .shadowed where name == "help":
      "'help' is built in, so the \(kind.rawValue) of that name is never used; rename it"
    case .shadowed where kind == .alias:
      "the alias '\(name)' is never used, since '\(hiddenBy ?? "")' has the same name; rename it"
    case .shadowed: "'\(file)' is never run, since '\(hiddenBy ?? "")' comes first"
    case .shadowsTool: "'\(file)' is run instead of the tool 'vmx \(name)'"
    case .notExecutable: "'\(file)' cannot be executed; run: chmod +x \(quoted)"
    case .brokenInterpreter(let program):
      "'\(file)' cannot be run: its first line names '\(program)', which does not exist"
    case .writableByOthers:
      "other users can change '\(file)'; check its owner, its mode and its folder"
    case .badDescription: "'\(PluginDescription.file(of: file))' is no object with texts"
    case .badAlias(let reason): "the alias '\(name)' cannot be used: \(reason)"
    case .aliasLoop: "the alias '\(name)' leads to itself"
    }
  }
}
