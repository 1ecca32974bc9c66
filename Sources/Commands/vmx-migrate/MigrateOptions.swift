import ArgumentParser
import SystemPackage
import VmxCommand
import VmxMigrating
import VmxModel
import VmxPresentation
import VmxSystem

/// The options of a migration.
struct MigrateOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Source program; detected if omitted.",
      valueName: "kind"))
  var from: LegacyKind?
  @Flag(help: "Print the plan as JSON Lines; change nothing.")
  var plan = false
  @OptionGroup var dryRunOption: DryRunOption
  @Flag(help: "Import files by reflinks or hard links if possible, else by copying.")
  var link = false
  @Flag(help: "Import files by copying.")
  var copy = false
  @Flag(help: "Import files, and remove each source once its file is durable and verified.")
  var move = false

  @Flag(help: "Leave files where they are; make each folder a root of the library.")
  var inPlace = false
  @Flag(help: "Rebuild the store from the sidecars in the roots; keep the old store.")
  var rebuild = false

  @Flag(help: "Number videos in their order where no name of their season has a number.")
  var number = false

  @Option(
    help: ArgumentHelp("URL of the only partial file.", valueName: "url"))
  var source: String?
  @Option(
    help: ArgumentHelp(
      "URLs of partial files, as lines with a path, a tab and a URL.", valueName: "file"),
    completion: .file())
  var sources: String?

  /// Whether to print only what would be done.
  var isPlan: Bool { plan || dryRunOption.dryRun }

  /// The method; nil for a plan.
  var method: Migrator.Method? {
    guard !dryRunOption.dryRun else { return nil }
    return link ? .link : copy ? .copy : move ? .move : inPlace ? .inPlace : nil
  }

  func validate() throws {
    let chosen = [
      ("--plan", plan), ("--link", link), ("--copy", copy), ("--move", move),
      ("--in-place", inPlace),
    ]
    .filter(\.1)
    guard !rebuild || from == nil && method == nil else {
      throw ValidationError("--rebuild excludes --from and methods")
    }
    guard !number || !rebuild && from != .vmx else {
      throw ValidationError("--number is only valid for files of other programs")
    }
    guard chosen.count < 2 else {
      throw ValidationError("\(chosen[0].0) and \(chosen[1].0) exclude each other")
    }
    guard source == nil || sources == nil else {
      throw ValidationError("--source and --sources exclude each other")
    }
    guard source == nil && sources == nil || !rebuild && from != .vmx else {
      throw ValidationError(
        "--source and --sources are only valid for partial files of other programs")
    }
  }
}

extension MigrateOptions {
  /// Returns the URLs of partial files given by the user.
  ///
  /// - Parameter report: called with each invalid line of the table, and the reason.
  /// - Throws: `bad-url`, `input-missing`, `FileError`.
  func legacySources(
    in context: CommandContext, report: (InputPosition, Failure) -> Void
  ) throws -> LegacySources {
    if let source { return LegacySources(only: try WebURL(source)) }
    guard let sources else { return LegacySources() }
    let file = context.environment.absolute(argument: sources)
    guard let bytes = try readFile(file, limit: LegacySources.maxSize) else {
      throw Failure(.inputMissing, "no such file '\(sources)'")
    }
    return LegacySources(table: bytes, in: file.folder) { line, failure in
      report(InputPosition(sources, line: line, column: 1), failure)
    }
  }
}

extension LegacyKind: ExpressibleByArgument {}
