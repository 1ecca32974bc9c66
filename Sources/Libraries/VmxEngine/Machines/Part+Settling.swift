import VmxModel

// Another variant is another file. The variant is chosen once, before the first byte, and stays
// until the user asks for another quality. The recorded facts about the bytes are cleared with the
// earlier choice. The bytes themselves are identified by the source named in their resume data.

extension Part {
  /// Chooses the variant that a video is fetched as.
  ///
  /// - Parameter isBegun: whether bytes of the current variant are held.
  /// - Returns: true if another variant was chosen, of which nothing is known yet.
  /// - Throws: `no-such-quality` if no variant fits; nothing is changed then.
  mutating func settle(by order: WorkOrder, isBegun: Bool) throws(Failure) -> Bool {
    let files = offered
    guard role == .video, repairs == nil, !files.isEmpty, let current = variant else {
      return false
    }
    let isChosen = chosen.map { key in files.contains { $0.isNamed(key) } } ?? false
    guard order.choosesAnew || !isChosen && !isBegun else {
      if files.count > 1 { chosen = current.key }
      return false
    }
    guard let choice = order.quality.choice(among: files) else {
      throw Failure(.noSuchQuality, "no file of '\(name)' is of the quality asked for")
    }
    if files.count > 1 { chosen = choice.key }
    guard choice != current else { return false }
    (size, sha256, proof, original) = (nil, nil, nil, nil)
    return true
  }

  /// Whether the order asks for another variant than the current one.
  func isOther(than order: WorkOrder) -> Bool {
    role == .video && repairs == nil && order.choosesAnew && !offered.isEmpty
      && order.quality.choice(among: offered) != variant
  }
}
