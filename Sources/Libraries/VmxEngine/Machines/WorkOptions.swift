package import SystemPackage
package import VmxModel

/// The options of a run for the episodes that it works on.
package struct WorkOptions: Sendable, Equatable {
  /// The rule that chooses among several variants of a video.
  package var quality: Quality
  /// Whether `quality` overrides the choice of an earlier run.
  package var rechoosesVariant: Bool
  /// The parts that are worked on and that determine the outcome; nil for all of them.
  package var only: PartSelection?
  /// Whether only files that are damaged or missing are worked on.
  package var repairsOnly = false
  /// A local copy whose matching bytes need not be fetched.
  package var copy: FilePath?

  /// Whether one request is sent to servers that requested a delay, since the user named the
  /// episode.
  package internal(set) var ignoresRetryAfter = false
  /// The parts that the first pass of a run has chosen; nil in that pass. The state of a part that
  /// is fetched again no longer shows that its file was missing.
  private var chosen: Set<String>?

  /// Creates options; the defaults are the first variant of each part, or the one chosen before,
  /// and all parts.
  package init(
    quality: Quality = .first, rechoosesVariant: Bool = false, only: PartSelection? = nil
  ) {
    self.quality = quality
    self.rechoosesVariant = rechoosesVariant
    self.only = only
  }

  /// Whether it is for a further pass of a run.
  var isContinued: Bool { chosen != nil }

  /// Returns the options of a further pass, which continues with the parts that are included now.
  func continued(from episode: Episode) -> WorkOptions {
    var options = self
    options.chosen = Set(episode.parts.filter(includes).map(\.name))
    return options
  }

  /// Whether a part is to be worked on.
  package func includes(_ part: Part) -> Bool {
    if let chosen { return chosen.contains(part.name) }
    return (only?.contains(part) ?? true) && (!repairsOnly || part.isToBeRepaired)
  }

  /// Whether naming an episode requests it: the work includes the video or a repair. A request for
  /// subtitles alone does not make an unwanted episode wanted.
  package var requestsEpisode: Bool {
    repairsOnly || includes(Part(role: .video, variants: []))
  }

  /// Returns the parts whose states determine the outcome.
  func relevantParts(of episode: Episode) -> [Part] {
    episode.parts.filter { only?.contains($0) ?? $0.isRequired }
  }
}

// Another variant is another file. The variant is chosen once, before the first byte, and kept
// until the user requests another quality or all its sources have failed permanently. The recorded
// facts about the bytes are cleared with the earlier choice. The bytes themselves are identified by
// the source named in their resume data.

extension Part {
  /// Chooses the variant that a part is fetched as; the quality concerns only videos.
  ///
  /// - Parameters:
  ///   - isBegun: whether bytes of the current variant are held.
  ///   - wish: the variant that the user has chosen; nil to choose by the options.
  /// - Returns: true if another variant was chosen, of whose bytes nothing is known yet.
  /// - Throws: `no-such-quality` if no variant fits; nothing is changed then.
  mutating func chooseVariant(
    by options: WorkOptions, isBegun: Bool, wish: Variant? = nil
  ) throws(Failure) -> Bool {
    guard repairs == nil, let current = variant, !offered.isEmpty else { return false }
    let isChosen = chosen.map { key in eligible.contains { $0.isNamed(key) } } ?? false
    let isKept = eligible.contains(current) && (isChosen || isBegun || role != .video)
    guard role == .video && options.rechoosesVariant || !isKept else {
      if offered.count > 1, role == .video { chosen = current.key }
      return false
    }
    guard let choice = wish ?? choice(by: options) else {
      throw Failure(.noSuchQuality, "no file of '\(name)' has the requested quality")
    }
    if offered.count > 1 { chosen = choice.key }
    guard choice != current else { return false }
    (size, sha256, proof, original) = (nil, nil, nil, nil)
    return true
  }

  /// Returns the variant that the options choose, if several can be fetched and none of them was
  /// chosen before.
  func openChoice(by options: WorkOptions, isBegun: Bool) -> Variant? {
    guard role == .video, repairs == nil, chosen == nil, !isBegun, eligible.count > 1 else {
      return nil
    }
    return choice(by: options)
  }

  /// Whether the options request another variant than the current one.
  func isOther(than options: WorkOptions) -> Bool {
    role == .video && repairs == nil && options.rechoosesVariant && !offered.isEmpty
      && choice(by: options) != variant
  }

  /// Whether another variant can be fetched after all sources of the current one have failed.
  func hasAlternative(by options: WorkOptions) -> Bool {
    repairs == nil && variant?.isExhausted == true && hasUntriedSource
      && choice(by: options) != nil
  }

  private func choice(by options: WorkOptions) -> Variant? {
    (role == .video ? options.quality : .first).choice(among: eligible)
  }
}
