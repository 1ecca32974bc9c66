import VmxLibrary
import VmxModel

@testable import VmxTransfer

/// Parsers of response headers, and of the checksum files beside media files.
enum HeaderTargets {
  static let all = [
    FuzzTarget(name: "head", take: head), FuzzTarget(name: "content-range", take: contentRange),
    FuzzTarget(name: "digest", take: digest), FuzzTarget(name: "date", take: date),
    FuzzTarget(name: "url", take: url), FuzzTarget(name: "checksums", take: checksums),
  ]

  private static let now = Timestamp(seconds: 1_700_000_000)
  private static let day: Int64 = 86_400_000

  /// Reads a status and fields as passed by libcurl, and makes every decision that depends on them.
  @Sendable private static func head(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    let status = lines.popFirst().flatMap { Int($0.prefix(3)) } ?? 206
    guard (200...999).contains(status) else { return }
    let fields = lines.map { line in
      let name = line.prefix { $0 != ":" }
      return ResponseHead.Field(
        name: name.lowercased(), value: String(line.dropFirst(name.count + 1)))
    }
    let head = ResponseHead(version: "1.1", status: status, fields: fields)
    hold(head.contentLength.map { $0 >= 0 } ?? true, "a length is none below zero")
    let version = head.sourceVersion
    hold(version.agreement(with: version) != .different, "a version agrees with itself")
    if let wait = head.retryAfter(now: now, cap: day) {
      hold((0...day).contains(wait), "a wait is within its bounds")
    }
    for plan in plans(version) { decide(head, plan, version) }
  }

  private static func plans(_ version: SourceVersion) -> [RangePlan] {
    var plans = [
      RangePlan.fullFile, RangePlan(condition: .range, start: 100, overlap: 10),
      RangePlan(condition: .range, start: 0, end: 65_536, overlap: 65_536, isProbe: true),
    ]
    if let strong = version.validators.strong {
      hold(!strong.hasPrefix("W/"), "a weak tag is never strong")
      plans.append(RangePlan(condition: .version(strong), start: 100))
    }
    return plans
  }

  private static func decide(_ head: ResponseHead, _ plan: RangePlan, _ known: SourceVersion) {
    switch ResumeDecision.of(head, to: plan, known: known, held: 100) {
    case .append(let start, let end):
      hold(start == plan.start && start < end, "what is taken is what was asked for")
      hold(plan.end.map { end <= $0 } ?? true, "and no more of it")
      hold(head.status == 206, "only a part is a part")
    case .complete: hold(head.status == 416, "only an end is an end")
    case .startOver: hold(head.status != 206, "a part is never the whole")
    case .abandon, .refuse: break
    }
  }

  @Sendable private static func contentRange(_ bytes: [UInt8]) {
    switch ContentRange(String(decoding: bytes, as: UTF8.self)) {
    case .sent(let start, let end, let total):
      hold(start >= 0 && start < end && end <= total ?? .max, "a range lies within its whole")
    case .unsatisfied(let total): hold(total >= 0, "a whole is none below zero")
    case nil: break
    }
  }

  @Sendable private static func digest(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for algorithm in DigestAlgorithm.allCases {
      let digest = DigestField.digest(algorithm, in: text)
      hold(digest.map { $0.algorithm == algorithm } ?? true, "a digest is of its function")
    }
  }

  @Sendable private static func date(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = Timestamp(httpDate: text)
    let fields = [
      ResponseHead.Field(name: "retry-after", value: text),
      ResponseHead.Field(name: "date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
    ]
    let head = ResponseHead(version: "1.1", status: 503, fields: fields)
    let wait = head.retryAfter(now: now, cap: day)
    hold(wait.map { (0...day).contains($0) } ?? true, "a wait is within its bounds")
  }

  /// Reads a URL, and the same text as a `Location`.
  @Sendable private static func url(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    hold(!URLRedaction.redacted(text).contains("?"), "no query is shown")
    hold(hidesUserInfo(behind: text), "no user info is shown")
    if let url = RequestURL(text) { check(url) }
    if let base = RequestURL("http://h.example/a/b?c"), let url = base.resolving(text) {
      check(url)
    }
    do throws(Failure) {
      let url = try WebURL(text)
      hold(try WebURL(url.text).text == url.text, "a normal form stays as it is")
    } catch {
      hold(!error.summary.contains("?") || !text.contains("?"), "no query is shown")
    }
  }

  /// Whether a password that ends in a mark is redacted, whatever text precedes the mark. In the
  /// path of a valid URL, the same characters are not a password.
  private static func hidesUserInfo(behind text: String) -> Bool {
    let mark = "Zq9secret"
    let whole = "https://\(text)\(mark)@h.example/"
    guard URLRedaction.redacted(whole).contains(mark) else { return true }
    do throws(Failure) {
      return try WebURL(whole).path.contains(mark)
    } catch {
      return false
    }
  }

  private static func check(_ url: RequestURL) {
    hold(["http", "https"].contains(url.origin.scheme), "only http and https are asked")
    hold(!url.redacted.contains("?"), "no query is shown")
    hold(!url.text.utf8.contains { $0 < 0x20 }, "no line end gets into a request")
    let pieces = url.pieces
    hold(pieces.folder + pieces.name + pieces.query == url.text, "the pieces make the whole")
    hold(RequestURL(url.text)?.origin == url.origin, "what is asked is what was checked")
  }

  @Sendable private static func checksums(_ bytes: [UInt8]) {
    guard let file = ChecksumFile(bytes) else { return }
    for name in ["a.mp4", "b", ""] { _ = file.digest(of: name) }
  }
}
