import ArgumentParser
import VmxMigrating
import VmxModel

/// The options of a migration.
struct MigrateOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The program: yt-dlp, get_iplayer, gpodder, tree, …; guessed when left out.",
      valueName: "kind"))
  var from: LegacyKind?
  @Flag(help: "Print what would be done as JSON Lines, and do nothing.")
  var plan = false
  @Flag(help: "Take files by shared blocks or hard links where possible, else by copies.")
  var link = false
  @Flag(help: "Take files by copies.")
  var copy = false
  @Flag(help: "Take files, and remove each source once its file is durable and verified.")
  var move = false

  /// The method; nil for a plan.
  var method: Migrator.Method? { link ? .link : copy ? .copy : move ? .move : nil }

  func validate() throws {
    let chosen = [("--plan", plan), ("--link", link), ("--copy", copy), ("--move", move)]
      .filter(\.1)
    guard chosen.count < 2 else {
      throw ValidationError("\(chosen[0].0) and \(chosen[1].0) exclude each other")
    }
  }
}

extension LegacyKind: ExpressibleByArgument {}
