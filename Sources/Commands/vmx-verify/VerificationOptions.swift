import ArgumentParser
import Glibc
import SystemPackage
import VmxCommand
import VmxModel
import VmxVerifying

/// The extent and the methods of a verification.
struct VerificationOptions: ParsableArguments {
  @Flag(help: "Look only whether each file is there and has its size.")
  var quick = false

  @Flag(help: "Walk the containers of videos too, also where a digest proves their bytes.")
  var structure = false

  @Flag(help: "Ask ffprobe how long the tracks of videos play, against what was declared.")
  var probe = false

  @Option(
    help: ArgumentHelp("Begin no more files once so many bytes were begun.", valueName: "size"))
  var budget: String?

  @Option(help: ArgumentHelp("Begin no more files after so long, such as 10m.", valueName: "time"))
  var deadline: String?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("Files read at once, 1 to 64.", valueName: "n"))
  var jobs: Int?

  @Flag(name: [.customShort("n"), .long], help: "Record nothing of what is found.")
  var dryRun = false

  /// Returns the path of ffprobe; nil without `--probe`.
  ///
  /// - Throws: `program-missing`.
  func ffprobe(in environment: Environment) throws(Failure) -> FilePath? {
    guard probe else { return nil }
    guard let program = environment.program("ffprobe") else {
      throw Failure(
        .programMissing, "'ffprobe' is not in PATH",
        hint: "install ffmpeg, which it is part of, or leave out --probe")
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
    settings.isDryRun = dryRun
    settings.walksContainers = structure
    for (option, isGiven) in [("--structure", structure), ("--probe", probe)] where isGiven {
      guard !quick else {
        throw Failure(
          .usage, "--quick and \(option) exclude each other", hint: "give one of them")
      }
    }
    if let budget {
      guard let count = ByteCount(text: budget) else {
        throw Failure(.usage, "'\(budget)' is no size", hint: "write a size such as 500M or 20G")
      }
      settings.budget = count
    }
    if let deadline {
      guard let span = DurationText.milliseconds(of: deadline) else {
        throw Failure(.usage, "'\(deadline)' is no time", hint: "write a time such as 90s or 10m")
      }
      settings.milliseconds = span
    }
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    settings.workers = jobs ?? min(max(cores, 1), 16)
    guard (1...64).contains(settings.workers) else {
      throw Failure(.usage, "--jobs is not a number from 1 to 64: '\(settings.workers)'")
    }
    return settings
  }
}
