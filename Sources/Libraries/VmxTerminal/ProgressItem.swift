import VmxModel

/// The progress of one item, as its worker reports it.
package struct ProgressItem: Sendable, Equatable {
  /// The id of the episode or of another item.
  package var id: String
  /// The number of bytes received.
  package var held: Int64
  /// The total size in bytes; nil while it is unknown.
  package var total: Int64?
  /// The rate in bytes a second; nil to let the display measure it.
  package var rate: Int64?
  /// The number of the attempt, starting at 1.
  package var attempt: Int
  /// The current activity if no bytes are being received, such as `checking` or `waits 12s`.
  package var note: String?

  /// Creates a progress report.
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

  /// The remaining time in milliseconds at the current rate; nil while it is unknown.
  package var eta: Int64? { headway.eta }

  /// The progress in whole percent, 100 only at the end; nil while the total is unknown.
  package var percent: Int64? { headway.percent }

  private var headway: Headway { Headway(held: held, total: total, rate: rate) }
}

/// The display of progress: `--progress`.
package enum ProgressMode: String, Sendable, CaseIterable {
  /// Drawn if standard error is a terminal, else silent.
  case auto
  /// JSON Lines on standard error.
  case json
  /// No progress.
  case none
}
