/// A program whose files or records `vmx migrate` takes over. The raw value is that of `--from`.
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

/// A reason why `vmx migrate` is not sure of a file, or has left it. The raw value is stable.
package enum LegacyDoubt: String, Sendable, CaseIterable {
  /// Only the name of the file tells which episode it is.
  case nameOnly = "name-only"
  /// No record names the file.
  case unlisted
  /// A record names a file that is not there.
  case fileGone = "file-gone"
  /// The record has another size than the file.
  case otherSize = "other-size"
  /// The record has another title, season or number than the file's own metadata.
  case otherTitle = "other-title"
  /// The bytes are of another format than the name says.
  case otherFormat = "other-format"
  /// No origin is known that could prove and complete the partial file.
  case noSource = "no-source"
  /// An address of the record cannot be one.
  case badURL = "bad-url"
  /// The origin may be out of date, since such addresses expire.
  case oldSource = "old-source"
  /// The record has more or fewer fields than its format.
  case shiftedFields = "shifted-fields"
  /// Another record of the same source describes the episode too.
  case repeated
  /// The file belongs to a show or season, for which the library has no files.
  case ofShow = "of-show"
  /// The file is a trailer, a sample or another extra.
  case extra
  /// The file is of no kind that the library keeps.
  case noPart = "no-part"
  /// Several episodes are in one file.
  case severalEpisodes = "several-episodes"

  /// The reason why a file with this doubt stays where it is.
  package var reason: UnchangedReason {
    switch self {
    case .ofShow, .extra, .noPart: .noPart
    default: .doubtful
    }
  }

  /// The meaning as one phrase.
  package var phrase: String {
    switch self {
    case .nameOnly: "only its name tells which episode it is"
    case .unlisted: "no record names it"
    case .fileGone: "a record names it, and it is gone"
    case .otherSize: "the record has another size"
    case .otherTitle: "the record and the file differ in title or number"
    case .otherFormat: "it is of another format than its name says"
    case .noSource: "no address is known that could prove and complete it"
    case .badURL: "an address of its record is not valid"
    case .oldSource: "the address may no longer be valid"
    case .shiftedFields: "the record does not have the fields of its format"
    case .repeated: "another record describes it too"
    case .ofShow: "it belongs to a show, and the library keeps no files of shows"
    case .extra: "it is an extra, and no episode"
    case .noPart: "it is of no kind that the library keeps"
    case .severalEpisodes: "it has several episodes"
    }
  }
}
