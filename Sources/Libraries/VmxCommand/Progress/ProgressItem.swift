package import VmxModel
import VmxPresentation

/// The progress of one file, as its worker reports it.
package struct ProgressItem: Sendable, Equatable {
  /// The id of the episode, or the name of the file that is read or written.
  package var id: String
  /// The name of the part of the episode; nil for anything else.
  package var part: String?
  /// The title of the episode, shown in place of the id; nil for anything else, and empty if the
  /// user may not read it.
  package var title: String?
  /// The number of bytes received.
  package var completedBytes: Int64
  /// The total size in bytes; nil while it is unknown.
  package var total: Int64?
  /// The total size in bytes as known before the transfer, with which the file was counted.
  package var expected: Int64?
  /// The rate in bytes a second; nil to let the display measure it.
  package var rate: Int64?
  /// The number of the attempt, starting at 1.
  package var attempt: Int
  /// The number of open connections.
  package var connections = 0
  /// The phase of the transfer; nil if the item has none.
  package var phase: ProgressPhase?
  /// The current activity if no bytes are being received, such as `checking` or `waits 12s`.
  package var note: String?

  /// Creates a progress report.
  package init(
    id: String, part: String? = nil, title: String? = nil, completedBytes: Int64,
    total: Int64? = nil,
    attempt: Int = 1
  ) {
    self.id = id
    self.part = part
    self.title = title
    self.completedBytes = completedBytes
    self.total = total
    self.attempt = attempt
  }

  /// The remaining time in milliseconds at the current rate; nil while it is unknown.
  package var eta: Int64? { progress.eta }

  /// The progress in whole percent, 100 only at the end; nil while the total is unknown.
  package var percent: Int64? { progress.percent }

  /// Whether it is the same file of the same episode.
  func isSame(as other: ProgressItem) -> Bool { id == other.id && part == other.part }

  /// The current activity, shown in place of the remaining time; nil while bytes are received.
  var activity: String? { note ?? phase.flatMap { $0.isMoving ? nil : $0.rawValue } }

  /// Returns the title, else the id, shortened in its middle to a number of cells.
  ///
  /// The end of a title usually has the number of the episode, and is kept like the part.
  func name(fitting cells: Int) -> String {
    let role = part == PartRole.video.rawValue ? nil : part
    let suffix = role.map { TerminalText.escaped(" \($0)") } ?? ""
    let name = TerminalText.escaped(title.flatMap { $0.isEmpty ? nil : $0 } ?? id)
    let room = cells - DisplayWidth.of(suffix)
    guard room >= 8 else { return DisplayWidth.shortened(name + suffix, to: cells) }
    return DisplayWidth.shortened(name, to: room) + suffix
  }

  private var progress: ByteProgress {
    ByteProgress(completedBytes: completedBytes, total: total, rate: rate)
  }
}
