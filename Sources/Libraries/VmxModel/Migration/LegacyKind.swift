/// A program whose files or records `vmx migrate` imports. The raw value is that of `--from`.
package enum LegacyKind: String, Sendable, CaseIterable {
  /// yt-dlp and youtube-dl: videos with `.info.json` beside them, and download archives.
  case ytDlp = "yt-dlp"
  /// get_iplayer: its profile folder and its output folder.
  case getIplayer = "get_iplayer"
  /// gPodder 3: its home folder.
  case gpodder
  /// A folder of videos in the layout of Kodi, Jellyfin or Plex, or in none.
  case tree
  /// A property list of download records.
  case propertyList = "plist"
  /// A SQLite store of Core Data with download records.
  case coreData = "coredata"
  /// Partial files of aria2 with their control files.
  case aria2
  /// Partial files of wget.
  case wget
  /// Partial files of curl.
  case curl
  /// Partial files of browsers: `.crdownload`, `.part`.
  case browser
  /// A store of an older version of vmx.
  case vmx
}

/// A reason why `vmx migrate` is uncertain about a file or did not import it. The raw value is
/// stable.
package enum MigrationDoubt: String, Sendable, CaseIterable {
  /// Only the name of the file identifies the episode.
  case nameOnly = "name-only"
  /// The season and number are the digits of one number in the name: `show.208`.
  case guessedNumber = "guessed-number"
  /// No record references the file.
  case unlisted
  /// A record references a file that does not exist.
  case fileGone = "file-gone"
  /// Only a line of an archive knows it; the file may be anywhere.
  case onlyInArchive = "archive-only"
  /// The record has another size than the file.
  case otherSize = "other-size"
  /// The record has another title, season or number than the file's own metadata.
  case otherTitle = "other-title"
  /// No source is known that could verify and complete the partial file.
  case noSource = "no-source"
  /// A URL in the record is malformed.
  case badURL = "bad-url"
  /// The source may be out of date, since such URLs expire.
  case oldSource = "old-source"
  /// The record has more or fewer fields than its format.
  case shiftedFields = "shifted-fields"
  /// Another record of the same source describes the episode too.
  case repeated
  /// The file belongs to a show or season; the library keeps no such files.
  case ofShow = "of-show"
  /// The file is a trailer, a sample or another extra.
  case extra
  /// The file is of no kind that the library keeps.
  case noPart = "no-part"
  /// It is a symbolic link, FIFO, socket or device.
  case noRegularFile = "no-regular-file"
  /// An interrupted download has left only one of several streams, or a file before its last step.
  case oneStream = "one-stream"
  /// Several episodes are in one file.
  case severalEpisodes = "several-episodes"

  /// The reason why a file with this doubt is left unchanged.
  package var reason: UnchangedReason {
    switch self {
    case .ofShow, .extra, .noPart, .noRegularFile: .noPart
    default: .doubtful
    }
  }

  /// The meaning as one phrase.
  package var phrase: String {
    switch self {
    case .nameOnly: "identified only by its name"
    case .guessedNumber: "season and number are guessed from one number in the name"
    case .unlisted: "not named by any record"
    case .fileGone: "named by a record, but missing"
    case .onlyInArchive: "known to an archive; not downloaded again"
    case .otherSize: "the size differs from the record"
    case .otherTitle: "the title or number differs from the record"
    case .noSource: "no known URL to verify and complete it"
    case .badURL: "a URL of its record is not valid"
    case .oldSource: "the URL may no longer be valid"
    case .shiftedFields: "the fields of the record do not match its format"
    case .repeated: "described by another record too"
    case .ofShow: "belongs to a show; the library keeps no files of shows"
    case .extra: "an extra, not an episode"
    case .noPart: "not a kind of file that the library keeps"
    case .noRegularFile: "a symbolic link, FIFO, socket or device; it is not opened"
    case .oneStream: "one stream of several, left by an interrupted download"
    case .severalEpisodes: "contains several episodes"
    }
  }
}
