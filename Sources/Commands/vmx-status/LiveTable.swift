import Synchronization
import VmxCommand
import VmxPresentation
import VmxSystem

/// The table of `vmx status --live`, redrawn in place until the user types q or an interrupt comes.
struct LiveTable: ~Copyable {
  private let status: LibraryStatus
  private let context: CommandContext
  private let screen: Screen

  /// The lines on the terminal and its modes, which Ctrl-Z must leave in order.
  private final class Screen: Sendable {
    let state: Mutex<(lines: LiveScreen, keys: TerminalKeys)>

    init(in context: CommandContext) {
      state = Mutex((LiveScreen(on: context.output), TerminalKeys()))
    }

    /// Calls a function that stops the process. The lines stay, and the next frame follows below
    /// what the shell has written.
    func pause(_ stop: () -> Void) {
      state.withLock { state in
        state.keys.restore()
        state.lines.leave()
        stop()
      }
    }
  }

  init(_ status: LibraryStatus, in context: CommandContext) {
    self.status = status
    self.context = context
    screen = Screen(in: context)
  }

  /// Draws until the user types q.
  ///
  /// - Throws: as `PollLoop.pause`, and the errors of the store.
  func run() throws {
    let loop = try PollLoop(in: context)
    JobControl.install { [screen] in screen.pause($0) }
    defer { screen.state.withLock { $0.keys.restore() } }
    while true {
      let isOver = try screen.state.withLock { state in
        guard JobControl.isInForeground(of: context.output.descriptor ?? -1) else { return false }
        let terminal = context.terminalNow()
        try state.lines.show(try status.report().frame(terminal), terminal)
        return state.keys.typed().contains(UInt8(ascii: "q"))
      }
      if isOver { return }
      try loop.pause()
      _ = try status.poll()
    }
  }
}
