/// One tool of vmx: an executable `vmx-NAME`.
package struct Tool: Sendable, Equatable {
  /// The name without `vmx-`.
  package let name: String
  /// The group in the help.
  package let group: ToolGroup
  /// The purpose, as one phrase without a full stop.
  package let summary: String
  /// The name of the tool that this name is an alias of, a link to its executable; nil for none.
  package let target: String?

  fileprivate init(
    _ name: String, _ group: ToolGroup = .fetching, aliasOf target: String? = nil,
    _ summary: String
  ) {
    self.name = name
    self.group = group
    self.target = target
    self.summary = summary
  }
}

/// The groups of tools in the order of the help; `--list-cmds` accepts the raw values.
package enum ToolGroup: String, Sendable, CaseIterable {
  case library, fetching, catalogue, reference

  /// The heading of the group in the help.
  package var title: String {
    switch self {
    case .library: "Keep a library"
    case .fetching: "Bring episodes here"
    case .catalogue: "Find shows and episodes"
    case .reference: "Look things up"
    }
  }
}

/// The one table of vmx's tools, from which the help, the manual's index and completions are
/// generated.
package enum Toolbox {
  /// The version of all tools; they are built and shipped together.
  package static let version = Version.text

  /// The tools, group by group.
  package static let tools: [Tool] = [
    Tool("add", .library, "Put episodes into the library"),
    Tool("list", .library, "List the episodes kept in the library"),
    Tool("show", .library, "Show one episode in full, and what it waits for"),
    Tool("path", .library, "Print where an episode's file is"),
    Tool("play", .library, "Play episodes, and keep how far they were watched"),
    Tool("mark", .library, "Mark episodes as watched, or where to go on"),
    Tool("licence", .library, "Show licences, and renew them or give them back"),
    Tool("export", .library, "Pack episodes into a bundle any program can check"),
    Tool("import", .library, "Take a bundle into the library"),
    Tool("migrate", .library, "Take over what other programs have"),
    Tool("whereis", .library, "Tell where copies of an episode are"),
    Tool("rename", .library, "Give an episode another id"),
    Tool("verify", .library, "Prove the files of the library against their digests"),
    Tool("clean", .library, "Bring store and disks into step, and make room"),
    Tool("rm", .library, "Remove episodes, their files into the trash"),
    Tool("undo", .library, "Take back what rm, clean, import and migrate did last"),
    Tool("sync", .library, "Exchange subscriptions and watched marks with a server"),
    Tool("lock", .library, "Hide what is above an age until a PIN is given"),
    Tool("report", .library, "Tell providers of the steps of episodes"),
    Tool("doctor", .library, "Tell what is wrong with the library, and mend it"),
    Tool("fetch", .fetching, "Bring wanted episodes to disk, whole and proven"),
    Tool("feed", .fetching, "Follow feeds, and take in their new episodes"),
    Tool("queue", .fetching, "Say what is wanted, and in which order"),
    Tool("status", .fetching, "Show what every fetcher is doing, and what waits"),
    Tool("search", .catalogue, "Search the catalogue for shows or people"),
    Tool("shows", .catalogue, "Show a show of the catalogue, or list all of them"),
    Tool("episodes", .catalogue, "List the episodes of a show"),
    Tool("people", .catalogue, "Show a person, and what it took part in"),
    Tool("favourite", .catalogue, "Keep favourite shows, which come first and stay"),
    Tool("explain", .reference, "Explain an error code"),
    Tool("states", .reference, "Print the diagram of states"),
  ]

  /// The aliases of tools; a tool selects its action by the name under which it is executed.
  package static let links: [Tool] = [
    Tool("pause", aliasOf: "queue", "Put episodes on hold, as 'vmx queue pause'"),
    Tool("resume", aliasOf: "queue", "Let them go on, as 'vmx queue resume'"),
    Tool("cancel", aliasOf: "queue", "Give up what is unfinished, as 'vmx queue cancel'"),
    Tool("retry", aliasOf: "queue", "Try again what failed, as 'vmx queue retry'"),
  ]

  /// Returns the entry of a tool or alias; nil for an unknown name.
  package static func tool(named name: String) -> Tool? {
    (tools + links).first { $0.name == name }
  }

  /// Returns the link of a name; nil if it is not an alias.
  package static func link(named name: String) -> Tool? {
    links.first { $0.name == name }
  }
}
