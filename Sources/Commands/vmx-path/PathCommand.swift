import ArgumentParser
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation

/// Prints the path of an episode's file, for other programs to open.
@main
struct PathCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "path", usage: "vmx path [<options>] <id>",
    discussion: """
      Examples:
        mpv "$(vmx path girls/s01e01)"
        vmx path girls/s01e01 --part subtitle:en
      """)

  @OptionGroup var output: OutputOptions

  @Option(help: "The part: video, subtitle:en, image; a role alone means its first.")
  var part = PartRole.video.rawValue

  @Flag(name: [.customShort("0"), .long], help: "End the path with NUL instead of a line end.")
  var null = false

  @Argument(help: "The episode.")
  var id: String

  func perform(in context: CommandContext) throws {
    let view = try LibraryView(in: context)
    let found = Result { try view.episode(named: id) }
    try view.warnOfDamage(in: context)
    let episode = try found.get()
    let file = try view.snapshot.mediaFile(of: try chosen(from: episode), of: episode).string
    if output.json {
      var object = EpisodeJSON.head(episode.id.description)
      object.append("part", part)
      object.append("path", file)
      try context.write(object)
    } else {
      let text = context.terminal.isTerminal ? TerminalText.escaped(file) : file
      try context.output.write(text + (null ? "\0" : "\n"))
    }
  }

  private func chosen(from episode: Episode) throws(Failure) -> Part {
    let named = episode.parts.first { $0.name == part }
    if let part = named ?? episode.parts.first(where: { $0.role.rawValue == part }) { return part }
    let names = episode.parts.map(\.name).joined(separator: ", ")
    throw Failure(
      .noFile, "'\(episode.id)' has no part '\(part)'",
      hint: names.isEmpty ? "it has no parts" : "its parts are \(names)")
  }
}
