/// The kind of a record; records of an unknown kind are kept unchanged.
package struct RecordKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name of the kind in the store.
  package let rawValue: String

  /// Creates a kind from its name in the store.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  /// An episode: one title to fetch.
  package static let episode = RecordKind(rawValue: "episode")
  /// The settings of a show.
  package static let show = RecordKind(rawValue: "show")
  /// A subscription.
  package static let feed = RecordKind(rawValue: "feed")
  /// A favourite show.
  package static let favourite = RecordKind(rawValue: "favourite")
  /// An id that an episode had before; field `to` has the next one.
  package static let alias = RecordKind(rawValue: "alias")
  /// A folder that holds media.
  package static let root = RecordKind(rawValue: "root")
  /// The progress of a transfer; not part of any state.
  package static let progress = RecordKind(rawValue: "progress")
  /// Limits and penalties of a server.
  package static let host = RecordKind(rawValue: "host")
  /// The bytes received over a network in each month.
  package static let network = RecordKind(rawValue: "network")
  /// An operation that can be undone.
  package static let step = RecordKind(rawValue: "step")
  /// Statistics.
  package static let stats = RecordKind(rawValue: "stats")
  /// Reports that are still to be sent.
  package static let outbox = RecordKind(rawValue: "outbox")
  /// The first line of the store.
  static let header = RecordKind(rawValue: "header")

  /// The kinds that this version knows.
  static let known: Set<RecordKind> = [
    .episode, .show, .feed, .favourite, .alias, .root, .progress, .host, .network, .step, .stats,
    .outbox, .header,
  ]
}
