import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation

/// Shows the progress of the transfers on standard error.
struct FetchDisplay: Sendable {
  private let display: ProgressDisplay
  private let messages: Messages
  private let parental: ParentalGuard

  init(_ mode: ProgressMode, in context: CommandContext) {
    let display = ProgressDisplay(
      mode, on: context.messages.sink,
      terminal: { context.messages.terminal })
    self.display = display
    messages = context.messages
    parental = context.parental
    messages.share(
      with: Messages.LiveView(suspend: { display.suspend() }, resume: { display.resume() }))
  }

  /// Shows one step; called on the transfer thread.
  func show(_ progress: TransferProgress) {
    switch progress.event {
    case .began, .moved, .ended: if display.isDisabled { return }
    default: break
    }
    let name = name(of: progress.id)
    let subject = progress.part == PartRole.video.rawValue ? name : "\(name) \(progress.part)"
    let isShown = parental.allows(progress.id)
    var item = ProgressItem(
      id: name, part: progress.part, title: isShown ? progress.title : "",
      completedBytes: progress.completedBytes,
      total: progress.total, attempt: progress.attempt)
    item.expected = progress.expected
    item.phase = progress.phase
    item.connections = progress.connections
    switch progress.event {
    case .began, .moved: display.update(item)
    case .retrying(let failure, let delay):
      item.note = "\(failure.code.rawValue), retry in \(TimeText.duration(milliseconds: delay))"
      display.update(item)
      messages.detail("'\(subject)': \(isShown ? failure.summary : failure.code.rawValue)")
    case .held(let failure):
      item.note = "waits: \(failure.code.rawValue)"
      display.update(item)
    case .noted(let text): if isShown { messages.note("'\(subject)': \(text)") }
    case .ended where progress.phase == .publishing: display.update(item)
    case .ended: display.end(item.id, part: item.part)
    }
  }

  /// Begins the work on an episode.
  ///
  /// - Parameter pending: the files of the episodes that follow; nil if that is not known.
  func begin(_ id: EpisodeID, _ amount: WorkAmount, pending: WorkAmount?) {
    display.begin(name(of: id), amount, pending: pending)
  }

  /// Marks the end of the input: no further episode will begin.
  func endInput() { display.endInput() }

  /// Removes the parts of an episode whose work has ended; a waiting one may follow again.
  func end(_ id: EpisodeID, _ result: OperationResult) {
    let isFinal = if case .waiting = result { false } else { true }
    display.end(episode: name(of: id), isFinal: isFinal)
  }

  /// Returns the displayed name of an episode: its id, or a neutral unique name if parental control
  /// hides it.
  private func name(of id: EpisodeID) -> String {
    guard !parental.allows(id) else { return "\(id)" }
    return "hidden/" + String(Hex.text(of: StableHash.of("\(id)")).prefix(8))
  }

  /// Clears the display; a second call does nothing.
  func close() {
    messages.share(with: nil)
    display.close()
  }
}
