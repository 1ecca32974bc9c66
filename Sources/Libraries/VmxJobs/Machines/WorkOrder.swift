package import SystemPackage
package import VmxModel

/// What a run is asked to make of the episodes that it takes.
package struct WorkOrder: Sendable, Equatable {
  /// Which of several files of a video is fetched.
  package var quality: Quality
  /// Whether a choice made by an earlier run gives way to `quality`.
  package var choosesAnew: Bool
  /// The parts that are worked on, and by which the outcome is judged; nil for all of them.
  package var only: PartSelection?
  /// Whether only files that are damaged or missing are worked on.
  package var repairsOnly: Bool
  /// A file whose bytes, where they are the right ones, need not be fetched.
  package var copy: FilePath?

  /// An order; without words the first file of each part, or the one chosen before, and all
  /// parts.
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

  /// The parts by whose states the outcome is judged.
  func judged(of episode: Episode) -> [Part] {
    episode.parts.filter { only?.contains($0) ?? $0.isRequired }
  }
}
