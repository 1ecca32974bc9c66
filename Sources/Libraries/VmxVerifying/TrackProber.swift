package import SystemPackage
import VmxJSON
import VmxModel
package import VmxSystem

// A file from an untrusted source can reference other inputs: a playlist lists files, a QuickTime
// film its parts, a URL the network. ffprobe would open them.
//
// So ffprobe gets the open file as its standard input and opens it through `/dev/fd`. Neither the
// file's name nor a concurrent rename matters. The only allowed protocol is `file`, and no format
// that lists other files is allowed.

/// Runs ffprobe, of the ffmpeg project, to read the durations of the tracks of a file.
package struct TrackProber: Sendable {
  /// The timeout for one file, in milliseconds. It allows for a disk that must spin up and for a
  /// large index; a process that takes longer is considered hung.
  package static let timeout: Int64 = 60_000
  /// The maximum size of the output in bytes, enough for some thousand tracks.
  private static let limit = 1 << 20
  /// The input that ffprobe opens.
  private static let name = "file:/dev/fd/0"
  /// The demuxers of the containers that a video part may be in (`MediaKind.isMedium`); none of
  /// them opens other files.
  private static let formats =
    "mov,matroska,avi,flv,live_flv,asf,asf_o,mxf,mpegts,mpeg,mpegvideo,ogg,rm,mp3,aac,flac,wav"
  /// Environment variables that would redirect the output of ffprobe or colour it.
  private static let removedVariables = ["FFREPORT", "AV_LOG_FORCE_COLOR", "AV_LOG_FORCE_256COLOR"]

  private let program: FilePath
  private let environment: [String]
  private let interruption: Interruption
  private let timeout: Int64

  /// - Parameters:
  ///   - program: the path of ffprobe.
  ///   - environment: the environment variables of this process.
  ///   - interruption: the stop request of this process, which also ends ffprobe at once.
  ///   - timeout: the timeout for one file, in milliseconds.
  package init(
    _ program: FilePath, environment: [String: String], or interruption: Interruption,
    timeout: Int64 = Self.timeout
  ) {
    self.program = program
    self.environment = environment.filter { !Self.removedVariables.contains($0.key) }
      .map { "\($0.key)=\($0.value)" }
    self.interruption = interruption
    self.timeout = timeout
  }

  /// Runs ffprobe on an open file and returns its report; nil if the run was cancelled.
  ///
  /// - Throws: `resources-short` if the system cannot start the process.
  func report(on file: borrowing OpenFile) throws(Failure) -> ProbeReport? {
    let output: SpawnedProgram.CapturedOutput
    do throws(ProcessError) {
      output = try SpawnedProgram.captureOutput(
        of: ProgramCall(program, Self.arguments, environment: environment, input: file.descriptor),
        limit: Self.limit, until: Deadline(milliseconds: timeout), or: interruption)
    } catch {
      guard error.code == .resourcesShort else { return .none("cannot start: \(error.summary)") }
      throw Failure(error)
    }
    switch output {
    case .ended(.exited(let status), let printed, let errors):
      return ProbeReport(status: status, output: printed, errors: errors, name: Self.name)
    case .ended(.signalled(let signal), _, _): return .none("was killed by signal \(signal)")
    case .tooMuch: return .none("printed more than \(Self.limit) bytes")
    case .timedOut: return .none("timed out after \(DurationText.text(of: timeout))")
    case .interrupted: return nil
    }
  }

  private static let arguments = [
    "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", formats, "-of", "json",
    "-show_error", "-show_entries", ProbeReport.fields, name,
  ]
}

/// The output of ffprobe for one file.
enum ProbeReport: Equatable, Sendable {
  /// The video and audio tracks of the file.
  case tracks([MediaTrack])
  /// ffprobe cannot decode the bytes, for this reason.
  case unreadable(String)
  /// ffprobe failed for another reason, which says nothing about the bytes.
  case none(String)

  /// The requested fields, in the syntax of `-show_entries`.
  static let fields =
    "stream=codec_type,duration:stream_tags=DURATION,DURATION-eng"
    + ":stream_disposition=attached_pic:format=duration,format_name:error=code,string"

