/// The known settings, in one table of their kinds and built-in values; the manual, completion and
/// messages are generated from it. Unknown keys are ignored: they belong to other versions and to
/// third-party tools.
package enum SettingKey: String, Sendable, CaseIterable {
  case networkStore = "core.network-store"
  case lockTimeout = "core.lock-timeout"
  case libraryRoot = "library.root"
  case libraryReserve = "library.reserve"
  case libraryNFO = "library.nfo"
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
  case hookReady = "hook.ready"
  case hookFailed = "hook.failed"
  case hookTimeout = "hook.timeout"
  case color = "color.ui"

  /// The table entry of a key.
  package struct Entry: Sendable {
    /// The kind of its values.
    package let kind: SettingKind
    /// The default value in the syntax of a file; nil for none.
    package let builtIn: String?
    /// The purpose of the setting, as one phrase without a full stop.
    package let purpose: String
  }

  /// The table entry of this key.
  package var entry: Entry {
    switch self {
    case .networkStore:
      Entry(kind: .bool, builtIn: "false", purpose: "allow the store on a network file system")
    case .lockTimeout:
      Entry(
        kind: .duration(0...Self.hour), builtIn: "10s", purpose: "how long to wait for a lock")
    case .libraryRoot:
      Entry(kind: .path, builtIn: nil, purpose: "the folder that holds the media")
    case .libraryNFO:
      Entry(kind: .bool, builtIn: "true", purpose: "write an NFO file beside each video")
    case .libraryReserve:
      Entry(kind: .size, builtIn: "0", purpose: "bytes to leave free on the disk of the media")
    case .libraryQuota:
      Entry(kind: .size, builtIn: "0", purpose: "bytes that the library may hold, 0 for any number")
    case .trashKeep:
      Entry(
        kind: .duration(0...Self.year), builtIn: "14d",
        purpose: "how long what was removed stays in the trash")
    case .trashQuota:
      Entry(
        kind: .diskQuota, builtIn: "10%",
        purpose: "how much of its disk the trash may hold, as bytes or hundredths")
    case .maxBytes:
      Entry(kind: .size, builtIn: "0", purpose: "bytes that a run may receive, 0 for any number")
    case .maxTime:
      Entry(
        kind: .duration(0...Self.week), builtIn: "0s",
        purpose: "how long a run may take, 0 for any time")
    case .longestWait:
      Entry(
        kind: .duration(0...Self.day), builtIn: "1m",
        purpose: "the longest wait that a fetch sits through by itself")
    case .fetchJobs:
      Entry(kind: .integer(1...64), builtIn: "3", purpose: "episodes fetched at a time")
    case .fetchPerHost:
      Entry(
        kind: .integer(1...64), builtIn: "16",
        purpose: "episodes fetched from one host at a time, by all processes together")
    case .machineJobs:
      Entry(
        kind: .integer(1...64), builtIn: "32",
        purpose: "episodes fetched at a time by all processes together")
    case .fetchQuality:
      Entry(
        kind: .quality, builtIn: "first", purpose: "which of several files of a video is fetched")
    case .fetchConnections:
      Entry(
        kind: .integer(1...16), builtIn: "4", purpose: "connections for one part where they pay")
    case .perHost:
      Entry(kind: .integer(1...64), builtIn: "8", purpose: "connections to one host at a time")
    case .fetchNotify:
      Entry(kind: .bool, builtIn: "false", purpose: "tell the desktop how a fetch ended")
    case .checksums:
      Entry(
        kind: .bool, builtIn: "false",
        purpose: "look for a .sha256 or SHA256SUMS beside each video's URL")
    case .attempts:
      Entry(
        kind: .integer(1...100), builtIn: "5", purpose: "attempts without progress before giving up"
      )
    case .stallSpeed:
      Entry(kind: .size, builtIn: "1K", purpose: "bytes per second below which a transfer stalls")
    case .stallTime:
      Entry(
        kind: .duration(1000...Self.hour), builtIn: "15s",
        purpose: "how long a transfer may stall")
    case .connectTimeout:
      Entry(
        kind: .duration(1...Self.hour), builtIn: "30s", purpose: "how long connecting may take")
    case .backoff:
      Entry(
        kind: .duration(0...Self.hour), builtIn: "500ms",
        purpose: "the first pause between two attempts, doubled each time")
    case .backoffLimit:
      Entry(
        kind: .duration(0...Self.hour), builtIn: "30s",
        purpose: "the longest pause between two attempts")
    case .caFile:
      Entry(kind: .path, builtIn: nil, purpose: "certificates to trust instead of the system's")
    case .proxy:
      Entry(kind: .proxy, builtIn: nil, purpose: "the proxy to ask by")
    case .netrc:
      Entry(
        kind: .optionalPath, builtIn: "false",
        purpose: "whether, or from which file, user and password are taken")
    case .userAgent:
      Entry(kind: .text, builtIn: "vmx", purpose: "what requests say in User-Agent")
    case .httpVersion:
      Entry(
        kind: .choice(HTTPVersion.allCases.map(\.rawValue)), builtIn: "auto",
        purpose: "which version of HTTP to speak")
    case .allowInsecureRedirect:
      Entry(
        kind: .bool, builtIn: "false", purpose: "follow redirects from https to http")
    case .window:
      Entry(kind: .window, builtIn: "always", purpose: "times of day at which bytes may flow")
    case .metered:
      Entry(
        kind: .choice(["auto", "yes", "no"]), builtIn: "auto",
        purpose: "whether the network is paid for by the byte")
    case .probe:
      Entry(
        kind: .text, builtIn: nil,
        purpose: "command that prints yes, no or unknown: whether the network is metered")
    case .cap:
      Entry(
        kind: .size, builtIn: "0",
        purpose: "bytes that may come over a network in a month, 0 for any number")
    case .rate:
      Entry(
        kind: .rate, builtIn: "0",
        purpose: "bytes a second of all transfers together, 0 for any number")
    case .hookReady:
      Entry(kind: .text, builtIn: nil, purpose: "command run when an episode has become ready")
    case .hookFailed:
      Entry(kind: .text, builtIn: nil, purpose: "command run when an episode has failed")
    case .hookTimeout:
      Entry(
        kind: .duration(1...Self.hour), builtIn: "30s", purpose: "how long a hook may run")
    case .color:
      Entry(
        kind: .choice(["auto", "always", "never"]), builtIn: "auto",
        purpose: "when output is coloured")
    }
  }

  /// Whether only settings files may set it. A program to run must not come from a command line or
  /// environment that another program controls.
  package var isForFilesAlone: Bool {
    switch self {
    case .probe, .hookReady, .hookFailed, .hookTimeout: true
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
