import ArgumentParser
import VmxModel
import VmxSettings

/// The rules of a feed, for `vmx feed add` and `vmx feed import`.
struct FeedRuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "New episodes to fetch: none, all, new, latest:N.", valueName: "rule"),
    completion: .list(["none", "all", "new", "latest:5"]))
  var want: String?

  @Option(
    help: ArgumentHelp(
      "Let 'vmx clean' keep this many newest episodes, or all.", valueName: "n"),
    completion: .list(["all", "5"]))
  var keepLast: String?

  @Option(
    help: ArgumentHelp("Only episodes with this in the title; may be repeated.", valueName: "text"))
  var match: [String] = []

  @Option(
    help: ArgumentHelp("Skip episodes with this in the title; may be repeated.", valueName: "text"))
  var skip: [String] = []

  @Option(
    help: ArgumentHelp("File to choose of several: best, 720p, max:300M, ….", valueName: "which"),
    completion: .list(["first", "best", "smallest", "1080p", "720p", "480p"]))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "For another version of a ready episode: keep, fetch, both.", valueName: "rule"),
    completion: .list(VersionRule.allCases.map(\.rawValue)))
  var onChange: String?

  @Option(
    help: ArgumentHelp(
      "Store new files in this folder of the library; '' for the show's folder.",
      valueName: "name"))
  var folder: String?

  @Option(help: ArgumentHelp("Interval between checks, such as 6h.", valueName: "time"))
  var every: String?

  @Option(help: ArgumentHelp("Title of the show, instead of the feed's.", valueName: "text"))
  var title: String?

  /// Whether no rule was given.
  var isEmpty: Bool {
    [want, keepLast, quality, onChange, folder, every, title].allSatisfy { $0 == nil }
      && match.isEmpty && skip.isEmpty
  }

  /// The rules of a feed as attributes of an OPML document, by the names of the options.
  static func attributes(of feed: Subscription) -> [String: String] {
    var rules: [String: String] = [:]
    if feed.want != .none { rules["want"] = feed.want.text }
    rules["keep-last"] = feed.keepLast.map { "\($0)" }
    if !feed.matching.isEmpty { rules["match"] = feed.matching.joined(separator: "\n") }
    if !feed.skipping.isEmpty { rules["skip"] = feed.skipping.joined(separator: "\n") }
    rules["quality"] = feed.quality
    if feed.onChange != .keep { rules["on-change"] = feed.onChange.rawValue }
    rules["folder"] = feed.folder
    rules["every"] = feed.interval.map { "\($0 / 1000)s" }
    return rules
  }

  /// Returns the rules of an OPML document, with those of the command line instead where given.
  func filling(_ attributes: [String: String]) -> FeedRuleOptions {
    func list(_ name: String) -> [String] {
      attributes[name]?.split(separator: "\n").map(String.init) ?? []
    }
    var rules = self
    rules.want = want ?? attributes["want"]
    rules.keepLast = keepLast ?? attributes["keep-last"]
    rules.match = match.isEmpty ? list("match") : match
    rules.skip = skip.isEmpty ? list("skip") : skip
    rules.quality = quality ?? attributes["quality"]
    rules.onChange = onChange ?? attributes["on-change"]
    rules.folder = folder ?? attributes["folder"]
    rules.every = every ?? attributes["every"]
    return rules
  }

  /// Sets the given rules of a feed; its other rules are not changed.
  ///
  /// - Throws: `usage` for an invalid value.
  func apply(to feed: inout Subscription) throws(Failure) {
    if let want {
      guard let rule = WantRule(text: want) else {
        throw Failure(.usage, "invalid --want '\(want)': must be \(WantRule.allowed)")
      }
      feed.want = rule
    }
    if let keepLast {
      let number = Int64(keepLast)
      guard keepLast == "all" || number.map({ $0 > 0 }) == true else {
        throw Failure(.usage, "--keep-last requires a number, 1 or more, or all")
      }
      feed.keepLast = number
    }
    if !match.isEmpty { feed.matching = match }
    if !skip.isEmpty { feed.skipping = skip }
    if let quality {
      guard Quality(text: quality) != nil else {
        throw Failure(.usage, "invalid --quality '\(quality)': must be \(Quality.allowed)")
      }
      feed.quality = quality
    }
    if let onChange {
      guard let rule = VersionRule(rawValue: onChange) else {
        throw Failure(
          .usage, "invalid --on-change '\(onChange)': must be \(VersionRule.allowed)")
      }
      feed.onChange = rule
    }
    if let folder {
      guard folder.isEmpty || MediaFolder.isValid(folder) else {
        throw Failure(.usage, "invalid --folder '\(folder)': must be \(MediaFolder.allowed)")
      }
      feed.folder = folder.isEmpty ? nil : folder
    }
    if let every { feed.interval = max(1, try SettingKind.duration(every, of: "--every")) }
    if let title { feed.title = title }
  }
}
