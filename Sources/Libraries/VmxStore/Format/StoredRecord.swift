package import VmxModel

/// A record of any kind as it is stored.
package struct StoredRecord: Sendable, Equatable {
  /// The kind of the record.
  package var kind: RecordKind
  /// The id, unique among the records of its kind.
  package var id: String
  /// The sequence number of its line; 0 for a record that was never stored.
  package var seq: Int64
  /// The time when its line was written, as recorded in the line.
  package var at: Timestamp?
  /// The fields of the record, without those that the store reserves.
  package var fields: JSONObject

  /// Creates a record that is to be stored.
  package init(kind: RecordKind, id: String, fields: JSONObject) {
    self.kind = kind
    self.id = id
    self.fields = fields
    seq = 0
  }

  init(key: RecordKey, seq: Int64, at: Timestamp?, line: JSONObject) {
    kind = key.kind
    id = key.id
    self.seq = seq
    self.at = at
    fields = line.without(Self.ownedByStore)
  }

  /// The path that it records: the folder of a root, or the place of a bundle. Nil if it has none.
  package var path: String? { fields["path"]?.string }

  /// The keys of a line that the store reserves.
  static let ownedByStore: Set<String> = Set(LineField.allCases.map(\.rawValue))
}

/// The unique key of a record; records of different kinds may have the same id.
struct RecordKey: Sendable, Hashable {
  let kind: RecordKind
  let id: String
}

/// The kind of a record; records of an unknown kind are kept unchanged.
package struct RecordKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name of the kind in the store.
  package let rawValue: String

  /// Creates a kind from its name in the store.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Every kind of this version has a case, so that `isKnown` cannot lack it.
  private init(_ known: Known) { rawValue = known.rawValue }

  /// The names of the kinds that this version knows; `stats` is reserved for future tools.
  enum Known: String, CaseIterable {
    case episode, show, feed, favourite, alias, root, copy, progress, position, licence, host
    case network, step, lock, stats, outbox, sync, clock, header
  }

  /// Whether this version knows the kind.
  var isKnown: Bool { Known(rawValue: rawValue) != nil }

  package var description: String { rawValue }

  /// An episode: one title to fetch.
  package static let episode = RecordKind(.episode)
  /// The settings of a show.
  package static let show = RecordKind(.show)
  /// A subscription.
  package static let feed = RecordKind(.feed)
  /// A favourite show.
  package static let favourite = RecordKind(.favourite)
  /// The kinds that link a slug to a show of the catalogue, the decisive one first.
  package static let shows = [favourite, show]
  /// A former id of an episode; field `to` contains the id that replaced it.
  package static let alias = RecordKind(.alias)
  /// A folder that holds media.
  package static let root = RecordKind(.root)
  /// A bundle or exported folder that holds files of episodes.
  package static let copy = RecordKind(.copy)
  /// The progress of a transfer; not part of any state.
  package static let progress = RecordKind(.progress)
  /// The playback position at which an episode resumes; not part of any state.
  package static let position = RecordKind(.position)
  /// The licence of an episode: its rights, the backend's last answer and a pending call.
  package static let licence = RecordKind(.licence)
  /// Limits and penalties of a server.
  package static let host = RecordKind(.host)
  /// The bytes received over a network in each month.
  package static let network = RecordKind(.network)
  /// An operation that can be undone.
  package static let step = RecordKind(.step)
  /// The mark that a PIN is set.
  package static let lock = RecordKind(.lock)
  /// Reports that are still to be sent.
  package static let outbox = RecordKind(.outbox)
  /// The state of `vmx sync`, and the newest merged time of each episode.
  package static let sync = RecordKind(.sync)
  /// A doubt about the clock that no server has dispelled yet.
  static let clock = RecordKind(.clock)
  /// The first line of the store.
  static let header = RecordKind(.header)
}
