import ArgumentParser
import VmxBundling
import VmxCommand
import VmxModel
import VmxPresentation

/// The options of an import.
struct ImportOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Which bytes to keep if the library has different ones.", valueName: "choice"))
  var onConflict: BundleImporter.Conflict = .both
  @Flag(help: "Import the intact episodes of a damaged bundle.")
  var intact = false
  @Flag(help: "List the episodes of the bundle; import nothing.")
  var list = false
  @Flag(help: "Verify the bundle; import nothing.")
  var verify = false
  @Flag(help: "Repair the damaged files in the rows of 'vmx verify --json'.")
  var repair = false
  @OptionGroup var dryRunOption: DryRunOption
  @Option(
    help: ArgumentHelp("Read the passphrase from this file descriptor.", valueName: "fd"))
  var passphraseFd: Int32?

  func validate(_ bundles: [String]) throws {
    guard !bundles.isEmpty else { throw ValidationError("no bundle given") }
    guard bundles == ["-"] || !bundles.contains("-") else {
      throw ValidationError("'-' excludes other operands: standard input has one bundle")
    }
    let tasks = [("--list", list), ("--verify", verify), ("--repair", repair)].filter(\.1)
    guard tasks.count < 2 else {
      throw ValidationError("\(tasks[0].0) and \(tasks[1].0) exclude each other")
    }
    guard !repair || bundles != ["-"] else {
      throw ValidationError("--repair and '-' exclude each other: standard input has rows")
    }
  }

  /// Returns the requested task; with `--repair` it reads the rows of standard input.
  ///
  /// - Parameter received: receives the first row of each episode.
  /// - Throws: `input-missing`, `output-failed`.
  func task(
    in context: CommandContext, _ reporter: RowReporter<OutcomeRow>,
    received: inout [EpisodeID: JSONObject]
  ) throws -> BundleImporter.Task {
    if list { return .list }
    if verify { return .verify }
    guard repair else { return .importEpisodes }
    let rows = InputSelection<EpisodeID>(["-"], .proofs, in: context) {
      row throws(Failure) in try row.episodeID()
    }
    var ids: [EpisodeID] = []
    for entry in try rows.all() {
      if case .item(let id, let row) = entry {
        ids.append(id)
        received[id] = received[id] ?? row.received
      } else {
        try reporter.reportUnusable(entry)
      }
    }
    return .repair(ids)
  }

  /// The choices for the importer.
  var choices: BundleImporter.Options {
    var options = BundleImporter.Options()
    options.conflict = onConflict
    options.importsIntact = intact
    return options
  }
}

extension BundleImporter.Conflict: ExpressibleByArgument {}
