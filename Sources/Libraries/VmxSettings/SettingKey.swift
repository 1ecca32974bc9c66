import VmxModel
import VmxNaming

/// The known settings, in one table of their kinds and built-in values. `UnknownSetting` classifies
/// all other keys.
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
  case trashMakeRoom = "trash.make-room"
  case fetchJobs = "fetch.jobs"
  case maxBytes = "fetch.max-bytes"
  case maxTime = "fetch.max-time"
  case maxWait = "fetch.longest-wait"
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
  case feedMedia = "feed.media"
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

  /// The table entry of a key: the kind of its values and the default value in the syntax of a file
  /// (nil for none).
  package typealias Entry = (kind: SettingKind, builtIn: String?)

  /// The table entry of this key.
  package var entry: Entry {
    switch self {
    case .networkStore: (.bool, "false")
    case .lockTimeout: (.duration(0...Self.hour), "10s")
    case .libraryRoot: (.path, nil)
    case .libraryMode: (.choice(["umask", "private"]), "umask")
    case .libraryNFO: (.bool, "true")
    case .libraryTemplate: (.nameTemplate, NameTemplate.standardText)
    case .libraryReserve: (.size, "0")
    case .libraryQuota: (.size, "0")
    case .trashKeep: (.duration(0...Self.year), "14d")
    case .trashQuota: (.diskQuota, "10%")
    case .trashMakeRoom: (.bool, "false")
    case .maxBytes: (.size, "0")
    case .maxTime: (.duration(0...Self.week), "0s")
    case .maxWait: (.duration(0...Self.day), "1m")
    case .fetchJobs: (.integer(1...64), "3")
    case .fetchPerHost: (.integer(1...64), "16")
    case .machineJobs: (.integer(1...64), "32")
    case .fetchQuality: (.quality, "first")
    case .fetchConnections: (.integer(1...16), "4")
    case .perHost: (.integer(1...64), "8")
    case .fetchNotify: (.bool, "false")
    case .checksums: (.bool, "false")
    case .attempts: (.integer(1...100), "5")
    case .stallSpeed: (.speed, "1K")
    case .stallTime: (.duration(1000...Self.hour), "15s")
    case .responseTimeout: (.duration(1000...Self.hour), "60s")
    case .connectTimeout: (.duration(1...Self.hour), "30s")
    case .backoff: (.duration(0...Self.hour), "500ms")
    case .backoffLimit: (.duration(0...Self.hour), "30s")
    case .caFile: (.path, nil)
    case .proxy: (.proxy, nil)
    case .netrc: (.optionalPath, "false")
    case .userAgent: (.text, "vmx")
    case .httpVersion: (.choice(HTTPVersion.allCases.map(\.rawValue)), "auto")
    case .allowInsecureRedirect: (.bool, "false")
    case .window: (.window, "always")
    case .metered: (.choice(["auto", "yes", "no"]), "auto")
    case .probe: (.text, nil)
    case .cap: (.size, "0")
    case .rate: (.rate, "0")
    case .feedInterval: (.duration(0...Self.week), "1h")
    case .feedMedia: (.choice(["any", "video"]), "any")
    case .catalogueURL: (.webURL, "https://api.tvmaze.com")
    case .playWatched: (.integer(1...100), "90")
    case .playerCommand: (.text, nil)
    case .nfoWatched: (.bool, "true")
    case .licenceGrace: (.duration(0...Self.year), "7d")
    case .licenceRefresh: (.bool, "true")
    case .licenceDevice: (.text, nil)
    case .licencePlayPeriod: (.text, nil)
    case .reportURL: (.webURL, nil)
    case .reportShows: (.text, nil)
    case .reportOrders: (.someOf(["remove", "revoke", "extend", "fetch-again"]), "extend")
    case .syncWant: (.wantRule, nil)
    case .syncSecretURLs: (.bool, "false")
    case .kodiURL: (.webURL, nil)
    case .kodiPathMap: (.pathMap, nil)
    case .lockHelper: (.path, nil)
    case .lockHelperTimeout: (.duration(1000...Self.hour), "30s")
    case .secretsStore: (.choice(["auto", "file", "secret-service", "command"]), "auto")
    case .secretsCommand: (.path, nil)
    case .secretsTimeout: (.duration(1000...Self.hour), "30s")
    case .hookReady: (.text, nil)
    case .hookFailed: (.text, nil)
    case .hookTimeout: (.duration(1...Self.hour), "30s")
    case .color: (.choice(["auto", "always", "never"]), "auto")
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
