import Synchronization
package import VmxModel
package import VmxPresentation
import VmxSystem

/// The display of progress: `--progress`.
package enum ProgressMode: String, Sendable, CaseIterable {
  /// A drawn display if standard error is a terminal, otherwise none.
  case auto
  /// JSON Lines on standard error.
  case json
  /// No progress.
  case none
}

/// Shows the progress of a run on standard error: a line for each item and one for the total.
///
/// On a terminal, the display is redrawn in place at most ten times a second; a terminal that shows
/// a progress bar of its own gets it at most once a second. Without new progress it is redrawn once
/// a second, at the current width of the window. As JSON, it writes at most two lines a second for
/// each item. Otherwise it is silent. All functions are thread-safe and none of them fails: a
/// display that cannot be written must not stop the run.
package final class ProgressDisplay: Sendable {
  private static let redrawInterval: Int64 = 100
  private static let lineInterval: Int64 = 500
  private static let pollInterval: Int64 = 250
  private static let maxRedrawInterval: Int64 = 1000
  /// The time in milliseconds over which rates are averaged.
  private static let smoothing = 10_000.0

  private let mode: Mode
  private let sink: any ByteSink
  private let terminal: @Sendable () -> TerminalFacts
  private let monotonicNow: @Sendable () -> Int64
  private let state: Mutex<State>
  private let ending = ChangeSignal()

  private enum Mode { case drawn, json, disabled }

  private struct State {
    var run = RunProgress()
    var screen: LiveScreen
    var meters: [String: RateMeter] = [:]
    var totalRate = RateMeter(smoothing: smoothing)
    var lastReported: [String: Int64] = [:]
    var drawnAt: Int64?
    /// The time of the last report to the terminal's own progress bar.
    var reportedAt: Int64?
    var isSuspended = false
    var isOver = false
  }

  /// Creates an empty display.
  ///
  /// - Parameters:
  ///   - sink: standard error.
  ///   - terminal: returns the properties of the terminal; called at each redraw, since the width
  ///     of a window may change.
  ///   - monotonicNow: returns the milliseconds of a monotonic clock.
  package init(
    _ mode: ProgressMode, on sink: any ByteSink,
    terminal: @escaping @Sendable () -> TerminalFacts,
    monotonicNow: @escaping @Sendable () -> Int64 = { Deadline.nowMilliseconds }
  ) {
    self.sink = sink
    self.terminal = terminal
    self.monotonicNow = monotonicNow
    state = Mutex(State(screen: LiveScreen(on: sink)))
    self.mode =
      switch mode {
      case .auto where terminal().isTerminal && terminal().obeysEscapes: .drawn
      case .json: .json
      case .auto, .none: .disabled
      }
  }

  /// Whether it never shows anything.
  package var isDisabled: Bool {
    if case .disabled = mode { true } else { false }
  }

  /// Begins the work on an episode.
  ///
  /// - Parameters:
  ///   - amount: its files.
  ///   - pending: the files of the run that belong to other episodes and have not begun; nil while
  ///     that number is unknown.
  package func begin(_ id: String, _ amount: WorkAmount, pending: WorkAmount?) {
    guard !isDisabled else { return }
    state.withLock { state in
      state.run.begin(id, amount)
      state.run.pending = pending
    }
  }

  /// Reports that no further episodes follow.
  package func endInput() {
    state.withLock { $0.run.pending = .zero }
  }

  /// Updates the progress of an item; a new item adds a line.
  package func update(_ item: ProgressItem) {
    guard !isDisabled else { return }
    let now = monotonicNow()
    state.withLock { state in
      var item = item
      let rate = Self.measure(item, at: now, &state.meters)
      item.rate = item.phase?.isMoving == false ? nil : item.rate ?? rate
      state.run.update(item)
      state.totalRate.sample(state.run.received, at: now)
      switch mode {
      case .drawn: draw(&state, at: now)
      case .json: report(item, &state, at: now)
      case .disabled: break
      }
    }
  }

  /// Removes an item from the display, whatever its outcome.
  package func end(_ id: String, part: String? = nil) {
    end { run in run.end { $0.id == id && $0.part == part } }
  }

  /// Removes all items of an episode.
  ///
  /// - Parameter isFinal: whether the run does not process the episode again.
  package func end(episode id: String, isFinal: Bool = true) {
    end { run in run.end(episode: id, isFinal: isFinal) }
  }

  private func end(_ body: (inout RunProgress) -> [ProgressItem]) {
    guard !isDisabled else { return }
    let now = monotonicNow()
    state.withLock { state in
      for item in body(&state.run) {
        state.meters[item.key] = nil
        state.lastReported[item.key] = nil
      }
      if case .drawn = mode { draw(&state, at: now) }
    }
  }

  /// Erases the display until `resume`, so that other output can be printed or the process stopped.
  package func suspend() {
    state.withLock { state in
      state.isSuspended = true
      erase(&state)
    }
  }

  /// Allows the display to be drawn again, immediately or at the next update.
  package func resume() {
    let now = monotonicNow()
    state.withLock { state in
      state.isSuspended = false
      if case .drawn = mode { draw(&state, at: now) }
    }
  }

  /// Erases the display permanently.
  package func close() {
    ending.signal()
    state.withLock { state in
      guard !state.isOver else { return }
      erase(&state)
      state.isOver = true
      if state.reportedAt != nil { print("\u{1b}]9;4;0;0\u{1b}\\") }
    }
  }

  private static func measure(
    _ item: ProgressItem, at now: Int64, _ meters: inout [String: RateMeter]
  ) -> Int64? {
    var meter = meters[item.key] ?? RateMeter(smoothing: smoothing)
    meter.sample(item.completedBytes, at: now)
    meters[item.key] = meter
    return meter.rate
  }

  private func draw(_ state: inout State, at now: Int64) {
    guard !state.isSuspended, !state.isOver else { return }
    // After `bg` the terminal belongs to the shell.
    if let descriptor = sink.descriptor, !JobControl.isInForeground(of: descriptor) {
      return state.screen.leave()
    }
    if let last = state.drawnAt, now - last < Self.redrawInterval { return }
    // Before the first item there is nothing to draw. After it, the total is drawn even without
    // items.
    guard !state.run.items.isEmpty || state.drawnAt != nil else { return }
    if state.drawnAt == nil { redrawPeriodically() }
    let frame = Self.frame(&state, at: now)
    let terminal = terminal()
    var control = ""
    let wasReported = state.reportedAt.map { now - $0 < Self.maxRedrawInterval } ?? false
    if terminal.showsProgress, !wasReported {
      let percent = state.run.percent()
      control = "\u{1b}]9;4;\(percent == nil ? 3 : 1);\(percent ?? 0)\u{1b}\\"
      state.reportedAt = now
    }
    do throws(OutputError) {
      try state.screen.show(frame.lines(terminal), terminal, then: control)
    } catch {
      // Standard error is closed; the run continues without a display.
    }
    state.drawnAt = now
  }

  private static func frame(_ state: inout State, at now: Int64) -> ProgressFrame {
    var frame = ProgressFrame(items: state.run.items)
    let files = state.run.files
    if files != 1 {
      state.totalRate.sample(state.run.received, at: now)
      var bytes = state.run.bytes
      bytes.rate = state.run.items.contains { $0.rate != nil } ? state.totalRate.rate : nil
      frame.totals = ProgressFrame.Totals(
        ended: state.run.endedFiles, files: files, bytes: bytes, percent: state.run.percent(),
        eta: state.run.eta(at: bytes.rate))
    }
    return frame
  }

  /// Redraws while no progress is reported: the width of the window may change, and displayed times
  /// pass.
  private func redrawPeriodically() {
    do throws(ProcessError) {
      _ = try WorkerThread.start("vmx-progress") { [self] in
        while !ending.wait(milliseconds: Self.pollInterval) {
          let now = monotonicNow()
          state.withLock { state in
            let isStill = state.drawnAt.map { now - $0 >= Self.maxRedrawInterval } ?? false
            if isStill || state.screen.width != terminal().width { draw(&state, at: now) }
          }
        }
      }
    } catch {
      // Without a thread, the display is redrawn only when progress is reported.
    }
  }

  private func erase(_ state: inout State) {
    do throws(OutputError) {
      try state.screen.show([], terminal())
    } catch {
      // Standard error is closed.
    }
  }

  private func report(_ item: ProgressItem, _ state: inout State, at now: Int64) {
    // A note appears in one report only.
    if item.note == nil, let last = state.lastReported[item.key], now - last < Self.lineInterval {
      return
    }
    state.lastReported[item.key] = now
    var object = JSONObject()
    object.append("schema", 1)
    object.append("id", item.id)
    object.append("row", "progress")
    object.append("event", "progress")
    object.append("part", item.part)
    object.append("bytes", .integer(item.completedBytes))
    object.append("total", item.total.map { .integer($0) })
    object.append("rate", item.rate.map { .integer($0) })
    object.append("eta_ms", item.eta.map { .integer($0) })
    object.append("phase", item.phase?.rawValue)
    object.append("attempt", .integer(Int64(item.attempt)))
    object.append(
      "connections", item.connections > 0 ? .integer(Int64(item.connections)) : nil)
    object.append("note", item.note)
    print(String(decoding: object.line(escaping: false), as: UTF8.self))
  }

  private func print(_ text: String) {
    do throws(OutputError) {
      try sink.write(text)
      try sink.flush()
    } catch {
      // Standard error is closed; the run continues without a display.
    }
  }
}

extension ProgressItem {
  fileprivate var key: String { "\(id) \(part ?? "")" }
}
