/// The names of all failures of vmx, as used in records, JSON and messages.
///
/// A name never changes its meaning; a retired one moves to `ErrorCode.retired`.
package enum ErrorCode: String, Sendable, CaseIterable {
  // Command line and input
  case usage
  case unknownCommand = "unknown-command"
  case toolBroken = "tool-broken"
  case badLine = "bad-line"
  case badID = "bad-id"
  case badURL = "bad-url"
  case badSetting = "bad-setting"
  case unknownSetting = "unknown-setting"
  case settingsUnwritable = "settings-unwritable"
  case aliasLoop = "alias-loop"
  case ambiguous
  case idTaken = "id-taken"
  case idMismatch = "id-mismatch"
  case noSuchEpisode = "no-such-episode"
  case noSuchCode = "no-such-code"
  case noFile = "no-file"
  case inputMissing = "input-missing"
  case inputChanged = "input-changed"
  case recordUnreadable = "record-unreadable"
  case held
  case afterCycle = "after-cycle"
  case outputFailed = "output-failed"
  case resourcesShort = "resources-short"
  case hookFailed = "hook-failed"
  case userManagerAway = "user-manager-away"
  case programMissing = "program-missing"
  case programFailed = "program-failed"
  case playerMissing = "player-missing"
  case playFailed = "play-failed"
  case internalError = "internal-error"

  // Store and lock
  case lockBusy = "lock-busy"
  case lockUnsupported = "lock-unsupported"
  case storeUnreadable = "store-unreadable"
  case storeDamaged = "store-damaged"
  case storeLost = "store-lost"
  case lineDamaged = "line-damaged"
  case storeTooNew = "store-too-new"
  case storeTooOld = "store-too-old"
  case storeFull = "store-full"
  case storeNotDurable = "store-not-durable"
  case storeOnNetwork = "store-on-network"
  case clockSuspect = "clock-suspect"
  case secretMissing = "secret-missing"
  case secretLocked = "secret-locked"
  case accessLoose = "access-loose"

  // Network
  case hostUnreachable = "host-unreachable"
  case offline
  case netStalled = "net-stalled"
  case netReset = "net-reset"
  case bodyCut = "body-cut"
  case tlsFailed = "tls-failed"
  case redirectRefused = "redirect-refused"
  case addressRefused = "address-refused"
  case redirectLoop = "redirect-loop"
  case protocolBroken = "protocol-broken"
  case httpDenied = "http-denied"
  case httpGone = "http-gone"
  case httpRefused = "http-refused"
  case httpFailing = "http-failing"
  case rateLimited = "rate-limited"
  case interrupted

  // Policies
  case networkMetered = "network-metered"
  case capReached = "cap-reached"
  case outsideWindow = "outside-window"
  case quotaReached = "quota-reached"
  case budgetSpent = "budget-spent"
  case predecessorFirst = "predecessor-first"
  case licencePending = "licence-pending"
  case licenceUsedUp = "licence-used-up"
  case expired

  // Received data
  case sourceUnsupported = "source-unsupported"
  case noSource = "no-source"
  case noSuchQuality = "no-such-quality"
  case sourceChanged = "source-changed"
  case rangeBroken = "range-broken"
  case digestMismatch = "digest-mismatch"
  case sizeMismatch = "size-mismatch"
  case emptyBody = "empty-body"
  case notMedia = "not-media"
  case mediaTruncated = "media-truncated"
  case typeMismatch = "type-mismatch"
  case notSubtitle = "not-subtitle"
  case notImage = "not-image"
  case notKey = "not-key"
  case keyForeign = "key-foreign"
  case keyExpired = "key-expired"
  case encodedBody = "encoded-body"
  case bodyTooLarge = "body-too-large"

  // Library and disk
  case diskFull = "disk-full"
  case nameTaken = "name-taken"
  case rootAway = "root-away"
  case rootForeign = "root-foreign"
  case mediaUnwritable = "media-unwritable"
  case partLost = "part-lost"
  case fileMissing = "file-missing"
  case fileDamaged = "file-damaged"
  case fileMoved = "file-moved"
  case undoConflict = "undo-conflict"
  case undoImpossible = "undo-impossible"
  case mediaBroken = "media-broken"
  case repairRefused = "repair-refused"

  // Bundles
  case needsFile = "needs-file"
  case fileTooLarge = "file-too-large"
  case notABundle = "not-a-bundle"
  case bundleDamaged = "bundle-damaged"
  case bundleInvalid = "bundle-invalid"
  case bundleTooLarge = "bundle-too-large"
  case entryRefused = "entry-refused"
  case passphraseNeeded = "passphrase-needed"
  case passphraseWrong = "passphrase-wrong"

  // Licences
  case notALicence = "not-a-licence"
  case licenceForeign = "licence-foreign"
  case licenceMissing = "licence-missing"
  case licenceEnded = "licence-ended"
  case licenceNotOffered = "licence-not-offered"
  case licenceRefused = "licence-refused"

  // Reports
  case reportWaits = "report-waits"
  case reportRefused = "report-refused"
  case reportFailed = "report-failed"
  case orderRefused = "order-refused"

  // Feeds
  case notAFeed = "not-a-feed"
  case noSuchFeed = "no-such-feed"

  // Catalogue
  case notInCatalogue = "not-in-catalogue"
  case catalogueUnreadable = "catalogue-unreadable"

  // Parental control
  case parental
  case pinNeeded = "pin-needed"
  case pinWrong = "pin-wrong"
  case pinDelayed = "pin-delayed"

  // Sync
  case noSyncAccount = "no-sync-account"
  case passwordNeeded = "password-needed"
  case authRefused = "auth-refused"
  case notASyncServer = "no-sync-server"
  case syncUnreadable = "sync-unreadable"
  case syncRefused = "sync-refused"
  case manyRemovals = "many-removals"

  // Cleaning
  case planChanged = "plan-changed"
  case fileUnknown = "file-unknown"
  case freeUnreachable = "free-unreachable"

  /// The names that older versions printed; they stay reserved.
  package static let retired = ["source-missing"]
}

/// The exit status of a tool (sysexits.h for 64 to 78).
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Success, or nothing to do.
  case success = 0
  /// The run completed, but some items failed.
  case someFailed = 1
  /// The command line was wrong.
  case usage = 64
  /// Input data are malformed.
  case dataError = 65
  /// An input, an episode or a file does not exist.
  case noInput = 66
  /// A server is unreachable or no longer has the file, or another program is not installed.
  case unavailable = 69
  /// A bug in vmx.
  case internalError = 70
  /// An output cannot be created.
  case cannotCreate = 73
  /// A read or write failed.
  case ioError = 74
  /// A temporary failure: the same command may succeed later.
  case tryLater = 75
  /// The server violated the protocol or sent wrong bytes.
  case protocolError = 76
  /// Permission denied.
  case notPermitted = 77
  /// A setting or the location of the library is invalid.
  case configuration = 78
}

/// How the runner treats a failure.
package enum RetryClass: Sendable, Equatable {
  /// A retry cannot help: the part becomes `failed`.
  case never
  /// Temporary: `failed` once the attempts are used up, and due again in the next run.
  case later
  /// A policy or condition blocks it: the part becomes `waiting` for this reason.
  case wait(WaitReason)

  /// The name of the class as one word, for JSON and the manual.
  package var name: String {
    switch self {
    case .never: "never"
    case .later: "later"
    case .wait: "wait"
    }
  }
}
