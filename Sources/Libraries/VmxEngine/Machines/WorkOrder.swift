package import SystemPackage
package import VmxModel

/// The request of a run for the episodes that it takes up.
package struct WorkOrder: Sendable, Equatable {
  /// The rule that chooses among several variants of a video.
  package var quality: Quality
  /// Whether `quality` overrides the choice of an earlier run.
  package var choosesAnew: Bool
  /// The parts that are worked on and that determine the outcome; nil for all of them.
  package var only: PartSelection?
  /// Whether only files that are damaged or missing are worked on.
  package var repairsOnly: Bool
  /// A local copy whose matching bytes need not be fetched.
  package var copy: FilePath?

  /// Creates an order; the defaults are the first variant of each part, or the one chosen before,
  /// and all parts.
  package init(
    quality: Quality = .first, choosesAnew: Bool = false, only: PartSelection? = nil,
    repairsOnly: Bool = false, copy: FilePath? = nil
  ) {
    self.quality = quality
    self.choosesAnew = choosesAnew
    self.only = only
    self.repairsOnly = repairsOnly
    self.copy = copy
  }

  /// Whether a part is to be worked on.
  package func includes(_ part: Part) -> Bool {
    (only?.contains(part) ?? true) && (!repairsOnly || part.isToBeRepaired)
  }

  /// Returns the parts whose states determine the outcome.
  func judged(of episode: Episode) -> [Part] {
    episode.parts.filter { only?.contains($0) ?? $0.isRequired }
  }
}
