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
    summary: String
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
    Tool("add", .library, summary: "Add episodes to the library"),
    Tool("list", .library, summary: "List the episodes of the library"),
    Tool("show", .library, summary: "Show all details of episodes and why they wait"),
    Tool("path", .library, summary: "Print the path of an episode's file"),
    Tool("play", .library, summary: "Play episodes and record playback positions"),
    Tool("mark", .library, summary: "Set watched marks and playback positions"),
    Tool("licence", .library, summary: "Show, renew and return licences"),
    Tool("export", .library, summary: "Pack episodes into a verifiable bundle"),
    Tool("import", .library, summary: "Import bundles into the library"),
    Tool("migrate", .library, summary: "Import videos and records of other programs"),
    Tool("whereis", .library, summary: "List the copies of an episode"),
    Tool("rename", .library, summary: "Change the id of an episode, or join two records"),
    Tool("verify", .library, summary: "Verify files against their recorded digests"),
    Tool("clean", .library, summary: "Reconcile the store with the disks and free space"),
    Tool("rm", .library, summary: "Remove episodes and move their files to the trash"),
    Tool("undo", .library, summary: "Undo the last run of rm, clean, import or migrate"),
    Tool("sync", .library, summary: "Sync subscriptions and watched marks with a server"),
    Tool("lock", .library, summary: "Hide episodes above an age limit behind a PIN"),
    Tool("report", .library, summary: "Send recorded events to providers"),
    Tool("config", .library, summary: "Read, change and explain settings"),
    Tool("doctor", .library, summary: "Check the library for problems and repair them"),
    Tool("fetch", .fetching, summary: "Download and verify wanted episodes"),
    Tool("feed", .fetching, summary: "Subscribe to feeds and add their new episodes"),
    Tool("queue", .fetching, summary: "Show and edit the fetch queue"),
    Tool("status", .fetching, summary: "Show running transfers and library totals"),
    Tool("search", .catalogue, summary: "Search the catalogue for shows or people"),
    Tool("shows", .catalogue, summary: "Show details of shows, or list the whole catalogue"),
    Tool("episodes", .catalogue, summary: "List the episodes of a show in the catalogue"),
    Tool("people", .catalogue, summary: "Show details and credits of people"),
    Tool("favourite", .catalogue, summary: "Add, remove and list favourite shows"),
    Tool("explain", .reference, summary: "Explain an error code"),
    Tool("states", .reference, summary: "Print the state diagram"),
  ]

  /// The aliases of tools; a tool selects its action by the name under which it is executed.
  package static let links: [Tool] = [
    Tool("pause", aliasOf: "queue", summary: "Put episodes on hold, as 'vmx queue pause'"),
    Tool("resume", aliasOf: "queue", summary: "Resume episodes on hold, as 'vmx queue resume'"),
    Tool("cancel", aliasOf: "queue", summary: "Cancel unfinished episodes, as 'vmx queue cancel'"),
    Tool("retry", aliasOf: "queue", summary: "Retry failed episodes, as 'vmx queue retry'"),
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
