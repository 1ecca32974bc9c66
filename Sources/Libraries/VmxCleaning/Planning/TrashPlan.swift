import VmxJobs
package import VmxModel
import VmxSystem

/// What the trash of a root may hold, and for how long.
package struct TrashRules: Sendable, Equatable {
  /// How long it stays, in milliseconds.
  package var keep: Int64
  /// How much of its disk it may take.
  package var quota: Share
  /// Bytes of the disk that are to stay free; where they are not, the trash goes first.
  package var reserve: ByteCount

  /// Rules.
  package init(keep: Int64, quota: Share, reserve: ByteCount) {
    self.keep = keep
    self.quota = quota
    self.reserve = reserve
  }
}

/// Chooses what leaves the trash of one root for good, the oldest first.
struct TrashPlan {
  /// One entry of the trash.
  struct Held: Equatable {
    let name: String
    let at: Timestamp
    let bytes: Int64
    /// Whether a list says what its files are.
    var isListed = true
  }

  private let rules: TrashRules
  private let now: Timestamp

  init(_ rules: TrashRules, now: Timestamp) {
    self.rules = rules
    self.now = now
  }

  /// The steps, and how many bytes they free.
  ///
  /// - Parameters:
  ///   - entries: what lies in the trash, oldest first.
  ///   - disk: what the disk can hold in all.
  ///   - free: what is free on it.
  ///   - target: what is to be free, where somebody asked for that.
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
