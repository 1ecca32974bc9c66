package import SystemPackage
import VmxModel
package import VmxSystem

// A file from an untrusted source can name other inputs: a playlist names files, a QuickTime film
// its parts, a URL the network. ffprobe would open them.
//
// So ffprobe gets the open file as its standard input and opens it through `/dev/fd`. Neither the
// file's name nor a concurrent rename matters. The only allowed protocol is `file`, and no format
// that lists other files is allowed.

/// Runs ffprobe, of the ffmpeg project, to read the durations of the tracks of a file.
package struct TrackProber: Sendable {
  /// The timeout for one file, in milliseconds. It allows for a disk that must spin up and for a
  /// large index; a process that takes longer is considered hung.
  package static let patience: Int64 = 60_000
  /// The maximal size of the output in bytes, enough for some thousand tracks.
  private static let limit = 1 << 20
  /// The input that ffprobe opens.
  private static let name = "file:/dev/fd/0"
  /// The demuxers of the containers that a video may be in (`MediaKind.isVideoContainer`); none of
  /// them opens other files.
  private static let formats =
    "mov,matroska,avi,flv,live_flv,asf,asf_o,mxf,mpegts,mpeg,mpegvideo,ogg,rm"
  /// Environment variables that would redirect the output of ffprobe or colour it.
  private static let unwanted = ["FFREPORT", "AV_LOG_FORCE_COLOR", "AV_LOG_FORCE_256COLOR"]

  private let program: FilePath
  private let environment: [String]
  private let interruption: Interruption
  private let patience: Int64

  /// - Parameters:
  ///   - program: the path of ffprobe.
  ///   - environment: the environment variables of this process.
  ///   - interruption: the stop request of this process, which also ends ffprobe at once.
  ///   - patience: the timeout for one file, in milliseconds.
  package init(
    _ program: FilePath, environment: [String: String], or interruption: Interruption,
    patience: Int64 = Self.patience
  ) {
    self.program = program
    self.environment = environment.filter { !Self.unwanted.contains($0.key) }
      .map { "\($0.key)=\($0.value)" }
    self.interruption = interruption
    self.patience = patience
  }

  /// Runs ffprobe on an open file and returns its report; nil if the run was cancelled.
  ///
  /// - Throws: `resources-short` if the system cannot start the process.
  func report(on file: borrowing OpenFile) throws(Failure) -> ProbeReport? {
    let hearing: SpawnedProgram.CapturedOutput
    do throws(ProcessError) {
      hearing = try SpawnedProgram.captureOutput(
        program, Self.arguments, environment: environment, input: file.descriptor,
        limit: Self.limit, until: Deadline(milliseconds: patience), or: interruption)
    } catch {
      guard error.code == .resourcesShort else { return .none("did not start: \(error.summary)") }
      throw Failure(error)
    }
    switch hearing {
    case .ended(.exited(let status), let output, let errors):
      return ProbeReport(status: status, output: output, errors: errors, name: Self.name)
    case .ended(.signalled(let signal), _, _): return .none("was ended by signal \(signal)")
    case .tooMuch: return .none("printed more than \(Self.limit) bytes")
    case .late: return .none("took more than \(DurationText.text(of: patience))")
    case .interrupted: return nil
    }
  }

  private static let arguments = [
    "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", formats, "-of", "json",
    "-show_error", "-show_entries", ProbeReport.fields, name,
  ]
}
