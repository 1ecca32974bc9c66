import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

// gPodder's folder has a database with all episodes of all feeds, and a folder for each podcast. A
// database that was not closed may lack the last downloads. So a file with the name in an episode's
// URL belongs to that episode, regardless of the recorded state. User names and passwords of feeds
// are not read. Without a database, an OPML file and the names of files and folders are used.

/// Reads the home folder of gPodder 3.
package struct GPodderReader: LegacyReader {
  /// The name of its database.
  static let database = "Database"
  /// The name of the list of its subscriptions.
  static let subscriptions = "subscriptions.opml"
  /// The path of its downloads in its home folder, unless the user has chosen another folder.
  static let downloads = "Downloads/"
  /// gPodder's own files, which are not migrated.
  private static let own: Set<String> = ["Settings.json", "Settings.json.bak"]

  private let tools: LegacyTools

  /// Creates a reader.
  package init(_ tools: LegacyTools) {
    self.tools = tools
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(folder) { findings += $0 }
    return findings
  }

  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    // The downloads are in the folder of the database.
    let home = folder.isSingleFile ? try LegacyFolder(folder.path) : folder
    let own = home.files.filter { file in
      Self.own.contains(file.name) || file.name.hasPrefix(Self.database)
        || Self.isList(file)
    }
    guard let database = home.files.first(where: { $0.name == Self.database }) else {
      guard home.files.contains(where: Self.isList) else {
        throw Failure(
          .recordUnreadable,
          "there is neither a database of gPodder nor an OPML file in '\(home.path)'")
      }
      var files = GPodderFiles(home, without: own.map(\.name))
      files.podcasts = try subscribed(home)
      return try body(subscriptions(home) + files.orphans(.nameOnly))
    }
    var files = GPodderFiles(home, without: own.map(\.name))
    let records: Records
    do {
      records = try read(database, &files)
    } catch let failure as any CodedError
      where [.recordUnreadable, .programMissing].contains(failure.code)
    {
      files = GPodderFiles(home, without: own.map(\.name))
      files.podcasts = try subscribed(home)
      return try body(
        [.refused("\(database.path)", Failure(failure))] + subscriptions(home)
          + files.orphans(.nameOnly))
    }
    let urls = files.podcasts.map(\.feed)
    if !urls.isEmpty { try body([.subscriptions(database.path, urls)]) }
    try records.file.forEachRow(of: records.table, GPodderEpisode.columns) { row in
      let episode = GPodderEpisode(FeedDatabase.named(row))
      guard let podcast = records.podcasts[episode.podcast] else {
        return try body([
          .refused(
            "\(database.path): episode \(episode.id)",
            .unreadableRecord("it belongs to no podcast"))
        ])
      }
      let finding = try Self.finding(
        episode, of: podcast, in: database, &files, takesAudio: tools.takesAudio)
      guard case .episode(var taken) = finding else { return try body([finding]) }
      records.keys.withhold(in: &taken)
      try body([.episode(taken)])
    }
    try body(files.orphans(.unlisted))
  }

  /// The result of the first pass over a database: its podcasts, and the keys that episodes share.
  private struct Records {
    let file: SQLiteFile
    let table: SQLiteFile.Table
    let podcasts: [Int64: GPodderPodcast]
    var keys = SharedKeys()
  }

  /// Reads a database, and reserves the files that its episodes name.
  private func read(
    _ database: LegacyFolder.File, _ files: inout GPodderFiles
  ) throws -> Records {
    let file = try SQLiteFile(database.path, tools)
    let tables = try file.tables()
    guard let podcasts = tables.first(where: { $0.name == "podcast" }),
      let episodes = tables.first(where: { $0.name == "episode" }),
      podcasts.has("url"), episodes.has("podcast_id"), episodes.has("guid")
    else {
      throw Failure(.recordUnreadable, "the database '\(database.path)' is not of gPodder 3")
    }
    var known: [Int64: GPodderPodcast] = [:]
    try file.forEachRow(of: podcasts, GPodderPodcast.columns) { row in
      let row = FeedDatabase.named(row)
      if let id = row["id"]?.integer { known[id] = GPodderPodcast(row) }
    }
    files.podcasts = known.sorted { $0.key < $1.key }.map(\.value)
    var records = Records(file: file, table: episodes, podcasts: known)
    try file.forEachRow(of: episodes, GPodderEpisode.columns) { row in
      let episode = GPodderEpisode(FeedDatabase.named(row))
      guard let podcast = known[episode.podcast] else { return }
      if episode.state == .downloaded { files.reserve(for: episode, podcast) }
      let (url, _) = Self.address(episode.url)
      guard tools.takesAudio || !episode.isAudio(url, of: podcast) else { return }
      var told = Self.described(episode, of: podcast, in: database)
      try told.description.add(Self.video(at: url))
      records.keys.record(told)
    }
    return records
  }

  /// Returns the podcasts of the subscription lists in the home folder, such as that which gPodder
  /// writes next to its database.
  private func subscribed(_ home: LegacyFolder) throws -> [GPodderPodcast] {
    try home.files.filter(Self.isList).flatMap { file in
      try file.feeds().map { feed in
        GPodderPodcast(["title": .string(feed.title), "url": .string(feed.url)])
      }
    }
  }

  /// Returns the finding of the first subscription list with feeds.
  private func subscriptions(_ home: LegacyFolder) -> [LegacyFinding] {
    Array(LegacyFinding.subscriptions(in: home.keeping(Self.isList)).prefix(1))
  }

  /// Whether a file is an OPML file in the home folder itself.
  private static func isList(_ file: LegacyFolder.File) -> Bool {
    let name = LegacyName(file.name)
    return name.folder.isEmpty && name.fileExtension == "opml"
  }

  private static func finding(
    _ record: GPodderEpisode, of podcast: GPodderPodcast, in database: LegacyFolder.File,
    _ files: inout GPodderFiles, takesAudio: Bool
  ) throws -> LegacyFinding {
    let location = locationText(of: record, in: database)
    let (url, failure) = address(record.url)
    let names = [record.fileName, url?.lastPathComponent].compactMap { $0 }
    let file = files.claim(names, of: record, podcast)
    if !takesAudio, record.isAudio(url, of: podcast) {
      // Audio is reported here with its reason, and not as an orphan.
      return .skipped(file?.path ?? FilePath(location), file?.size, .noPart)
    }
    var episode = described(record, of: podcast, in: database)
    setState(of: &episode, from: record, file: file)
    if episode.status == .known || episode.status == .requested,
      let partial = files.claimPartial(names, of: record, podcast)
    {
      episode.status = .requested
      let held = ByteRangeSet([ByteRange(0..<partial.size.bytes)])
      episode.partial = LegacyPartial(partial.path, completedRanges: held)
    }
    if url == nil, episode.status != .downloaded, let failure { return .refused(location, failure) }
    // Before a download the recorded size is that announced by the feed, which is often wrong.
    let isMeasured = record.state == .downloaded && (file == nil || file?.size == record.size)
    try episode.description.add(video(at: url, size: isMeasured ? record.size : nil))
    return .episode(episode)
  }

  private static func locationText(of record: GPodderEpisode, in database: LegacyFolder.File)
    -> String
  {
    "\(database.path): episode \(record.id)"
  }

  private static func video(at url: WebURL?, size: ByteCount? = nil) -> PartDescription {
    let variants = url.map { [VariantDescription(sources: [$0], size: size)] }
    return PartDescription(role: .video, variants: variants ?? [])
  }

  /// Returns the episode that a record describes, without files.
  private static func described(
    _ record: GPodderEpisode, of podcast: GPodderPodcast, in database: LegacyFolder.File
  ) -> LegacyEpisode {
    var episode = LegacyEpisode(.gpodder, record: locationText(of: record, in: database))
    episode.evidence = ["\(LegacyName(database.name).last): episode \(record.id)"]
    let (feed, _) = address(podcast.feed)
    if !record.guid.isEmpty {
      episode.identity = [.feedItem(feed: feed?.text ?? podcast.feed, guid: record.guid)]
    }
    describe(&episode, from: record, in: podcast)
    return episode
  }

  private static func address(_ text: String) -> (WebURL?, Failure?) {
    do throws(Failure) {
      return (try WebURL(text), nil)
    } catch {
      return (nil, error)
    }
  }

  private static func describe(
    _ episode: inout LegacyEpisode, from record: GPodderEpisode, in podcast: GPodderPodcast
  ) {
    episode.description.title = record.title.isEmpty ? nil : record.title
    episode.description.showTitle = podcast.title.isEmpty ? nil : podcast.title
    episode.description.date = record.date
    episode.description.duration = record.duration
    episode.description.summary = record.summary.isEmpty ? nil : record.summary
    episode.played = record.played
    if record.isWatched { episode.description.isWatched = true }
    if record.isKept { episode.description.isKept = true }
  }

  /// Sets the standing and the file of an episode.
  private static func setState(
    of episode: inout LegacyEpisode, from record: GPodderEpisode, file: LegacyFolder.File?
  ) {
    guard let file else {
      switch record.state {
      case .normal: episode.status = .known
      case .deleted: episode.status = .removed
      case .downloaded:
        episode.status = .missing
        episode.doubts.append(.fileGone)
      }
      return
    }
    episode.status = .downloaded
    var held = LegacyFile(file.path, part: PartRole.video.rawValue, size: file.size)
    if record.state != .downloaded {
      held.doubts.append(.unlisted)
    } else if let size = record.size, size != file.size {
      held.doubts.append(.otherSize)
    }
    episode.files = [held]
  }
}
