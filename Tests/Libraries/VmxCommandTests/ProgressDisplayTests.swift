import Glibc
import Synchronization
import Testing
import VmxPresentation

@testable import VmxCommand

@Suite struct ProgressDisplayTests {
  private let buffer = ByteBuffer()
  private let clock = HandClock()

  private func board(_ mode: ProgressMode, isTerminal: Bool = true) -> ProgressDisplay {
    let clock = clock
    return ProgressDisplay(
      mode, on: buffer, terminal: { TerminalFacts(isTerminal: isTerminal, width: 80) },
      monotonicNow: { clock.now })
  }

  private func item(_ held: Int64, id: String = "a/b") -> ProgressItem {
    var item = ProgressItem(id: id, completedBytes: held, total: 1000)
    item.rate = 100
    return item
  }

  @Test func `the display is redrawn at most ten times a second`() {
    let board = board(.auto)
    for held in 0..<100 {
      board.update(item(Int64(held)))
      clock.advance(10)
    }
    #expect(buffer.text.split(separator: "a/b", omittingEmptySubsequences: false).count - 1 == 10)
  }

  @Test func `the display is silent without a terminal`() {
    let board = board(.auto, isTerminal: false)
    board.update(item(1))
    board.end("a/b")
    board.close()
    #expect(buffer.text.isEmpty)
  }

  @Test func `the display is silent on request`() {
    let board = board(.none)
    board.update(item(1))
    board.close()
    #expect(buffer.text.isEmpty)
  }

  @Test func `the display replaces its lines and leaves nothing behind`() {
    let board = board(.auto)
    board.update(item(1))
    clock.advance(100)
    board.update(item(500))
    board.close()
    #expect(buffer.text.split(separator: "\r\u{1b}[1A").count == 3)
    #expect(buffer.text.hasSuffix("\r\u{1b}[1A\u{1b}[J"))
  }

  @Test func `nothing is drawn while other output is printed`() {
    let board = board(.auto)
    board.update(item(1))
    board.suspend()
    let before = buffer.text
    clock.advance(1000)
    board.update(item(2))
    #expect(buffer.text == before)
    board.resume()
    #expect(buffer.text != before)
  }

  @Test func `as JSON it writes at most two lines a second for an item, on any output`() {
    let board = board(.json, isTerminal: false)
    for held in 0..<20 {
      board.update(item(Int64(held)))
      clock.advance(100)
    }
    let lines = buffer.text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines.first
        == #"{"schema":1,"id":"a/b","row":"progress","event":"progress","bytes":0,"total":1000,"rate":100,"eta_ms":10000,"attempt":1}"#
    )
  }

  @Test func `a resized window is redrawn without a progress report`() throws {
    let width = Atomic(80)
    let board = ProgressDisplay(
      .auto, on: buffer,
      terminal: { TerminalFacts(isTerminal: true, width: width.load(ordering: .relaxed)) })
    board.update(item(500))
    width.store(120, ordering: .relaxed)
    while !buffer.text.contains("500 B / 1.0 KiB") { sched_yield() }
    board.close()
  }

  @Test func `a terminal's own bar is set once a second and removed at the end`() {
    let clock = clock
    let board = ProgressDisplay(
      .auto, on: buffer, terminal: { Self.terminal { $0.showsProgress = true } },
      monotonicNow: { clock.now })
    for held in 0..<20 {
      board.update(item(500 + Int64(held)))
      clock.advance(100)
    }
    board.close()
    #expect(buffer.text.contains("\u{1b}]9;4;1;50\u{1b}\\"))
    #expect(buffer.text.split(separator: "\u{1b}]9;4;1;").count == 3)
    #expect(buffer.text.hasSuffix("\u{1b}]9;4;0;0\u{1b}\\"))
  }

  @Test func `a terminal that is not known to have a bar gets no report`() {
    let board = board(.auto)
    board.update(item(500))
    board.close()
    #expect(!buffer.text.contains("\u{1b}]9"))
  }

  @Test func `a terminal without escapes gets no display`() {
    let clock = clock
    let board = ProgressDisplay(
      .auto, on: buffer, terminal: { Self.terminal { $0.obeysEscapes = false } },
      monotonicNow: { clock.now })
    board.update(item(500))
    board.close()
    #expect(buffer.text.isEmpty)
  }

  private static func terminal(_ adjust: (inout TerminalFacts) -> Void) -> TerminalFacts {
    var facts = TerminalFacts(isTerminal: true, width: 80)
    adjust(&facts)
    return facts
  }
}

/// A clock in milliseconds that a test advances.
final class HandClock: Sendable {
  private let moment = Mutex<Int64>(0)

  var now: Int64 { moment.withLock { $0 } }

  func advance(_ milliseconds: Int64) { moment.withLock { $0 += milliseconds } }
}
