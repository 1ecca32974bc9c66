/// The sort key of an episode in the queue; smaller keys come first.
///
/// Higher priority comes first, then favourite shows, then the earlier place. Among equal places,
/// the episode whose first line stands earlier in the store comes first.
package struct QueueOrder: Sendable, Hashable, Comparable {
  /// The priority; higher values come first.
  package var priority: Int64
  /// Whether its show is a favourite.
  package var isFavourite: Bool
  /// The place in nanoseconds since 1970.
  package var place: Int64
  /// The rank of its first line among those of the store.
  package var line: Int

  /// Creates a sort key from its components.
  package init(priority: Int64, isFavourite: Bool, place: Int64, line: Int) {
    self.priority = priority
    self.isFavourite = isFavourite
    self.place = place
    self.line = line
  }

  /// Creates the sort key of an episode.
  ///
  /// - Parameters:
  ///   - isFavourite: whether there is a `favourite` record for its show.
  ///   - line: rank of its first line; a snapshot returns episodes in that order.
  package init(of episode: Episode, isFavourite: Bool, line: Int) {
    self.init(
      priority: episode.priority, isFavourite: isFavourite, place: episode.resolvedPlace, line: line
    )
  }

  package static func < (left: QueueOrder, right: QueueOrder) -> Bool {
    if left.priority != right.priority { return left.priority > right.priority }
    if left.isFavourite != right.isFavourite { return left.isFavourite }
    return (left.place, left.line) < (right.place, right.line)
  }
}

extension Episode {
  /// The assigned place, else the time of adding, in nanoseconds since 1970.
  package var resolvedPlace: Int64 { place ?? added.nanoseconds }
}

extension Timestamp {
  /// The time in nanoseconds since 1970, clamped to the range of `Int64`.
  package var nanoseconds: Int64 {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (milliseconds < 0 ? .min : .max) : product
  }
}
