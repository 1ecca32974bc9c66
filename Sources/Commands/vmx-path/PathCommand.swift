import ArgumentParser
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxPresentation

/// Prints the paths of episodes' files, for other programs to open.
@main
struct PathCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "path", usage: "vmx path [<options>] <id>...",
    discussion: """
      Without ids and filters, rows are read from standard input if it is a pipe or a file.

      Examples:
        mpv "$(vmx path girls/s01e01)"
        vmx path girls/s01e01 --part subtitle:en
        vmx list --show girls --json | vmx path -0 | xargs -0 mpv
        vmx path --m3u --show girls --no-watched > girls.m3u8
      """)

  @OptionGroup var output: OutputOptions

  @Option(help: "Part: video, subtitle:en, image; a role alone means its first part.")
  var part = PartRole.video.rawValue

  @OptionGroup var form: NullOption

  @Flag(help: "Print a playlist with titles and durations, for players.")
  var m3u = false

  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var ids: [String] = []

  var printsUnderQuiet: Bool { form.null || m3u }

  func validate() throws {
    for (option, isGiven) in [("--json", output.json), ("-0", form.null)] where m3u && isGiven {
      throw ValidationError("--m3u and \(option) exclude each other")
    }
  }

  func perform(in context: CommandContext) throws {
    // Without filters, the library is opened once, by the view.
    let selection =
      try filters.isEmpty
      ? InputSelection(required: ids, ofShows: .withVideo, in: context)
      : InputSelection(
        required: ids, filters, from: context.openStore(), ofShows: .withVideo, in: context)
    let reporter = RowReporter<OutcomeRow>(
      output.json ? .json(nil) : .columns(OutcomeField.defaultFields), in: context)
    let view = try LibraryView(in: context)
    if m3u { try context.output.write(PlaylistEntry.header) }
    try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
      let file = Result { () throws in
        try view.snapshot.mediaFile(of: try chosen(from: episode), of: episode).string
      }
      switch file.mapError({ Failure($0) }) {
      case .success(let file):
        try print(file, of: episode, row, in: context)
        reporter.count(.done)
      // Filters select episodes that need not have a file.
      case .failure where selection.source == .filters && !hasFile(episode): break
      case .failure where row.position != nil && !hasFile(episode):
        // An episode of a row need not have a file, so the row is passed on.
        try reporter.reportUnchanged(.noFile, row)
      case .failure(let failure): try reporter.reportFailed(failure, row)
      }
      return true
    }
    try view.warnOfDamage(in: context)
    try reporter.finish(notes: [])
  }

  private func print(
    _ file: String, of episode: Episode, _ row: InputRow, in context: CommandContext
  ) throws(OutputError) {
    if m3u {
      try context.output.write(PlaylistEntry(episode, at: file).text)
    } else if output.json {
      let found = PathRow(id: episode.id, part: part, path: file, received: row.received)
      try context.write(found.record(stage: context.stage))
    } else {
      let text = context.terminal.isTerminal ? TerminalText.escaped(file) : file
      try context.output.write(text + (form.null ? "\0" : "\n"))
    }
  }

  private func hasFile(_ episode: Episode) -> Bool { named(in: episode)?.state == .ready }

  private func named(in episode: Episode) -> Part? {
    episode.part(named: PartName(part)?.text ?? part)
      ?? episode.parts.first { $0.role.rawValue == part }
  }

  private func chosen(from episode: Episode) throws(Failure) -> Part {
    if let part = named(in: episode) { return part }
    let names = episode.parts.map(\.name).joined(separator: ", ")
    throw Failure(
      .noFile, "'\(episode.id)' has no part '\(part)'",
      hint: names.isEmpty ? "the episode has no parts" : "available parts: \(names)")
  }
}
