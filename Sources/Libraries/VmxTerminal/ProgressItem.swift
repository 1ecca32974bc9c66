import VmxModel

/// How far one item has come, as its worker tells it.
package struct ProgressItem: Sendable, Equatable {
  /// The episode, or whatever else it is.
  package var id: String
  /// Bytes that are here.
  package var held: Int64
  /// Bytes of the whole; nil while nobody knows.
  package var total: Int64?
  /// Bytes a second; nil to have the board measure it.
  package var rate: Int64?
  /// Which attempt this is; the first is 1.
  package var attempt: Int
  /// What is being done instead of receiving bytes, such as `checking` or `waits 12s`.
  package var note: String?

  /// How far an item has come.
  package init(
    id: String, held: Int64, total: Int64? = nil, rate: Int64? = nil, attempt: Int = 1,
    note: String? = nil
  ) {
    self.id = id
    self.held = held
    self.total = total
    self.rate = rate
    self.attempt = attempt
    self.note = note
  }

  /// Milliseconds until it is whole at its rate; nil while that cannot be said.
  package var eta: Int64? { headway.eta }

  /// Whole percent, 100 only at the end; nil while the whole is unknown.
  package var percent: Int64? { headway.percent }

  private var headway: Headway { Headway(held: held, total: total, rate: rate) }
}

/// How progress is shown: `--progress`.
package enum ProgressMode: String, Sendable, CaseIterable {
  /// Drawn where standard error is a terminal, else not at all.
  case auto
  /// JSON Lines on standard error.
  case json
  /// Not at all.
  case none
}
