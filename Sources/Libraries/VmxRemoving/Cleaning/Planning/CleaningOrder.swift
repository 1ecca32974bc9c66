package import SystemPackage
import VmxModel

/// The options of a run of `vmx clean`.
package struct CleaningOrder: Sendable {
  /// The minimal age of partial downloads, bytes set aside, drafts and cache files before they are
  /// removed, in milliseconds.
  static let rest: Int64 = 86_400_000
  /// The minimal age of unused cache files, in milliseconds. They can be fetched again.
  static let cacheRest: Int64 = 30 * rest

  /// The rules that select episodes to remove.
  package var rules = RetentionRules()
  /// The limits of the trash.
  package var trash: TrashRules
  /// Whether files without a record are moved to the trash.
  package var discardsForeign = false
  /// The folders or UUIDs of the roots to clean; empty for all roots.
  package var roots: [String] = []
  /// The folder of data that can be fetched again; nil if there is none.
  package var cache: FilePath?

  /// The default options: only the steps that need no confirmation.
  package init(trash: TrashRules) {
    self.trash = trash
  }
}
