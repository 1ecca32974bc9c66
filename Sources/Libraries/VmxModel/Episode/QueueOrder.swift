/// Where an episode stands in the queue: what comes first is less.
///
/// Higher priority goes first, then episodes of favourite shows, then what was asked for first;
/// of those asked for at the same moment, the one whose first line stands before in the store.
package struct QueueOrder: Sendable, Hashable, Comparable {
  /// Higher goes first.
  package var priority: Int64
  /// Whether its show is a favourite.
  package var isFavourite: Bool
  /// Nanoseconds since 1970.
  package var place: Int64
  /// Rank of its first line among those of the store.
  package var line: Int

  /// A standing made of its parts.
  package init(priority: Int64, isFavourite: Bool, place: Int64, line: Int) {
    self.priority = priority
    self.isFavourite = isFavourite
    self.place = place
    self.line = line
  }

  /// The standing of an episode.
  ///
  /// - Parameters:
  ///   - isFavourite: whether there is a `favourite` record for its show.
  ///   - line: rank of its first line; episodes come in that order out of a snapshot.
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
  /// The place it was given, else the moment of adding in nanoseconds since 1970.
  package var resolvedPlace: Int64 { place ?? added.nanoseconds }
}

extension Timestamp {
  /// Nanoseconds since 1970; beyond what fits, the largest or smallest number.
  package var nanoseconds: Int64 {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (milliseconds < 0 ? .min : .max) : product
  }
}
