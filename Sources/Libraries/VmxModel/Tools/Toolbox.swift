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
    case .library: "Manage the library"
    case .fetching: "Fetch episodes"
    case .catalogue: "Find shows and episodes"
    case .reference: "Look up reference information"
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
    Tool("add", .library, "Add episodes to the library"),
    Tool("list", .library, "List the episodes of the library"),
    Tool("show", .library, "Show all details of episodes and why they wait"),
    Tool("path", .library, "Print the path of an episode's file"),
    Tool("play", .library, "Play episodes and record playback positions"),
    Tool("mark", .library, "Set watched marks and playback positions"),
    Tool("licence", .library, "Show, renew and return licences"),
    Tool("export", .library, "Pack episodes into a verifiable bundle"),
    Tool("import", .library, "Import bundles into the library"),
    Tool("migrate", .library, "Import videos and records of other programs"),
    Tool("whereis", .library, "List the copies of an episode"),
    Tool("rename", .library, "Change the id of an episode"),
    Tool("verify", .library, "Verify files against their recorded digests"),
    Tool("clean", .library, "Reconcile the store with the disks and free space"),
    Tool("rm", .library, "Remove episodes and move their files to the trash"),
    Tool("undo", .library, "Undo the last run of rm, clean, import or migrate"),
    Tool("sync", .library, "Sync subscriptions and watched marks with a server"),
    Tool("lock", .library, "Hide episodes above an age limit behind a PIN"),
    Tool("report", .library, "Send recorded events to providers"),
    Tool("doctor", .library, "Check the library for problems and repair them"),
    Tool("fetch", .fetching, "Download and verify wanted episodes"),
    Tool("feed", .fetching, "Subscribe to feeds and add their new episodes"),
    Tool("queue", .fetching, "Show and edit the fetch queue"),
    Tool("status", .fetching, "Show running transfers and library totals"),
    Tool("search", .catalogue, "Search the catalogue for shows or people"),
    Tool("shows", .catalogue, "Show details of shows, or list the whole catalogue"),
    Tool("episodes", .catalogue, "List the episodes of a show in the catalogue"),
    Tool("people", .catalogue, "Show details and credits of people"),
    Tool("favourite", .catalogue, "Add, remove and list favourite shows"),
    Tool("explain", .reference, "Explain an error code"),
    Tool("states", .reference, "Print the state diagram"),
  ]

  /// The aliases of tools; a tool selects its action by the name under which it is executed.
  package static let links: [Tool] = [
    Tool("pause", aliasOf: "queue", "Put episodes on hold, as 'vmx queue pause'"),
    Tool("resume", aliasOf: "queue", "Resume episodes on hold, as 'vmx queue resume'"),
    Tool("cancel", aliasOf: "queue", "Cancel unfinished episodes, as 'vmx queue cancel'"),
    Tool("retry", aliasOf: "queue", "Retry failed episodes, as 'vmx queue retry'"),
  ]

  /// Returns the entry of a tool or alias; nil for an unknown name.
  package static func tool(named name: String) -> Tool? {
    (tools + links).first { $0.name == name }
  }

  /// Returns the command that runs the tool of a file: `vmx list` for `vmx-list`.
  package static func command(of file: String) -> String {
    file.hasPrefix("vmx-") ? "vmx \(file.dropFirst(4))" : file
  }

  /// Returns the link of a name; nil if it is not an alias.
  package static func link(named name: String) -> Tool? {
    links.first { $0.name == name }
  }
}
