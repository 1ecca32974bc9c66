import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxTerminal

/// Shows the progress of the transfers on standard error.
struct FetchDisplay: Sendable {
  private let board: ProgressDisplay
  private let messages: Messages

  init(_ mode: ProgressMode, in context: CommandContext) {
    let board = ProgressDisplay(
      mode, on: context.messages.sink,
      reportsToTerminal: context.environment["VMX_OSC"] != "0",
      terminal: { context.messages.terminal })
    self.board = board
    messages = context.messages
    messages.share(
      with: Messages.LiveView(suspend: { board.suspend() }, resume: { board.resume() }))
  }

  /// Shows one step; called on the transfer thread.
  func show(_ progress: TransferProgress) {
    switch progress.event {
    case .began, .moved, .ended: if board.isSilent { return }
    default: break
    }
    let id = progress.part == "video" ? "\(progress.id)" : "\(progress.id) \(progress.part)"
    var item = ProgressItem(id: id, held: progress.held, total: progress.total)
    item.attempt = progress.attempt
    item.phase = progress.phase
    switch progress.event {
    case .began, .moved: board.update(item)
    case .retrying(let failure, let delay):
      item.note = "\(failure.code.rawValue), again in \(TimeText.duration(milliseconds: delay))"
      board.update(item)
      messages.detail("'\(id)': \(failure.summary)")
    case .held(let failure):
      item.note = "waits: \(failure.code.rawValue)"
      board.update(item)
    case .noted(let text): messages.note("'\(id)': \(text)")
    case .ended where progress.phase == .publishing: board.update(item)
    case .ended: board.end(id)
    }
  }

  /// Removes the parts of an episode whose work has ended.
  func end(_ id: EpisodeID) {
    board.end { $0 == "\(id)" || $0.hasPrefix("\(id) ") }
  }

  /// Clears the display; a second call does nothing.
  func close() {
    messages.share(with: nil)
    board.close()
  }
}
