package import SystemPackage
import VmxModel
package import VmxSystem

// Files from strangers are read by a program that knows how to follow what they name: a playlist
// leads to other files, a QuickTime film to its parts, an address to the network. So ffprobe gets
// our open file as its standard input and opens it by way of `/dev/fd`, whatever its name is and
// whoever renames it meanwhile; it may use no protocol but `file`, and no format that lists other
// files.

/// Asks ffprobe, of the ffmpeg project, how long the tracks of a file play.
package struct TrackProber: Sendable {
  /// Milliseconds for one file: a disk may have to wake up, and an index may be large. Whoever
  /// needs longer hangs.
  package static let patience: Int64 = 60_000
  /// Bytes that are read of an answer: some thousand tracks.
  private static let limit = 1 << 20
  /// What it opens.
  private static let name = "file:/dev/fd/0"
  /// The demuxers of the containers that a video may be in (`MediaKind.isVideoContainer`); none of
  /// them opens other files.
  private static let formats =
    "mov,matroska,avi,flv,live_flv,asf,asf_o,mxf,mpegts,mpeg,mpegvideo,ogg,rm"
  /// Variables that would let it write elsewhere, or in colours.
  private static let unwanted = ["FFREPORT", "AV_LOG_FORCE_COLOR", "AV_LOG_FORCE_256COLOR"]

  private let program: FilePath
  private let environment: [String]
  private let interruption: Interruption
  private let patience: Int64

  /// - Parameters:
  ///   - program: ffprobe.
  ///   - environment: the variables of this process.
  ///   - interruption: what asks this process to stop; ffprobe then ends at once.
  ///   - patience: milliseconds for one file.
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

  /// What ffprobe says of an open file; nil if it was told to stop.
  ///
  /// - Throws: `resources-short` where the system refuses to start it.
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
