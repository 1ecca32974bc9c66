import VmxModel

// Another variant is another file. A choice is made once, before the first byte, and stands until
// the person asks for another quality. What is known of the bytes goes with the choice before;
// the bytes themselves are told apart by the source that their resume data name.

extension Part {
  /// Settles which of its files a video is fetched as.
  ///
  /// - Parameter isBegun: whether bytes are held of the file that stands for it now.
  /// - Returns: true if it is another file than before, of which nothing is known yet.
  /// - Throws: `no-such-quality` if no file fits; nothing is changed then.
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

  /// Whether the order asks for another file than the one that stands for it.
  func isOther(than order: WorkOrder) -> Bool {
    role == .video && repairs == nil && order.choosesAnew && !offered.isEmpty
      && order.quality.choice(among: offered) != variant
  }
}
