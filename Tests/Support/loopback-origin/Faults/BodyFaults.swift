/// The faults of a response body: other content, or changed bytes.
struct BodyFaults: Sendable {
  enum Digest: Sendable {
    case right
    case wrong
  }

  var isEmpty = false
  /// Whether a page of a captive portal is sent instead of the file.
  var isPage = false
  /// The Content-Type, overriding that of the file; an empty one is omitted.
  var type: String?
  /// Offsets of bytes that are sent inverted.
  var flipped: [Int64] = []
  /// Bytes that are sent as zeros.
  var zeroed: Range<Int64>?
  /// The content coding that is actually applied to the body.
  var coding: BodyCoding?
  /// A Content-Encoding that is declared without being applied.
  var claimedCoding: String?
  var digest: (field: String, digest: Digest)?
  var contentDigest: Digest?
  /// Literal header fields.
  var fields: [(name: String, value: String)] = []

  static let words: [FaultWord] = [
    FaultWord("empty", "", "200 with an empty body") { behaviour, _ in
      behaviour.body.isEmpty = true
    },
    FaultWord("page", "[TYPE]", "200 with a page of HTML (said to be TYPE)") {
      $0.body.isPage = true
      $0.body.type = try $1.text(0, else: "text/html; charset=utf-8")
    },
    FaultWord("type", "TEXT", "send this Content-Type ('-': none)") {
      let text = try $1.rest(0)
      $0.body.type = text == "-" ? "" : text
    },
    FaultWord("flip", "OFFSET", "invert the byte at OFFSET of the file") {
      $0.body.flipped.append(try $1.integer(0))
    },
    FaultWord("zero", "OFFSET:BYTES", "zeros instead of these bytes of the file") {
      let start = try $1.integer(0)
      $0.body.zeroed = start..<(start + max(0, try $1.integer(1)))
    },
    FaultWord("gzip", "[CUT]", "200 in gzip, unasked, without its last CUT bytes") {
      $0.body.coding = .gzip(cut: Int(try $1.integer(0, else: 0)))
    },
    FaultWord("gzip-crc", "", "200 in gzip with a wrong CRC") { behaviour, _ in
      behaviour.body.coding = .wrongGzip
    },
    FaultWord("gzip-bomb", "BYTES", "200 in gzip with so many zeros behind the file") {
      $0.body.coding = .bomb(zeros: Int(try $1.integer(0)))
    },
    FaultWord("brotli", "", "200 in br, unasked") { behaviour, _ in
      behaviour.body.coding = .brotli
    },
    FaultWord("coding", "TEXT", "claim that coding, send the bytes as they are") {
      $0.body.claimedCoding = try $1.text(0)
    },
    FaultWord("digest", "[right|wrong]", "send Repr-Digest") {
      let isRight = try $1.text(0, else: "right") == "right"
      $0.body.digest = ("Repr-Digest", isRight ? .right : .wrong)
    },
    FaultWord("old-digest", "[right|wrong]", "send Digest (RFC 3230)") {
      let isRight = try $1.text(0, else: "right") == "right"
      $0.body.digest = ("Digest", isRight ? .right : .wrong)
    },
    FaultWord("content-digest", "[right|wrong]", "send Content-Digest, of a range's own bytes") {
      $0.body.contentDigest = try $1.text(0, else: "right") == "right" ? .right : .wrong
    },
    FaultWord("header", "NAME=VALUE", "send this header field, word for word") {
      let sides = try $1.rest(0).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      $0.body.fields.append((String(sides[0]), sides.count == 2 ? String(sides[1]) : ""))
    },
    FaultWord("disposition", "NAME", "suggest that file name") {
      $0.body.fields.append(
        ("Content-Disposition", "attachment; filename=\"\(try $1.rest(0))\""))
    },
  ]
}
