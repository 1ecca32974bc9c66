/// The known settings, in one table of their kinds and built-in values; the manual, completion and
/// messages are generated from it. `UnknownSetting` classifies all other keys.
package enum SettingKey: String, Sendable, CaseIterable {
  case networkStore = "core.network-store"
  case lockTimeout = "core.lock-timeout"
  case libraryRoot = "library.root"
  case libraryMode = "library.mode"
  case libraryReserve = "library.reserve"
  case libraryNFO = "library.nfo"
  case libraryTemplate = "library.template"
  case libraryQuota = "library.quota"
  case trashKeep = "trash.keep"
  case trashQuota = "trash.quota"
  case fetchJobs = "fetch.jobs"
  case maxBytes = "fetch.max-bytes"
  case maxTime = "fetch.max-time"
  case longestWait = "fetch.longest-wait"
  case fetchQuality = "fetch.quality"
  case fetchConnections = "fetch.connections"
  case fetchPerHost = "fetch.per-host"
  case machineJobs = "fetch.machine-jobs"
  case perHost = "network.per-host"
  case fetchNotify = "fetch.notify"
  case checksums = "fetch.checksums"
  case attempts = "network.attempts"
  case stallSpeed = "network.stall-speed"
  case stallTime = "network.stall-time"
  case responseTimeout = "network.response-timeout"
  case connectTimeout = "network.connect-timeout"
  case backoff = "network.backoff"
  case backoffLimit = "network.backoff-limit"
  case caFile = "network.ca-file"
  case proxy = "network.proxy"
  case netrc = "network.netrc"
  case userAgent = "network.user-agent"
  case httpVersion = "network.http-version"
  case allowInsecureRedirect = "network.allow-insecure-redirect"
  case window = "network.window"
  case metered = "network.metered"
  case probe = "network.probe"
  case cap = "network.cap"
  case rate = "network.rate"
  case feedInterval = "feed.interval"
  case catalogueURL = "catalogue.url"
  case playWatched = "play.watched"
  case playerCommand = "player.command"
  case nfoWatched = "nfo.watched"
  case licenceGrace = "licence.grace"
  case licenceRefresh = "licence.refresh"
  case licenceDevice = "licence.device-name"
  case licencePlayPeriod = "licence.play-period"
  case reportURL = "report.url"
  case reportShows = "report.shows"
  case reportOrders = "report.orders"
  case syncWant = "sync.want"
  case syncSecretURLs = "sync.secret-urls"
  case kodiURL = "kodi.url"
  case kodiPathMap = "kodi.path-map"
  case lockHelper = "lock.helper"
  case lockHelperTimeout = "lock.helper-timeout"
  case secretsStore = "secrets.store"
  case secretsCommand = "secrets.command"
  case secretsTimeout = "secrets.timeout"
  case hookReady = "hook.ready"
  case hookFailed = "hook.failed"
  case hookTimeout = "hook.timeout"
  case color = "color.ui"

  /// The table entry of a key: the kind of its values, the default value in the syntax of a file
  /// (nil for none), and the purpose as one phrase without a full stop.
  package typealias Entry = (kind: SettingKind, builtIn: String?, purpose: String)

  /// The table entry of this key.
  package var entry: Entry {
    switch self {
    case .networkStore: (.bool, "false", "allow the store on a network file system")
    case .lockTimeout: (.duration(0...Self.hour), "10s", "how long to wait for a lock")
    case .libraryRoot: (.path, nil, "the folder that holds the media")
    case .libraryMode:
      (.choice(["umask", "private"]), "umask", "who may read new media besides their owner")
    case .libraryNFO: (.bool, "true", "write an NFO file beside each video")
    case .libraryTemplate:
      (.nameTemplate, NameTemplate.usualText, "the folders and names of new media")
    case .libraryReserve: (.size, "0", "bytes to leave free on the disk of the media")
    case .libraryQuota: (.size, "0", "bytes that the library may hold, 0 for any number")
    case .trashKeep:
      (.duration(0...Self.year), "14d", "how long what was removed stays in the trash")
    case .trashQuota:
      (.diskQuota, "10%", "how much of its disk the trash may hold, as bytes or hundredths")
    case .maxBytes: (.size, "0", "bytes that a run may receive, 0 for any number")
    case .maxTime: (.duration(0...Self.week), "0s", "how long a run may take, 0 for any time")
    case .longestWait:
      (.duration(0...Self.day), "1m", "the longest wait that a fetch sits through by itself")
    case .fetchJobs: (.integer(1...64), "3", "episodes fetched at a time")
    case .fetchPerHost:
      (
        .integer(1...64), "16",
        "episodes fetched from one host at a time, by all processes together"
      )
    case .machineJobs:
      (.integer(1...64), "32", "episodes fetched at a time by all processes together")
    case .fetchQuality: (.quality, "first", "which of several files of a video is fetched")
    case .fetchConnections: (.integer(1...16), "4", "connections for one part where they pay")
    case .perHost: (.integer(1...64), "8", "connections to one host at a time")
    case .fetchNotify: (.bool, "false", "tell the desktop how a fetch ended")
    case .checksums: (.bool, "false", "look for a .sha256 or SHA256SUMS beside each video's URL")
    case .attempts: (.integer(1...100), "5", "attempts without progress before giving up")
    case .stallSpeed: (.speed, "1K", "bytes per second below which a transfer stalls")
    case .stallTime: (.duration(1000...Self.hour), "15s", "how long a transfer may stall")
    case .responseTimeout:
      (.duration(1000...Self.hour), "60s", "how long the first byte of an answer may take")
    case .connectTimeout: (.duration(1...Self.hour), "30s", "how long connecting may take")
    case .backoff:
      (.duration(0...Self.hour), "500ms", "the first pause between two attempts, doubled each time")
    case .backoffLimit: (.duration(0...Self.hour), "30s", "the longest pause between two attempts")
    case .caFile: (.path, nil, "certificates to trust instead of the system's")
    case .proxy: (.proxy, nil, "the proxy to ask by")
    case .netrc:
      (.optionalPath, "false", "whether, or from which file, user and password are taken")
    case .userAgent: (.text, "vmx", "what requests say in User-Agent")
    case .httpVersion:
      (.choice(HTTPVersion.allCases.map(\.rawValue)), "auto", "which version of HTTP to speak")
    case .allowInsecureRedirect: (.bool, "false", "follow redirects from https to http")
    case .window: (.window, "always", "times of day at which bytes may flow")
    case .metered:
      (.choice(["auto", "yes", "no"]), "auto", "whether the network is paid for by the byte")
    case .probe:
      (.text, nil, "command that prints yes, no or unknown: whether the network is metered")
    case .cap: (.size, "0", "bytes that may come over a network in a month, 0 for any number")
    case .rate: (.rate, "0", "bytes a second of all transfers together, 0 for any number")
    case .feedInterval:
      (.duration(0...Self.week), "1h", "how long a feed rests between two checks")
    case .catalogueURL:
      (.text, "https://api.tvmaze.com", "the address of TVMaze's API, or of a copy of it")
    case .playWatched:
      (.integer(1...100), "90", "hundredths of a video after which it counts as watched")
    case .playerCommand:
      (.text, nil, "the player with its options, unless VMX_PLAYER names one; mpv or VLC without")
    case .nfoWatched:
      (.bool, "false", "tell in NFO files what was watched, when, and where to go on")
    case .licenceGrace:
      (
        .duration(0...Self.year), "7d",
        "how long files stay after their licence has ended, before they are deleted for good"
      )
    case .licenceRefresh:
      (.bool, "true", "read the status of licences beside a fetch, daily and before their end")
    case .licenceDevice:
      (.text, nil, "the name of this device for licence providers, made of the host's without")
    case .licencePlayPeriod:
      (.text, nil, "URIs of the rights that give a time from the first play on")
    case .reportURL: (.text, nil, "the address that is told of the steps of episodes")
    case .reportShows:
      (.text, nil, "the shows whose episodes it is told of, all without")
    case .reportOrders:
      (.text, "extend", "what its answers may order: remove, revoke, extend, fetch-again")
    case .syncWant:
      (.text, nil, "which episodes are wanted of a feed that another device has added")
    case .syncSecretURLs:
      (.bool, "false", "whether addresses with passwords or tokens are sent to the server too")
    case .kodiURL: (.text, nil, "the address of a Kodi, as http://USER:PASSWORD@HOST:8080")
    case .kodiPathMap:
      (.text, nil, "where Kodi sees folders of the library: /srv/media=smb://nas/media | …")
    case .lockHelper:
      (.path, nil, "program that verifies a person in place of the PIN, with its whole path")
    case .lockHelperTimeout:
      (.duration(1000...Self.hour), "30s", "how long that program may take")
    case .secretsStore:
      (
        .choice(["auto", "file", "secret-service", "command"]), "auto",
        "where new passwords and tokens are kept"
      )
    case .secretsCommand:
      (.path, nil, "program that keeps passwords and tokens, with its whole path")
    case .secretsTimeout:
      (.duration(1000...Self.hour), "30s", "how long a program that keeps passwords may take")
    case .hookReady: (.text, nil, "command run when an episode has become ready")
    case .hookFailed: (.text, nil, "command run when an episode has failed")
    case .hookTimeout: (.duration(1...Self.hour), "30s", "how long a hook may run")
    case .color: (.choice(["auto", "always", "never"]), "auto", "when output is coloured")
    }
  }

  /// Whether only settings files may set it. A program to run must not come from a command line or
  /// environment that another program controls.
  package var isForFilesAlone: Bool {
    switch self {
    case .probe, .playerCommand, .lockHelper, .lockHelperTimeout, .secretsStore, .secretsCommand,
      .secretsTimeout, .hookReady, .hookFailed, .hookTimeout:
      true
    default: false
    }
  }

  /// The environment variable of the setting: `VMX_FETCH_JOBS` for `fetch.jobs`.
  package var variable: String {
    "VMX_" + String(rawValue.map { $0 == "." || $0 == "-" ? "_" : $0 }).uppercased()
  }

  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour
  private static let week = 7 * day
  private static let year = 366 * day
}
