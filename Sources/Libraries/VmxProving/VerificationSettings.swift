package import VmxModel
package import VmxJobs
import VmxSystem

/// What a run of proofs is asked for.
package struct VerificationSettings: Sendable {
  /// Whether only existence and size are looked at.
  package var isQuick = false
  /// Whether the containers of videos are walked even where their bytes have a digest.
  package var walksContainers = false
  /// Tells how long the tracks of videos play; nil where nobody asked.
  package var prober: TrackProber?
  /// Whether files that are as they should be are reported one by one, and not only counted, even
  /// if there is nothing to record of them.
  package var tellsIntact = true
  /// Whether nothing is recorded.
  package var isDryRun = false
  /// Writes sidecars and NFO files that are missing or wrong; nil where none are written.
  package var sidecars: SidecarWriter?
  /// Files are begun until so many bytes were begun; nil for no end.
  package var budget: ByteCount?
  /// Files are begun for so many milliseconds; nil for no end.
  package var milliseconds: Int64?
  /// How many workers read.
  package var workers = 2

  /// All files, by their bytes.
  package init() {}
}

/// How much of a run's budget is left.
struct VerificationBudget: Sendable {
  private let limit: Int64
  private let deadline: Deadline?
  private let begun = Monitor<Int64>(0)

  init(_ settings: VerificationSettings) {
    limit = settings.budget?.bytes ?? .max
    deadline = settings.milliseconds.map { Deadline(milliseconds: $0) }
  }

  /// Whether another file may be begun; its bytes are then spent.
  ///
  /// The last one may be larger than what is left: else a large file would never be proven.
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
