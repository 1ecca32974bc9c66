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
    _ name: String, _ group: ToolGroup = .downloads, aliasOf target: String? = nil,
    summary: String
  ) {
    self.name = name
    self.group = group
    self.target = target
    self.summary = summary
  }
}

/// The groups of tools by what a person wants, in the order of the help; `--list-cmds` accepts the
/// raw values.
package enum ToolGroup: String, Sendable, CaseIterable {
  case start, shows, watching, downloads, moving, upkeep, reference

  /// The heading of the group in the help.
  package var title: String {
    switch self {
    case .start: "Start here"
    case .shows: "Follow shows"
    case .watching: "Watch and tidy"
    case .downloads: "Downloads"
    case .moving: "Take along, move in"
    case .upkeep: "Look after it"
    case .reference: "Look up"
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
    Tool("fetch", .start, summary: "Download and verify wanted episodes"),
    Tool("add", .start, summary: "Add episodes to the library"),
    Tool("list", .start, summary: "List the episodes of the library"),
    Tool("play", .start, summary: "Play episodes and record playback positions"),
    Tool("feed", .shows, summary: "Subscribe to feeds and add their new episodes"),
    Tool("favourite", .shows, summary: "Add, remove and list favourite shows"),
    Tool("search", .shows, summary: "Search the catalogue for shows or people"),
    Tool("shows", .shows, summary: "Show details of shows, or list the whole catalogue"),
    Tool("episodes", .shows, summary: "List the episodes of a show in the catalogue"),
    Tool("people", .shows, summary: "Show details and credits of people"),
    Tool("show", .watching, summary: "Show all details of episodes and why they wait"),
    Tool("path", .watching, summary: "Print the path of an episode's file"),
    Tool("mark", .watching, summary: "Set watched marks and playback positions"),
    Tool("rm", .watching, summary: "Remove episodes and move their files to the trash"),
    Tool("undo", .watching, summary: "Undo the last run of rm, clean, import or migrate"),
    Tool("clean", .watching, summary: "Reconcile the store with the disks and free space"),
    Tool("status", .downloads, summary: "Show running transfers and library totals"),
    Tool("queue", .downloads, summary: "Show and edit the fetch queue"),
    Tool("export", .moving, summary: "Pack episodes into a verifiable bundle"),
    Tool("import", .moving, summary: "Import bundles into the library"),
    Tool("whereis", .moving, summary: "List the copies of an episode"),
    Tool("migrate", .moving, summary: "Import videos and records of other programs"),
    Tool("sync", .moving, summary: "Sync subscriptions and watched marks with a server"),
    Tool("verify", .upkeep, summary: "Verify files against their recorded digests"),
    Tool("doctor", .upkeep, summary: "Check the library for problems and repair them"),
    Tool("rename", .upkeep, summary: "Change ids of episodes and shows, or join records"),
    Tool("lock", .upkeep, summary: "Hide episodes above an age limit behind a PIN"),
    Tool("licence", .upkeep, summary: "Show, renew and return licences"),
    Tool("config", .upkeep, summary: "Read, change and explain settings"),
    Tool("plugin", .upkeep, summary: "List plugins and aliases with their problems"),
    Tool("tutorial", .reference, summary: "Learn the main commands in ten steps"),
    Tool("explain", .reference, summary: "Explain an error code"),
    Tool("report", .reference, summary: "Send recorded events to providers"),
    Tool("states", .reference, summary: "Print the state diagram"),
  ]

  /// The note of `vmx list` about a library without episodes, by which `vmx` recognises one.
  package static let firstSteps =
    "to begin, run 'vmx add URL' and 'vmx fetch', or 'vmx add FILE'; "
    + "'vmx tutorial' shows how"

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
