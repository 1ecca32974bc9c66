import Synchronization
import VmxModel
package import VmxPresentation
import VmxSystem

/// The display of progress: `--progress`.
package enum ProgressMode: String, Sendable, CaseIterable {
  /// Drawn if standard error is a terminal, else silent.
  case auto
  /// JSON Lines on standard error.
  case json
  /// No progress.
  case none
}

/// Shows the progress of a run on standard error: a line for each item and one for the total.
///
/// On a terminal it redraws itself in place, at most ten times a second. It redraws only when it is
/// called, so the caller reports progress a few times a second. As JSON it writes at most two lines
/// a second for each item. Anywhere else it is silent. All functions are thread-safe and none of
/// them fails: a progress display that cannot be written must not stop the run.
package final class ProgressDisplay: Sendable {
  private static let betweenDrawings: Int64 = 100
  private static let betweenLines: Int64 = 500

  private let mode: Mode
  private let sink: any ByteSink
  private let terminal: @Sendable () -> TerminalFacts
  private let moment: @Sendable () -> Int64
  private let state = Mutex(State())

  private enum Mode { case drawn(reportsToTerminal: Bool), json, silent }

  private struct State {
    var items: [ProgressItem] = []
    var meters: [String: RateMeter] = [:]
    var told: [String: Int64] = [:]
    var ended = 0
    var endedBytes: Int64 = 0
    var expected: Int?
    var drawnLines = 0
    var drawnAt: Int64?
    var isSuspended = false
    var isOver = false
  }

  /// Creates an empty display.
  ///
  /// - Parameters:
  ///   - sink: standard error.
  ///   - reportsToTerminal: whether it also sets the terminal's own progress bar (OSC 9;4).
  ///   - terminal: returns the properties of the terminal; called at each redraw, since windows
  ///     change their width.
  ///   - moment: returns the milliseconds of a monotonic clock.
  package init(
    _ mode: ProgressMode, on sink: any ByteSink, reportsToTerminal: Bool = true,
    terminal: @escaping @Sendable () -> TerminalFacts,
    moment: @escaping @Sendable () -> Int64 = { Deadline.nowMilliseconds }
  ) {
    self.sink = sink
    self.terminal = terminal
    self.moment = moment
    self.mode =
      switch mode {
      case .auto where terminal().isTerminal: .drawn(reportsToTerminal: reportsToTerminal)
      case .json: .json
      case .auto, .none: .silent
      }
  }

  /// Whether it never shows anything.
  package var isSilent: Bool {
    if case .silent = mode { true } else { false }
  }

  /// Sets the number of items of the whole run.
  package func expect(items: Int) {
    state.withLock { $0.expected = items }
  }

  /// Updates the progress of an item; a new id adds a line.
  package func update(_ item: ProgressItem) {
    guard !isSilent else { return }
    let now = moment()
    state.withLock { state in
      var item = item
      let meter = Self.measure(item, at: now, &state.meters)
      item.rate = item.phase?.isMoving == false ? nil : item.rate ?? meter.rate
      if let index = state.items.firstIndex(where: { $0.id == item.id }) {
        state.items[index] = item
      } else {
        state.items.append(item)
      }
      switch mode {
      case .drawn: draw(&state, at: now)
      case .json: tell(item, &state, at: now)
      case .silent: break
      }
    }
  }

  /// Removes an item from the display, whatever its outcome.
  package func end(_ id: String) { end { $0 == id } }

  /// Removes the items whose ids fulfil a condition.
  package func end(where isOver: (String) -> Bool) {
    guard !isSilent else { return }
    let now = moment()
    state.withLock { state in
      let ended = state.items.filter { isOver($0.id) }
      guard !ended.isEmpty else { return }
      state.items.removeAll { isOver($0.id) }
      for item in ended {
        state.endedBytes += item.held
        state.ended += 1
        state.meters[item.id] = nil
        state.told[item.id] = nil
      }
      if case .drawn = mode { draw(&state, at: now) }
    }
  }

  /// Erases the display until `resume`, so that other output can be printed.
  package func suspend() {
    state.withLock { state in
      state.isSuspended = true
      erase(&state)
    }
  }

  /// Allows the display to draw again, which it does now or at the next update.
  package func resume() {
    let now = moment()
    state.withLock { state in
      state.isSuspended = false
      if case .drawn = mode { draw(&state, at: now) }
    }
  }

  /// Erases the display for good.
  package func close() {
    state.withLock { state in
      guard !state.isOver else { return }
      let wasDrawn = state.drawnAt != nil
      erase(&state)
      state.isOver = true
      if case .drawn(reportsToTerminal: true) = mode, wasDrawn { print("\u{1b}]9;4;0;0\u{1b}\\") }
    }
  }

  private static func measure(
    _ item: ProgressItem, at now: Int64, _ meters: inout [String: RateMeter]
  ) -> RateMeter {
    var meter = meters[item.id] ?? RateMeter()
    meter.sample(item.held, at: now)
    meters[item.id] = meter
    return meter
  }

  private func draw(_ state: inout State, at now: Int64) {
    guard !state.isSuspended, !state.isOver else { return }
    if let last = state.drawnAt, now - last < Self.betweenDrawings { return }
    // Before the first item there is nothing to draw. After it, the total is drawn even without
    // items.
    guard !state.items.isEmpty || state.drawnAt != nil else { return }
    let frame = ProgressFrame(
      items: state.items, ended: state.ended, expected: state.expected,
      endedBytes: state.endedBytes)
    let lines = frame.lines(terminal())
    var text = Self.erasure(of: state.drawnLines) + lines.joined(separator: "\n") + "\n"
    if case .drawn(reportsToTerminal: true) = mode {
      let percent = frame.whole.percent
      text += "\u{1b}]9;4;\(percent == nil ? 3 : 1);\(percent ?? 0)\u{1b}\\"
    }
    print(text)
    state.drawnLines = lines.count
    state.drawnAt = now
  }

  private func erase(_ state: inout State) {
    if state.drawnLines > 0 { print(Self.erasure(of: state.drawnLines)) }
    state.drawnLines = 0
  }

  private static func erasure(of lines: Int) -> String {
    lines == 0 ? "" : "\r\u{1b}[\(lines)A\u{1b}[J"
  }

  private func tell(_ item: ProgressItem, _ state: inout State, at now: Int64) {
    if let last = state.told[item.id], now - last < Self.betweenLines { return }
    state.told[item.id] = now
    var object = JSONObject()
    object.append("schema", 1)
    object.append("id", item.id)
    object.append("event", "progress")
    object.append("bytes", .integer(item.held))
    object.append("total", item.total.map { .integer($0) })
    object.append("rate", item.rate.map { .integer($0) })
    object.append("eta_ms", item.eta.map { .integer($0) })
    object.append("phase", item.phase?.rawValue)
    object.append("attempt", .integer(Int64(item.attempt)))
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
