/// The faults of responses to range requests.
struct RangeFaults: Sendable {
  enum Ignored: Sendable {
    /// The range is ignored: the response is 200 with the whole file.
    case range
    /// If-Range is ignored: the response is 206 even for another version.
    case ifRange
  }

  var ignored: Ignored?
  /// Whether every range request gets 416.
  var refused = false
  /// The Accept-Ranges field; nil omits it.
  var accepts: String? = "bytes"
  /// The number of bytes by which the body begins later (or earlier); Content-Range is correct.
  var shift: Int64 = 0
  /// The number of bytes by which the body begins later; Content-Range does not show it.
  var hiddenShift: Int64 = 0
  /// The number of bytes missing at the end of the requested range.
  var missing: Int64 = 0
  /// The number added to the total size in Content-Range.
  var totalError: Int64 = 0
  var unknownTotal = false
  /// A literal Content-Range field; an empty one is omitted.
  var contentRange: String?
  var multipart = false
  /// Whether a 206 has the status 200 instead; its body and Content-Range are those of the range.
  var isDisguised = false
  /// Whether a request without a range gets a 206 with the range of all bytes.
  var isUnasked = false

  static let words: [FaultWord] = [
    FaultWord("range-ignored", "", "answer a range with 200 and the whole") { behaviour, _ in
      behaviour.ranges.ignored = .range
    },
    FaultWord("if-range-ignored", "", "206 although the version is another") { behaviour, _ in
      behaviour.ranges.ignored = .ifRange
    },
    FaultWord("range-416", "", "answer any range with 416") { behaviour, _ in
      behaviour.ranges.refused = true
    },
    FaultWord("accept-ranges", "TEXT", "send this Accept-Ranges ('-': none)") {
      let text = try $1.text(0)
      $0.ranges.accepts = text == "-" ? nil : text
    },
    FaultWord("range-shift", "BYTES", "a 206 begins later (earlier), and says so") {
      $0.ranges.shift = try $1.integer(0)
    },
    FaultWord("range-lie", "BYTES", "a 206 begins later and does not say so") {
      $0.ranges.hiddenShift = try $1.integer(0)
    },
    FaultWord("range-short", "BYTES", "a 206 ends so much before what was asked") {
      $0.ranges.missing = try $1.integer(0)
    },
    FaultWord("range-total", "BYTES", "a 206 tells a total wrong by so much") {
      $0.ranges.totalError = try $1.integer(0)
    },
    FaultWord("range-star", "", "a 206 tells '*' as total") { behaviour, _ in
      behaviour.ranges.unknownTotal = true
    },
    FaultWord("content-range", "TEXT", "a 206 with this Content-Range ('-': none)") {
      let text = try $1.rest(0)
      $0.ranges.contentRange = text == "-" ? "" : text
    },
    FaultWord("range-as-200", "", "a range with the status 200") { behaviour, _ in
      behaviour.ranges.isDisguised = true
    },
    FaultWord("unasked-206", "", "a 206 of all bytes without being asked") { behaviour, _ in
      behaviour.ranges.isUnasked = true
    },
    FaultWord("multipart", "", "a 206 of multipart/byteranges for one range") { behaviour, _ in
      behaviour.ranges.multipart = true
    },
  ]
}
