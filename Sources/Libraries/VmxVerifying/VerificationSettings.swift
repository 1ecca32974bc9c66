package import VmxLibrary
package import VmxModel
import VmxSystem

/// The options of a verification run.
package struct VerificationSettings: Sendable {
  /// Whether only existence and size are checked.
  package var isQuick = false
  /// Whether the containers of videos are checked even if their bytes have a digest.
  package var walksContainers = false
  /// Reads the durations of the tracks of videos; nil if the user did not request them.
  package var prober: TrackProber?
  /// Whether intact files are reported one by one, and not only counted, even if nothing is
  /// recorded for them.
  package var tellsIntact = true
  /// Whether no result is recorded.
  package var isDryRun = false
  /// Writes sidecars and NFO files that are missing or outdated; nil if none are written.
  package var sidecars: SidecarWriter?
  /// The number of bytes after which no further file is begun; nil for no limit.
  package var budget: ByteCount?
  /// The time after which no further file is begun, in milliseconds; nil for no limit.
  package var milliseconds: Int64?
  /// The number of worker threads.
  package var workers = 2

  /// The default options: all files, verified by their bytes.
  package init() {}
}

/// The remaining budget of a run.
struct VerificationBudget: Sendable {
  private let limit: Int64
  private let deadline: Deadline?
  private let begun = Monitor<Int64>(0)

  init(_ settings: VerificationSettings) {
    limit = settings.budget?.bytes ?? .max
    deadline = settings.milliseconds.map { Deadline(milliseconds: $0) }
  }

  /// Whether another file may be begun. Its bytes are then subtracted from the budget.
  ///
  /// The last file may be larger than the rest of the budget. Otherwise a large file would never be
  /// verified.
  func allows(_ item: VerificationItem) -> Bool {
    if let deadline, deadline.isPast { return false }
    return begun.withLock { begun in
      guard begun < limit else { return false }
      let (sum, overflow) = begun.addingReportingOverflow(item.judged.size?.bytes ?? 0)
      begun = overflow ? .max : sum
      return true
    }
  }
}
