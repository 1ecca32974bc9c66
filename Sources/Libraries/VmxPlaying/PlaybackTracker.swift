import VmxModel

// The messages of mpv's IPC, see mpv(1), "JSON IPC". A property without a value has no `data`.
// Events and responses arrive in any order; responses are ignored. The last `time-pos` is one frame
// before the end, so the end is detected by `end-file` with the reason `eof`. With `--keep-open`,
// mpv sets `eof-reached` instead.

/// Tracks one playback from the messages of mpv.
struct PlaybackTracker {
  /// The properties that mpv reports, by observation id.
  static let properties = [1: "time-pos", 2: "duration", 3: "pause", 4: "eof-reached"]

  /// The playback so far.
  private(set) var playback: Playback
  /// Whether playback has started.
  private(set) var hasBegun = false
  /// The last position during continuous playback; nil after a jump.
  private var last: Int64?

  /// Creates a tracker of a playback that begins at a position in milliseconds.
  init(from start: Int64) {
    playback = Playback(from: start)
  }

  /// Processes a message.
  ///
  /// - Returns: whether the position should be recorded immediately: after a jump and at a pause.
  mutating func process(_ message: JSONObject) -> Bool {
    switch message["event"]?.string {
    case "property-change": return change(message["name"]?.string, to: message["data"])
    case "playback-restart":
      let isFirst = !hasBegun
      hasBegun = true
      last = nil
      return !isFirst
    case "end-file":
      if message["reason"]?.string == "eof" { playback.isFinished = true }
      if message["reason"]?.string == "error" {
        playback.problem = message["file_error"]?.string ?? "cannot play the file"
      }
      return false
    default: return false
    }
  }

  private mutating func change(_ name: String?, to value: JSONValue?) -> Bool {
    switch name {
    case "time-pos":
      guard let position = value?.milliseconds else { return false }
      if let last, position > last { playback.seen = playback.seen.addingClamped(position - last) }
      (last, playback.position) = (position, position)
      return false
    case "duration":
      if let length = value?.milliseconds { playback.duration = length }
      return false
    case "eof-reached":
      playback.isFinished = value?.bool ?? playback.isFinished
      return false
    case "pause": return hasBegun && value?.bool == true
    default: return false
    }
  }
}

extension JSONValue {
  /// The seconds as whole milliseconds; nil for other values and for implausible numbers.
  fileprivate var milliseconds: Int64? {
    let seconds: Double
    switch self {
    case .integer(let number): seconds = Double(number)
    case .double(let number): seconds = number
    default: return nil
    }
    guard seconds >= 0, seconds < 1e9 else { return nil }
    return Int64((seconds * 1000).rounded())
  }
}
