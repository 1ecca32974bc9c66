import VmxMarkup
import VmxModel
import VmxSystem

extension LegacyFinding {
  /// Returns the lists of feeds in a folder, OPML and the file `urls` of newsboat, as they are
  /// written. A list that cannot be read is refused.
  static func subscriptions(in folder: LegacyFolder) -> [LegacyFinding] {
    folder.files.filter(\.isListOfFeeds).compactMap { file in
      do {
        let feeds = try file.feeds()
        return feeds.isEmpty ? nil : .subscriptions(file.path, feeds.map(\.url))
      } catch {
        return .refused("\(file.path)", Failure(error))
      }
    }
  }
}

extension LegacyFolder.File {
  /// Whether it may be a list of feeds, by its name.
  var isListOfFeeds: Bool {
    let name = LegacyName(name)
    return name.fileExtension == "opml" || name.last == "urls"
  }

  /// Returns the feeds of a list; none for a document of another kind.
  ///
  /// - Throws: errors of the file system and of the parser.
  func feeds() throws -> [SubscriptionList.Feed] {
    try SubscriptionList(RegularFile.prefix(of: path, upTo: SubscriptionList.maxBytes)).feeds
  }
}
