package import SystemPackage
import VmxModel

/// What a run of `vmx clean` is asked to do.
package struct CleaningOrder: Sendable {
  /// Bytes that are unfinished, asides, drafts and caches are left alone for so long, in
  /// milliseconds.
  static let rest: Int64 = 86_400_000
  /// What is in the cache may be had again; what nobody used for so long is not worth its place.
  static let cacheRest: Int64 = 30 * rest

  /// Which episodes are not to stay.
  package var rules = RetentionRules()
  /// What the trash may hold.
  package var trash: TrashRules
  /// Whether files that nobody knows go to the trash.
  package var discardsForeign = false
  /// The folders or UUIDs of the roots that are cleaned; empty for all of them.
  package var roots: [String] = []
  /// The folder of what can be had again; nil where there is none.
  package var cache: FilePath?

  /// The safe steps only.
  package init(trash: TrashRules) {
    self.trash = trash
  }
}
