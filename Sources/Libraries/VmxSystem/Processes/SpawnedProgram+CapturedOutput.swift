import Glibc
import SystemPackage

extension SpawnedProgram {
  /// The outcome of a program whose output was captured.
  package enum CapturedOutput: Sendable, Equatable {
    /// It ended by itself. The standard output is complete; the standard error is truncated to the
    /// limit.
    case ended(Ending, output: [UInt8], errors: [UInt8])
    /// It was killed because it wrote more than the limit.
    case tooMuch
    /// It was killed because the deadline had passed.
    case timedOut
    /// It was killed because this process was requested to stop.
    case interrupted
  }

  /// Runs a program to its end and captures its standard output and standard error.
  ///
  /// If it is killed, so are the processes that it started; it must tolerate that at any point.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes of its output, and of the kept part of its standard
  ///     error.
  ///   - interruption: the request to stop this process, if any.
  ///   - notice: informs the user that this process waits for the program.
  /// - Throws: `ProcessError.notStarted`.
  package static func captureOutput(
    of call: ProgramCall, limit: Int, until deadline: Deadline,
    or interruption: Interruption? = nil, notice: WaitNotice? = nil
  ) throws(ProcessError) -> CapturedOutput {
    var output = try OutputPipe(of: call.path)
    var errors = try OutputPipe(of: call.path)
    let program = try start(
      call, output: output.writeEnd, errors: errors.writeEnd, leadsGroup: true)
    output.closeWriteEnd()
    errors.closeWriteEnd()
    let end = receive(
      &output, errors: &errors, limit: limit, until: deadline, or: interruption, notice: notice)
    guard end == nil else {
      program.send(SIGKILL)
      _ = program.wait()
      return end ?? .timedOut
    }
    // The program may have closed its outputs and still be running.
    switch program.wait(until: deadline, or: interruption) {
    case .ended(let ending):
      return .ended(ending, output: output.received, errors: errors.received)
    case .timedOut: return .timedOut
    case .interrupted: return .interrupted
    }
  }

  /// Reads both pipes to their ends; returns the reason if it stopped earlier.
  private static func receive(
    _ output: inout OutputPipe, errors: inout OutputPipe, limit: Int, until deadline: Deadline,
    or interruption: Interruption?, notice: WaitNotice?
  ) -> CapturedOutput? {
    var notice = notice
    while output.isOpen || errors.isOpen {
      if interruption?.isRequested == true { return .interrupted }
      if deadline.isPast { return .timedOut }
      if let due = notice, due.time.isPast {
        due.show()
        notice = nil
      }
      var watched = [output.readEnd, errors.readEnd, interruption?.descriptor].map {
        pollfd(fd: $0?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&watched, 3, min(deadline.pollTimeout, notice?.time.pollTimeout ?? .max)) > 0
      else { continue }
      if watched[0].revents != 0, !output.receive(limit: limit) { return .tooMuch }
      if watched[1].revents != 0 { _ = errors.receive(limit: limit) }
    }
    return nil
  }
}

/// A message about the wait for a program, shown once.
package struct WaitNotice {
  /// The time at which it is shown, if the program is still running.
  let time: Deadline
  /// Shows the message.
  let show: () -> Void

  /// Creates a notice.
  package init(after milliseconds: Int64, show: @escaping () -> Void) {
    time = Deadline(milliseconds: milliseconds)
    self.show = show
  }
}

/// A pipe from a program, with the first bytes that arrived.
private struct OutputPipe: ~Copyable {
  private(set) var readEnd: FileDescriptor?
  private(set) var writeEnd: FileDescriptor?
  private(set) var received: [UInt8] = []

  /// - Parameter program: the program that an error names.
  init(of program: FilePath) throws(ProcessError) {
    do {
      (readEnd, writeEnd) = try FileDescriptor.pipe(options: .closeOnExec)
    } catch {
      throw .notStarted(program, error)
    }
  }

  deinit {
    for end in [readEnd, writeEnd] { _ = end.map { close($0.rawValue) } }
  }

  var isOpen: Bool { readEnd != nil }

  /// Closes this process's copy of the write end; otherwise the pipe would never reach its end.
  mutating func closeWriteEnd() {
    _ = writeEnd.map { close($0.rawValue) }
    writeEnd = nil
  }

  /// Reads the available bytes; false if they exceed the limit.
  mutating func receive(limit: Int) -> Bool {
    guard let readEnd else { return true }
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = read(readEnd.rawValue, &piece, piece.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else {
      _ = close(readEnd.rawValue)
      self.readEnd = nil
      return true
    }
    let room = limit - received.count
    received += piece.prefix(min(count, room))
    return count <= room
  }
}
