import ArgumentParser
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxNaming
import VmxSettings

/// A program whose output `vmx add` reads. The raw value is the value of `--from`.
enum RowOrigin: String, CaseIterable, ExpressibleByArgument {
  /// yt-dlp with `-J` or `-j`.
  case ytDlp = "yt-dlp"
}

/// The options that describe an episode.
struct DescriptionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Read the output of 'yt-dlp -J'.", valueName: "program"))
  var from: RowOrigin?
  @Flag(help: "Complete existing episodes by season and number; add new ones.")
  var merge = false
  @Option(help: ArgumentHelp("Id of the episode.", valueName: "id"))
  var id: String?
  @Option(
    help: ArgumentHelp(
      "Add sources or parts to this existing episode.", valueName: "id"))
  var to: String?
  @Flag(help: "With --to: replace the failed sources.")
  var replace = false
  @Option(
    help: ArgumentHelp(
      "Title of the show.", valueName: "title"))
  var show: String?
  @Option(help: ArgumentHelp("Season; 0 for specials.", valueName: "n"))
  var season: Int64?
  @Option(help: ArgumentHelp("Number within the season.", valueName: "n"))
  var number: Int64?
  @Option(
    help: ArgumentHelp("Number the URLs and files from here on, in their order.", valueName: "n"))
  var numberFrom: Int64?
  @Option(help: ArgumentHelp("Date of first showing, YYYY-MM-DD.", valueName: "day"))
  var date: String?
  @Option(help: ArgumentHelp("Title of the episode.", valueName: "title"))
  var title: String?
  @Option(help: ArgumentHelp("SHA-256 of the video as published.", valueName: "hex"))
  var sha256: String?
  @Option(help: ArgumentHelp("Size of the video as published.", valueName: "size"))
  var size: String?
  @Option(
    help: ArgumentHelp(
      "Duration of the video as published: 1:02:03, 62m.", valueName: "time"))
  var duration: String?
  @Option(help: ArgumentHelp("Main language, such as de or pt-BR.", valueName: "tag"))
  var language: String?
  @Option(
    help: ArgumentHelp("Age rating, such as FSK-12, PG-13 or 16.", valueName: "rating"))
  var ageRating: String?
  @Option(help: ArgumentHelp("Subtitle in this language; may be repeated.", valueName: "lang=url"))
  var subtitle: [String] = []
  @Option(help: ArgumentHelp("Image of the episode.", valueName: "url"))
  var image: String?
  @Option(
    help: ArgumentHelp(
      "Licence of the episode: a URL, or a file that also names its video.",
      valueName: "file"))
  var licence: String?
  @Option(
    help: ArgumentHelp(
      "Parts required for 'ready', such as subtitle:en.", valueName: "parts"))
  var require: [String] = []
  @Option(help: ArgumentHelp("Whether the episode is wanted.", valueName: "want"))
  var want: Want?

  /// The URL of the licence; nil for a file.
  private var licenceURL: WebURL? {
    get throws(Failure) {
      guard let licence, WebURL.isMeant(by: licence) else { return nil }
      return try WebURL(licence)
    }
  }

  /// Rejects options that describe a single episode if there are several operands or rows.
  func validate(describing count: Int) throws {
    try checkNotNegative("--season", season)
    try checkNotNegative("--number", number)
    try checkNotNegative("--number-from", numberFrom)
    guard numberFrom == nil || number == nil else {
      throw ValidationError("--number and --number-from exclude each other")
    }
    guard numberFrom == nil || count > 0 else {
      throw ValidationError("--number-from numbers operands, which are missing")
    }
    guard from == nil || to == nil else {
      throw ValidationError("--from and --to exclude each other")
    }
    guard !merge || (from == nil && to == nil && id == nil) else {
      throw ValidationError("--merge excludes --from, --to and --id")
    }
    guard to == nil || id == nil else {
      throw ValidationError("--to and --id exclude each other")
    }
    guard to != nil || !replace else { throw ValidationError("--replace requires --to") }
    let addsParts = count == 0 && !partsOnlyTarget.isEmpty
    let single: [(String, Bool)] = [
      ("--id", id != nil), ("--number", number != nil), ("--date", date != nil),
      ("--title", title != nil), ("--sha256", sha256 != nil), ("--size", size != nil),
      ("--duration", duration != nil), ("--licence", licence != nil),
      ("--subtitle", !subtitle.isEmpty && !addsParts), ("--image", image != nil && !addsParts),
    ]
    guard count != 1, let option = single.first(where: { $0.1 })?.0 else { return }
    throw ValidationError("\(option) describes one episode and requires exactly one URL or file")
  }

  /// Whether `apply` has anything to add. The caller caches the result, since each access to an
  /// option is a lookup in the parser's tables.
  var describe: Bool {
    [id, to, show, date, title, language, image, licence, ageRating].contains { $0 != nil }
      || season != nil
      || number != nil
      || !require.isEmpty || !subtitle.isEmpty || want != nil
  }

  /// The id of the episode to which only a subtitle or an image is added; empty if a video is
  /// added too.
  var partsOnlyTarget: [String] {
    guard let to, !subtitle.isEmpty || image != nil else { return [] }
    return [to]
  }

  /// Adds the options to a description. Existing values of `show`, `season`, `language`, `want` and
  /// `ageRating` take precedence.
  func apply(to description: inout EpisodeDescription) throws(Failure) {
    if let id { description.id = try EpisodeID(id) }
    if let to {
      description.id = try EpisodeID(to)
      description.joining = replace ? .replacing : .adding
    }
    description.show = description.show ?? show
    description.season = description.season ?? season
    description.number = number ?? description.number
    // Text of only white space counts as missing, as in rows and records.
    let title = title?.allSatisfy(\.isWhitespace) == true ? nil : title
    description.title = title ?? description.title
    description.want = description.want ?? want
    if let date {
      guard let day = CalendarDay(date) else {
        throw Failure(
          .usage, "not a date as YYYY-MM-DD: '\(date)'",
          hint: "write year, month and day in this order, such as 2024-05-20")
      }
      description.date = day
    }
    description.duration = try publishedDuration() ?? description.duration
    if let language {
      guard let tag = LanguageTag.normalised(language) else {
        throw Failure(.usage, "not a language tag such as de or pt-BR: '\(language)'")
      }
      description.language = description.language ?? tag
    }
    if let ageRating {
      guard let rating = AgeRating(ageRating), rating.age != nil else {
        throw Failure(
          .usage, "unknown age rating '\(ageRating)'",
          hint: "give an age, or a rating such as FSK-12, PG-13, TV-14")
      }
      description.ageRating = description.ageRating ?? rating
    }
    if !require.isEmpty { description.required = try PartSelection(require) }
    for option in subtitle { try description.add(PartDescription(subtitle: option)) }
    if licence != nil { try description.add(PartDescription(licence: licenceURL)) }
    if let image {
      let variant = VariantDescription(sources: [try WebURL(image)])
      try description.add(PartDescription(role: .image, variants: [variant]))
    }
  }

  /// Sets the number of the operand at a position, with `--number-from`.
  func number(_ description: inout EpisodeDescription, at index: Int64) {
    guard let numberFrom else { return }
    description.number = numberFrom.addingClamped(index)
    description.derived.remove(.number)
  }

  /// Describes the episode whose video is at a URL.
  func description(of url: WebURL) throws(Failure) -> EpisodeDescription {
    var description = EpisodeDescription()
    try description.add(video(at: url))
    try apply(to: &description)
    return description
  }

  /// Describes the episode of a file. Show, season, number, date and title come from its path
  /// unless options give them. Without a season, number or date in the path, the folder is the show
  /// and the stem the title.
  ///
  /// - Parameter isNumbered: whether the files begin with numbers, as in `EpisodeFileName`.
  func description(
    ofFile path: FilePath, isNumbered: Bool
  ) throws(Failure) -> EpisodeDescription {
    var description = EpisodeDescription()
    try description.add(video(at: nil))
    try apply(to: &description)
    let given: [(PathField, Bool)] = [
      (.title, description.title != nil), (.showTitle, false),
      (.season, description.season != nil), (.number, description.number != nil),
      (.date, description.date != nil),
    ]
    description.derived = Set(given.filter { !$0.1 }.map(\.0))
    let plain = FilePath(CompanionFileName.withoutQuery(path.string))
    description.fileName = plain.stem
    description.isOnlyOfTitle = true
    let name = EpisodeFileName(plain.string, isNumbered: isNumbered)
    let folder = path.removingLastComponent().lastComponent?.string ?? "files"
    if name.hasPlace, !name.isExtra {
      description.season = description.season ?? name.season
      description.number = description.number ?? name.number ?? name.absolute
      description.date = description.date ?? name.date
      description.title =
        description.title ?? name.title
        ?? MediaName.place(
          season: description.season, number: description.number, date: description.date)
    } else if let season = name.season {
      // Extras and other specials without a number belong to the show above their folder.
      description.season = description.season ?? season
    }
    description.title = description.title ?? name.plainStem
    description.showTitle = description.show == nil ? name.showTitle ?? folder : nil
    var kept = Set(given.filter(\.1).map(\.0))
    if description.show != nil { kept.insert(.showTitle) }
    description.fill(byVideo: path, name, keeping: kept)
    return description
  }

  /// Returns the video at a URL, or in a file if nil, with its published size, digest and duration.
  private func video(at url: WebURL?) throws(Failure) -> PartDescription {
    let variant = VariantDescription(
      sources: url.map { [$0] } ?? [], size: try publishedSize(), sha256: try digest(),
      duration: try publishedDuration())
    let isSpecified =
      !variant.sources.isEmpty || variant.size != nil || variant.sha256 != nil
      || variant.duration != nil
    return PartDescription(role: .video, variants: isSpecified ? [variant] : [])
  }

  private func publishedSize() throws(Failure) -> ByteCount? {
    guard let size else { return nil }
    return try SettingKind.size(size, of: "--size")
  }

  private func publishedDuration() throws(Failure) -> Int64? {
    guard let duration else { return nil }
    let span = try SettingKind.duration(duration, of: "--duration")
    guard span > 0 else { throw Failure(.usage, "'--duration' must be longer than 0") }
    return span
  }

  private func digest() throws(Failure) -> Digest? {
    guard let sha256 else { return nil }
    guard let digest = Digest(.sha256, hex: sha256) else {
      throw Failure(.usage, "not a SHA-256 digest of 64 hexadecimal digits: '\(sha256)'")
    }
    return digest
  }
}
