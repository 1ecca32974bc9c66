import VmxJSON
import VmxModel

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
  /// The maximal length of a quoted error message, in characters.
  private static let longest = 160

  /// Parses the output of ffprobe.
  ///
  /// - Parameters:
  ///   - status: the exit status of ffprobe.
  ///   - output: standard output; one JSON object if ffprobe succeeded.
  ///   - errors: the beginning of standard error.
  ///   - name: the input name that ffprobe was given, which the user does not know.
  init(status: Int32, output: [UInt8], errors: [UInt8], name: String) {
    let complaint = Self.complaint(in: errors, name: name)
    guard let object = Self.object(in: output) else {
      let words = status == 0 ? "printed no JSON" : "ended with status \(status)"
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
      let words = status == 0 ? "named no tracks" : "ended with status \(status)"
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

  /// Returns the text without control characters, cut to one readable line; nil if nothing is left.
  private static func cleaned(_ text: String) -> String? {
    let harmless = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    let words = String(String.UnicodeScalarView(harmless)).split(separator: " ")
    let line = words.joined(separator: " ").prefix(longest)
    return line.isEmpty ? nil : String(line)
  }
}
