import VmxModel

/// The videos in Kodi's library, indexed by file.
struct KodiLibrary: Sendable {
  /// The number of videos requested by one call.
  private static let page: Int64 = 1000
  /// The maximum number of videos read of each kind.
  private static let maxVideos = 2_000_000

  /// The number of videos.
  private(set) var count = 0
  /// The folder of any video, for messages; nil if there are no videos.
  private(set) var folder: String?
  private var exact: [String: [KodiVideo]] = [:]
  private var decoded: [String: [KodiVideo]] = [:]

  /// Reads the library of a Kodi instance.
  ///
  /// - Throws: the errors of the connection.
  init(_ connection: KodiConnection) throws {
    for kind in KodiVideo.Kind.allCases { try read(kind, connection) }
  }

  /// Reads all pages. The reported total is not trusted: a page without a new video ends the list.
  private mutating func read(_ kind: KodiVideo.Kind, _ connection: KodiConnection) throws {
    var seen: Set<Int64> = []
    var start: Int64 = 0
    while seen.count < Self.maxVideos {
      let limits = JSONObject(distinct: [
        ("start", .integer(start)), ("end", .integer(start + Self.page)),
      ])
      let params = JSONObject(distinct: [
        ("properties", .array(kind.properties)), ("limits", .object(limits)),
      ])
      let answer = try connection.call(kind.listing, params).object
      let rows = answer?[kind.list]?.array ?? []
      var isNews = false
      for row in rows {
        guard let video = row.object.flatMap({ KodiVideo($0, kind) }) else { continue }
        guard seen.insert(video.id).inserted else { continue }
        isNews = true
        add(video)
      }
      start += Int64(rows.count)
      let total = answer?["limits"]?.object?["total"]?.integer
      // A short page is the last one, unless Kodi reports a higher total.
      guard isNews, rows.count >= Self.page || start < total ?? 0 else { return }
    }
  }

  private mutating func add(_ video: KodiVideo) {
    count += 1
    folder = folder ?? Self.folder(of: video.file)
    exact[Self.withoutUser(video.file), default: []].append(video)
    let plain = Self.normalised(video.file)
    if plain != video.file { decoded[plain, default: []].append(video) }
  }

  /// Returns the videos of the file at Kodi's path. If the file has several episodes, returns those
  /// with the same season and number, if any.
  func videos(at path: String, of episode: Episode) -> [KodiVideo] {
    let plain = Self.normalised(path)
    let found =
      exact[Self.withoutUser(path)] ?? exact[plain] ?? decoded[plain] ?? []
    let same = found.filter { $0.season == episode.season && $0.number == episode.number }
    return same.isEmpty ? found : same
  }

  /// Returns a URL without user information, which only some versions of Kodi include.
  private static func withoutUser(_ path: String) -> String {
    guard let scheme = path.firstRange(of: "://") else { return path }
    let rest = path[scheme.upperBound...]
    let host = rest.prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return path }
    return "\(path[..<scheme.upperBound])\(rest[rest.index(after: at)...])"
  }

  /// Returns a URL without user information and percent-encoding, since Kodi encodes some kinds of
  /// paths. A file system path is returned unchanged.
  private static func normalised(_ path: String) -> String {
    guard path.contains("://") else { return path }
    let path = withoutUser(path)
    return PercentCoding.decoded(path) ?? path
  }

  private static func folder(of file: String) -> String? {
    let file = withoutUser(file)
    return file.lastIndex { $0 == "/" || $0 == "\\" }.map { String(file[..<$0]) }
  }
}
