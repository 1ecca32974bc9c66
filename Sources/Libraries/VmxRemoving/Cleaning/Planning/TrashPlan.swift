package import VmxModel
import VmxSystem

/// The limits on the size and age of the trash of a root.
package struct TrashRules: Sendable, Equatable {
  /// The time for which an entry is kept, in milliseconds.
  package var keep: Int64
  /// The maximum disk space of the trash.
  package var quota: DiskQuota
  /// The number of bytes to stay free on the disk; if fewer are free, trash is purged first.
  package var reserve: ByteCount

  /// Creates the rules from the settings.
  package init(keep: Int64, quota: DiskQuota, reserve: ByteCount) {
    self.keep = keep
    self.quota = quota
    self.reserve = reserve
  }
}

/// Selects the trash entries of one root to purge, oldest first.
struct TrashPlan {
  /// One entry of the trash.
  struct Held: Equatable {
    let name: String
    let at: Timestamp
    let bytes: Int64
    /// Whether the entry has a list of its files.
    var isListed = true
  }

  private let rules: TrashRules
  private let now: Timestamp

  init(_ rules: TrashRules, now: Timestamp) {
    self.rules = rules
    self.now = now
  }

  /// Returns the steps, and the number of bytes that they free.
  ///
  /// - Parameters:
  ///   - entries: the entries of the trash, oldest first.
  ///   - disk: the capacity of the disk.
  ///   - free: the free space on the disk.
  ///   - target: the free space that the user asked for; nil if there is no such request.
  func steps(
    _ entries: [Held], disk: ByteCount, free: ByteCount, target: ByteCount?
  ) -> (steps: [CleaningStep], freed: Int64) {
    var held = entries.map(\.bytes).clampedSum()
    let wanted = max(target ?? rules.reserve, rules.reserve)
    let quota = rules.quota.bytes(of: disk)
    var freed: Int64 = 0
    var steps: [CleaningStep] = []
    for entry in entries {
      let why: String
      if entry.at < now.adding(milliseconds: -rules.keep) {
        why = "in the trash for more than \(DurationText.text(of: rules.keep))"
      } else if free.bytes.addingClamped(freed) < wanted.bytes {
        why = "\(wanted.forPeople) are to be free"
      } else if held > quota.bytes {
        why = "the trash holds more than \(quota.forPeople)"
      } else {
        continue
      }
      steps.append(CleaningStep(purging: entry, why: why))
      held = held.addingClamped(-entry.bytes)
      freed = freed.addingClamped(entry.bytes)
    }
    return (steps, freed)
  }
}

extension CleaningStep {
  /// A step that removes a folder of the trash for good.
  init(purging entry: TrashPlan.Held, why: String) {
    self.init(.purgeTrash, why: entry.isListed ? why : "\(why); its list is lost")
    name = entry.name
    bytes = ByteCount(clamping: entry.bytes)
  }
}