  /// The codes of ffprobe that mean a defective file, from `libavutil/error.h`:
  /// `AVERROR_INVALIDDATA`, `AVERROR_EOF` and `EINVAL`, which the format whitelist causes. Any
  /// other code is a failure of ffprobe or of the system.
  private static let faults: Set<Int64> = [-1_094_995_529, -541_478_725, -22]
  /// Formats without timestamps; ffprobe estimates their durations from bit rates.
  private static let timeless = "mpegvideo"
  /// The maximum length of a quoted error message, in characters.
  private static let maxLength = 160

  /// Parses the output of ffprobe.
  ///
  /// - Parameters:
  ///   - status: the exit status of ffprobe.
  ///   - output: standard output; one JSON object if ffprobe succeeded.
  ///   - errors: the beginning of standard error.
  ///   - name: the input name that was passed to ffprobe, which the user does not know.
  init(status: Int32, output: [UInt8], errors: [UInt8], name: String) {
    let complaint = Self.complaint(in: errors, name: name)
    guard let object = Self.object(in: output) else {
      let words = status == 0 ? "printed no JSON" : "exited with status \(status)"
      self = .none(complaint.map { "\(words): \($0)" } ?? words)
      return
    }
    if let error = object["error"]?.object {
      let said = complaint ?? error["string"]?.string.flatMap(Self.cleaned) ?? "no reason given"
      let isFault = error["code"]?.integer.map(Self.faults.contains) ?? false
      self = isFault ? .unreadable(said) : .none("could not read it: \(said)")
    } else if status == 0, let streams = object["streams"]?.array {
      let format = object["format"]?.object
      self = .tracks(streams.compactMap { Self.track($0.object, in: format) })
    } else {
      let words = status == 0 ? "listed no tracks" : "exited with status \(status)"
      self = .none(complaint.map { "\(words): \($0)" } ?? words)
    }
  }

  private static func object(in output: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(output).object
    } catch {
      return nil
    }
  }

  /// Returns a track that has a duration; nil for attached pictures, subtitles and data.
  private static func track(_ stream: JSONObject?, in format: JSONObject?) -> MediaTrack? {
    guard let stream, let kind = stream["codec_type"]?.string.flatMap(MediaTrack.Kind.init),
      (stream["disposition"]?.object?["attached_pic"]?.integer ?? 0) == 0
    else { return nil }
    guard format?["format_name"]?.string != timeless else { return MediaTrack(kind, nil) }
    let tags = stream["tags"]?.object
    let said = [stream["duration"], tags?["DURATION"], tags?["DURATION-eng"], format?["duration"]]
    return MediaTrack(kind, said.lazy.compactMap { milliseconds($0) }.first)
  }

  /// Parses a duration. Zero means that the file does not state its duration, so it counts as nil.
  private static func milliseconds(_ value: JSONValue?) -> Int64? {
    guard let length = value?.string.flatMap(PlayingTime.milliseconds), length > 0 else {
      return nil
    }
    return length
  }

  /// Returns the first line of standard error, without the parts that differ between runs.
  private static func complaint(in errors: [UInt8], name: String) -> String? {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.lazy.compactMap { line in
      var line = line
      // `[mov @ 0x55d0c0ffee00] `: the component that prints the message, and its address in
      // memory.
      while line.hasPrefix("["), let end = line.firstIndex(of: "]"), line[..<end].contains(" @ 0x")
      {
        line = line[line.index(after: end)...].drop(while: \.isWhitespace)
      }
      if line.hasPrefix("\(name): ") { line = line.dropFirst(name.count + 2) }
      return cleaned(String(line))
    }.first
  }

  /// Returns the text without control characters, truncated to one readable line; nil if nothing is
  /// left.
  private static func cleaned(_ text: String) -> String? {
    let harmless = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    let words = String(String.UnicodeScalarView(harmless)).split(separator: " ")
    let line = words.joined(separator: " ").prefix(maxLength)
    return line.isEmpty ? nil : String(line)
  }
}
