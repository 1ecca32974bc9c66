import VmxJSON
import VmxModel

/// What ffprobe says of a file.
enum ProbeReport: Equatable, Sendable {
  /// It has these tracks of pictures and sound.
  case tracks([MediaTrack])
  /// Its bytes are none that ffprobe can read, for this reason.
  case unreadable(String)
  /// ffprobe did not do its work; that says nothing about the bytes.
  case none(String)

  /// Fields that are asked for, as `-show_entries` takes them.
  static let fields =
    "stream=codec_type,duration:stream_tags=DURATION,DURATION-eng"
    + ":stream_disposition=attached_pic:format=duration,format_name:error=code,string"

  /// What ffprobe calls a file of bytes that are in no order, that end too early, and that it is
  /// not allowed to read as what they are (`libavutil/error.h`). Any other failure is its own or
  /// the system's.
  private static let faults: Set<Int64> = [-1_094_995_529, -541_478_725, -22]
  /// Formats that know no times: what ffprobe says of them is guessed from rates.
  private static let timeless = "mpegvideo"
  /// More of a complaint is not told.
  private static let longest = 160

  /// Reads what ffprobe printed when it ended with a status.
  ///
  /// - Parameters:
  ///   - output: one JSON object, where it did its work.
  ///   - errors: the beginning of its complaints.
  ///   - name: what it was told to read, which nobody knows the file by.
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

  /// A track that plays: attached pictures, subtitles and data do not.
  private static func track(_ stream: JSONObject?, in format: JSONObject?) -> MediaTrack? {
    guard let stream, let kind = stream["codec_type"]?.string.flatMap(MediaTrack.Kind.init),
      (stream["disposition"]?.object?["attached_pic"]?.integer ?? 0) == 0
    else { return nil }
    guard format?["format_name"]?.string != timeless else { return MediaTrack(kind, nil) }
    let tags = stream["tags"]?.object
    let said = [stream["duration"], tags?["DURATION"], tags?["DURATION-eng"], format?["duration"]]
    return MediaTrack(kind, said.lazy.compactMap { milliseconds($0) }.first)
  }

  /// A length of nothing is none: that is how a file says that it does not know.
  private static func milliseconds(_ value: JSONValue?) -> Int64? {
    guard let length = value?.string.flatMap(PlayingTime.milliseconds), length > 0 else {
      return nil
    }
    return length
  }

  /// The first line of what was printed to standard error, without what differs from run to run.
  private static func complaint(in errors: [UInt8], name: String) -> String? {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.lazy.compactMap { line in
      var line = line
      // `[mov @ 0x55d0c0ffee00] `: who complains, and where that stands in memory.
      while line.hasPrefix("["), let end = line.firstIndex(of: "]"), line[..<end].contains(" @ 0x")
      {
        line = line[line.index(after: end)...].drop(while: \.isWhitespace)
      }
      if line.hasPrefix("\(name): ") { line = line.dropFirst(name.count + 2) }
      return cleaned(String(line))
    }.first
  }

  /// The text without control characters, in a line that can be read; nil where nothing is left.
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
