import VmxModel
import VmxPresentation

/// The request of `vmx feed`, and its operands.
enum FeedRequest: Equatable {
  case list
  case add([String])
  case update([String])
  case set([String])
  /// Gives a feed another address.
  case move(String, to: String)
  case remove([String])
  /// Links a feed to a show; without a show, removes the link.
  case link(String, show: String?)
  /// Imports the feeds of an OPML file.
  case read(String)
  /// Writes the feeds as OPML to a file; without one, to standard output.
  case export(String?)

  /// The names of the requests.
  static let names = [
    "list", "add", "update", "set", "move", "remove", "link", "unlink", "import", "export",
  ]

  /// Parses the operands.
  ///
  /// - Throws: `usage`.
  init(
    _ words: [String], _ rules: FeedRuleOptions, isForAll: Bool, isApplied: Bool
  ) throws(Failure) {
    let name = words.first ?? "list"
    let rest = Array(words.dropFirst())
    switch name {
    case "list": self = .list
    case "add": self = .add(rest)
    case "update": self = .update(rest)
    case "set": self = .set(rest)
    case "move": self = .move(rest.first ?? "", to: rest.last ?? "")
    case "remove": self = .remove(rest)
    case "link": self = .link(rest.first ?? "", show: rest.last)
    case "unlink": self = .link(rest.first ?? "", show: nil)
    case "import": self = .read(rest.first ?? "")
    case "export": self = .export(rest.first)
    default: throw Self.unknown(name)
    }
    let most =
      ["list": 0, "move": 2, "link": 2, "unlink": 1, "import": 1, "export": 1][name] ?? Int.max
    let least =
      ["add": 1, "set": 1, "move": 2, "remove": 1, "link": 2, "unlink": 1, "import": 1][name] ?? 0
    guard rest.count >= least else {
      throw Failure(.usage, "'\(name)' requires \(Self.operands(of: name))")
    }
    guard rest.count <= most else {
      throw Failure(.usage, "unexpected operand '\(rest[most])' for '\(name)'")
    }
    guard rules.isEmpty || ["add", "set", "import"].contains(name) else {
      throw Failure(.usage, "the rules of a feed are only valid with 'add', 'set' and 'import'")
    }
    guard !isApplied || name == "set" else {
      throw Failure(.usage, "--apply is only valid with 'set'")
    }
    guard name != "set" || isApplied || !rules.isEmpty else {
      throw Failure(.usage, "'set' requires a rule, such as --want new, or --apply")
    }
    guard !isForAll || name == "update" && rest.isEmpty else {
      throw Failure(.usage, "--all is only valid with 'update' without feeds")
    }
  }

  private static func operands(of name: String) -> String {
    switch name {
    case "add": "the URL of a feed"
    case "link": "a feed and a show"
    case "move": "a feed and its new URL"
    case "remove", "unlink", "set": "the id or URL of a feed, as in 'vmx feed list'"
    default: "an OPML file, or - for standard input"
    }
  }

  /// The fields of the rows in a table.
  var fields: [FeedField] {
    if case .link = self { [.outcome, .id, .show, .title] } else { FeedField.outcomes }
  }

  private static func unknown(_ name: String) -> Failure {
    guard WebURL.isMeant(by: name) else {
      let near = suggestions(for: name, among: names)
      let guess = near.isEmpty ? "" : "did you mean \(near.joined(separator: " or "))? "
      return Failure(
        .usage, "unknown request '\(name)'",
        hint: "\(guess)available requests: \(names.joined(separator: ", "))")
    }
    return Failure(
      .usage, "missing request before '\(URLRedaction.redacted(operand: name))'",
      hint: "run 'vmx feed add URL' to subscribe to a feed")
  }
}
