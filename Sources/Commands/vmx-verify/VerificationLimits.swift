import ArgumentParser
import Glibc
import SystemPackage
import VmxCommand
import VmxModel
import VmxSettings
import VmxVerifying

/// The extent and the methods of a verification.
struct VerificationLimits: ParsableArguments {
  @Flag(help: "Check only the existence and sizes of files.")
  var quick = false

  @Flag(help: "Also check the container structure of all videos.")
  var structure = false

  @Flag(help: "Cut videos where their first films end; implies --structure.")
  var repair = false

  @Flag(help: "Compare the durations of tracks, using ffprobe.")
  var probe = false

  @Option(
    help: ArgumentHelp("Start no more files after this many bytes.", valueName: "size"))
  var budget: String?

  @Option(
    help: ArgumentHelp("Start no more files after this long, such as 10m.", valueName: "time"))
  var deadline: String?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("Concurrent files, 1 to 64.", valueName: "n"))
  var jobs: Int?

  @Flag(name: [.customShort("n"), .long], help: "Verify, but record no results.")
  var dryRun = false

  /// Returns the path of ffprobe; nil without `--probe`.
  ///
  /// - Throws: `program-missing`.
  func ffprobe(in environment: Environment) throws(Failure) -> FilePath? {
    guard probe else { return nil }
    guard let program = environment.program("ffprobe") else {
      throw Failure(
        .programMissing, "'ffprobe' is not in PATH",
        hint: "install ffmpeg, or omit --probe")
    }
    return program
  }

  /// Returns the settings of the run. Without `--jobs` the number of workers is the number of
  /// cores, at most 16.
  ///
  /// - Throws: `usage`.
  func settings() throws(Failure) -> VerificationSettings {
    var settings = VerificationSettings()
    settings.isQuick = quick
    settings.walksContainers = structure || repair
    let readers = [("--structure", structure), ("--repair", repair), ("--probe", probe)]
    for (option, isGiven) in readers where isGiven {
      guard !quick else {
        throw Failure(
          .usage, "--quick and \(option) exclude each other", hint: "give one of them")
      }
    }
    if let budget { settings.budget = try SettingKind.size(budget, of: "--budget") }
    if let deadline {
      settings.milliseconds = try SettingKind.duration(deadline, of: "--deadline")
    }
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    settings.workers = jobs ?? min(max(cores, 1), 16)
    guard (1...64).contains(settings.workers) else {
      throw Failure(.usage, "--jobs must be from 1 to 64: '\(settings.workers)'")
    }
    return settings
  }
}
