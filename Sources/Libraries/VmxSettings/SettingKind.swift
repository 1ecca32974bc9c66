package import VmxModel
import VmxNaming

/// The kind of values that a setting accepts.
package enum SettingKind: Sendable, Equatable {
  /// A Boolean in git's words.
  case bool
  /// An integer within bounds.
  case integer(ClosedRange<Int64>)
  /// A number of bytes.
  case size
  /// A rate in bytes per second.
  case speed
  /// A duration within bounds, in milliseconds.
  case duration(ClosedRange<Int64>)
  /// One of a list of words.
  case choice([String])
  /// An absolute path, or one below the user's home folder.
  case path
  /// A window of times of day.
  case window
  /// A rule that selects one of several files of a video.
  case quality
  /// A template for the names of new media files.
  case nameTemplate
  /// Any text.
  case text
  /// A Boolean, an absolute path, or a path below the user's home folder.
  case optionalPath
  /// `none`, or the URL of a proxy; may contain a password.
  case proxy
  /// A header line that vmx does not generate itself; may contain a secret.
  case headerField
  /// A rate in bytes per second, by the time of day.
  case rate
  /// A number of requests per interval.
  case callBudget
  /// A number of bytes, or a percentage of the disk.
  case diskQuota
  /// An http or https URL, or nothing; may contain a password.
  case webURL
  /// The rule of a feed that selects the wanted episodes.
  case wantRule
  /// Some of a list of words, separated by blanks or commas, or `none`.
  case someOf([String])
  /// Pairs of a local folder and its path in Kodi; may contain a password.
  case pathMap

  /// The bounds of an unlimited duration.
  private static let anyDuration: ClosedRange<Int64> = 0 ... .max

  /// A parsed value of the kind.
  enum Value: Sendable, Equatable {
    case bool(Bool)
    case integer(Int64)
    case size(ByteCount)
    case duration(Int64)
    case text(String)
    case window(TimeWindow)
    case quality(Quality)
    case nameTemplate(NameTemplate)
    case rate(RateSchedule)
    case callBudget(CallBudget)
    case diskQuota(DiskQuota)
  }

  /// The accepted values, worded for messages and the manual.
  package var allowed: String {
    switch self {
    case .bool: "true or false (yes, no, on, off, 1, 0)"
    case .integer(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .size: ByteCount.allowed
    case .speed: ByteCount.allowedRate
    case .duration(Self.anyDuration): DurationText.allowed
    case .duration(let bounds):
      "\(DurationText.allowed), from \(DurationText.text(of: bounds.lowerBound)) to "
        + DurationText.text(of: bounds.upperBound)
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .path: "a path that begins with '/' or '~/'"
    case .window: "always, or times of day such as 01:00-06:00, joined by commas"
    case .quality: Quality.allowed
    case .nameTemplate: NameTemplate.allowed
    case .text: "any text"
    case .optionalPath: "true, false, a path that begins with '/' or '~/'"
    case .proxy: "none, or a URL of http, https, socks4, socks4a, socks5 or socks5h"
    case .headerField: "'Name: value', except for headers that vmx sets itself"
    case .callBudget: CallBudget.allowed
    case .diskQuota: DiskQuota.allowed
    case .rate: RateSchedule.allowed
    case .webURL: "an http or https URL"
    case .wantRule: WantRule.allowed
    case .someOf(let words): "some of \(words.joined(separator: ", ")), or none"
    case .pathMap: "pairs of a folder and Kodi's path, such as /srv/media=smb://nas/media"
    }
  }

  /// The name of the kind as one word, as in vmx-config(5).
  package var name: String {
    switch self {
    case .bool: "truth"
    case .integer: "number"
    case .size: "size"
    case .speed, .rate: "rate"
    case .duration: "duration"
    case .choice: "word"
    case .path: "path"
    case .window: "times"
    case .quality: "quality"
    case .nameTemplate: "template"
    case .text: "text"
    case .optionalPath: "truth or path"
    case .proxy: "proxy"
    case .headerField: "header"
    case .callBudget: "budget"
    case .diskQuota: "share"
    case .webURL: "URL"
    case .wantRule: "want"
    case .someOf: "words"
    case .pathMap: "paths"
    }
  }

  /// Words that are values, for completions; not all values of most kinds.
  package var words: [String] {
    switch self {
    case .bool: ["true", "false"]
    case .choice(let words): words
    case .someOf(let words): words + ["none"]
    case .wantRule: ["none", "all", "new"]
    case .window: ["always"]
    case .quality: ["first", "best", "smallest"]
    case .optionalPath: ["true", "false"]
    case .proxy: ["none"]
    case .size, .rate, .diskQuota: ["0"]
    case .integer, .speed, .duration, .path, .nameTemplate, .text, .headerField, .callBudget,
      .webURL, .pathMap:
      []
    }
  }

  /// Whether its values may be secret, so that messages never show them.
  package var isSecret: Bool { [.proxy, .headerField, .webURL, .pathMap].contains(self) }

  /// Whether its values are used as text.
  var isText: Bool {
    switch self {
    case .text, .webURL, .wantRule, .someOf, .pathMap: true
    default: false
    }
  }

  /// Parses a value; nil if it is not allowed. A key without a value is true.
  func value(of text: String?) -> Value? {
    guard let text else { return [.bool, .optionalPath].contains(self) ? .bool(true) : nil }
    switch self {
    case .bool: return Self.bool(text).map { .bool($0) }
    case .integer(let bounds):
      return Int64(text).flatMap { bounds.contains($0) ? .integer($0) : nil }
    case .size: return ByteCount(text: text).map { .size($0) }
    case .speed: return ByteCount(rate: text).map { .size($0) }
    case .duration(let bounds):
      return DurationText.milliseconds(of: text).flatMap {
        bounds.contains($0) ? .duration($0) : nil
      }
    case .quality: return Quality(text: text).map { .quality($0) }
    case .nameTemplate: return NameTemplate(text).map { .nameTemplate($0) }
    case .choice(let words): return words.contains(text) ? .text(text) : nil
    case .window: return TimeWindow(text).map { .window($0) }
    case .path: return Self.path(text)
    case .optionalPath: return Self.bool(text).map { .bool($0) } ?? Self.path(text)
    case .proxy: return Self.isProxy(text) ? .text(text) : nil
    case .headerField: return Self.headerField(text).map { .text($0) }
    case .rate: return RateSchedule(text).map { .rate($0) }
    case .callBudget: return CallBudget(text).map { .callBudget($0) }
    case .diskQuota: return DiskQuota(text).map { .diskQuota($0) }
    case .text: return .text(text)
    case .webURL: return Self.isWebURL(text) ? .text(text) : nil
    case .wantRule: return text.isEmpty || WantRule(text: text) != nil ? .text(text) : nil
    case .someOf(let words):
      let given = text.split { $0 == " " || $0 == "," }
      return given.allSatisfy { words.contains(String($0)) || $0 == "none" } ? .text(text) : nil
    case .pathMap: return Self.isPathMap(text) ? .text(text) : nil
    }
  }

  /// Parses a value of an option or a setting.
  ///
  /// - Parameter key: the name of the setting.
  /// - Throws: `usage` for an option of the tool, `bad-setting` for every other origin; both name
  ///   the origin and the allowed values.
  func parse(
    _ text: String?, of key: String, at origin: SettingOrigin
  ) throws(Failure) -> Value {
    if let value = value(of: text) { return value }
    let found = text.map { isSecret ? "is invalid" : "is '\($0)'" } ?? "has no value"
    let said = "\(found), must be \(allowed)"
    if case .option(let name) = origin {
      throw Failure(.usage, "'\(name)' \(said)", hint: "give '\(name)' a valid value")
    }
    throw Failure(
      .badSetting, "\(origin.phrase): '\(key)' \(said)",
      hint: "set '\(key)' to a valid value")
  }

  /// Checks the value of an option.
  ///
  /// - Throws: `usage`.
  package func check(_ text: String, of option: String) throws(Failure) {
    _ = try parse(text, of: option, at: .option(option))
  }

  /// Returns the size in the value of an option.
  ///
  /// - Throws: `usage`.
  package static func size(_ text: String, of option: String) throws(Failure) -> ByteCount {
    guard case .size(let size) = try Self.size.parse(text, of: option, at: .option(option)) else {
      fatalError("a size was parsed as another kind")
    }
    return size
  }

  /// Returns the milliseconds of the duration in the value of an option.
  ///
  /// - Throws: `usage`.
  package static func duration(_ text: String, of option: String) throws(Failure) -> Int64 {
    let kind = Self.duration(anyDuration)
    guard case .duration(let span) = try kind.parse(text, of: option, at: .option(option)) else {
      fatalError("a duration was parsed as another kind")
    }
    return span
  }

  private static func path(_ text: String) -> Value? {
    (text.hasPrefix("/") || text == "~" || text.hasPrefix("~/")) ? .text(text) : nil
  }

  private static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0", "": false
    default: nil
    }
  }

  /// The headers that select the bytes of a file or control the connection. Setting them from
  /// outside would corrupt files.
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "range", "if-range", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since", "want-repr-digest", "content-length", "transfer-encoding", "te",
    "trailer", "connection", "upgrade", "expect", "host",
  ]

  /// Parses `Name: value` (RFC 9110, section 5); nil for a malformed line or a header that vmx
  /// sets.
  private static func headerField(_ line: String) -> String? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = line[..<colon]
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let isToken = { (byte: UInt8) in
      byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
    guard !name.isEmpty, !value.isEmpty, name.utf8.allSatisfy(isToken),
      value.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }),
      !ownHeaders.contains(name.lowercased())
    else { return nil }
    return "\(name): \(value)"
  }

  /// Whether the text is an http or https URL; an empty one means none.
  private static func isWebURL(_ text: String) -> Bool {
    do throws(Failure) {
      if !text.isEmpty { _ = try WebURL(text) }
      return true
    } catch {
      return false
    }
  }

  private static func isPathMap(_ text: String) -> Bool {
    do throws(Failure) {
      _ = try KodiPathMap(text, home: "/")
      return true
    } catch {
      return false
    }
  }

  /// Whether the text is `none`, or a URL with a proxy scheme and a host.
  private static func isProxy(_ text: String) -> Bool {
    if text == "none" { return true }
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    guard let mark = text.firstRange(of: "://"),
      schemes.contains(text[..<mark.lowerBound].lowercased())
    else { return false }
    let authority = text[mark.upperBound...].prefix { $0 != "/" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return !host.isEmpty && !host.hasPrefix(":")
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }
}
