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

  @Flag(help: "Leave the files where they are; each folder becomes a root of the library.")
  var inPlace = false
  @Flag(help: "Make the store anew from the sidecars in the roots; the old one is kept aside.")
  var rebuild = false

  /// The method; nil for a plan.
  var method: Migrator.Method? {
    link ? .link : copy ? .copy : move ? .move : inPlace ? .inPlace : nil
  }

  func validate() throws {
    let chosen = [
      ("--plan", plan), ("--link", link), ("--copy", copy), ("--move", move),
      ("--in-place", inPlace),
    ]
    .filter(\.1)
    guard !rebuild || from == nil && method == nil else {
      throw ValidationError("--rebuild takes no --from and no method")
    }
    guard chosen.count < 2 else {
      throw ValidationError("\(chosen[0].0) and \(chosen[1].0) exclude each other")
    }
  }
}

extension LegacyKind: ExpressibleByArgument {}
