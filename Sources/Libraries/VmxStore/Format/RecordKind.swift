/// What a record is about; a kind we do not know is kept as it is.
package struct RecordKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The kind as it stands in the store.
  package let rawValue: String

  /// A kind by its name in the store.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  /// One title to watch.
  package static let episode = RecordKind(rawValue: "episode")
  /// What is kept of a show.
  package static let show = RecordKind(rawValue: "show")
  /// A subscription.
  package static let feed = RecordKind(rawValue: "feed")
  /// A favourite show.
  package static let favourite = RecordKind(rawValue: "favourite")
  /// An id that an episode had before; field `to` has the next one.
  package static let alias = RecordKind(rawValue: "alias")
  /// A folder that holds media.
  package static let root = RecordKind(rawValue: "root")
  /// How far a transfer is; no state.
  package static let progress = RecordKind(rawValue: "progress")
  /// Limits and penalties of a server.
  package static let host = RecordKind(rawValue: "host")
  /// Bytes of a network in a month.
  package static let network = RecordKind(rawValue: "network")
  /// A step that can be taken back.
  package static let step = RecordKind(rawValue: "step")
  /// Numbers for the curious.
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
