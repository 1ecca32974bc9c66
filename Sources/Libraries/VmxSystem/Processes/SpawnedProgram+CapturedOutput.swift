import Glibc
package import SystemPackage

extension SpawnedProgram {
  /// What was heard of a program.
  package enum CapturedOutput: Sendable, Equatable {
    /// It ended by itself, after it had printed this; of its complaints only the beginning.
    case ended(Ending, output: [UInt8], errors: [UInt8])
    /// It was killed, because it printed more than it may.
    case tooMuch
    /// It was killed, because its time was up.
    case late
    /// It was killed, because this process was asked to stop.
    case interrupted
  }

  /// Runs a program to its end and hears what it prints, standard error too.
  ///
  /// Where it is killed, so is what it started itself; it must leave nothing half done.
  ///
  /// - Parameters:
  ///   - input: becomes standard input; `/dev/null` if nil.
  ///   - limit: most bytes that it may print, and most that are kept of its complaints.
  ///   - interruption: what asks this process to stop, if anything does.
  /// - Throws: `ProcessError.notStarted`.
  package static func captureOutput(
    _ path: FilePath, _ arguments: [String], environment: [String], input: FileDescriptor? = nil,
    limit: Int, until deadline: Deadline, or interruption: Interruption? = nil
  ) throws(ProcessError) -> CapturedOutput {
    var output = try OutputPipe(of: path)
    var errors = try OutputPipe(of: path)
    let program = try start(
      path, arguments, environment: environment, input: input, output: output.writeEnd,
      errors: errors.writeEnd, leadsGroup: true)
    output.closeWriteEnd()
    errors.closeWriteEnd()
    let end = listen(&output, &errors, limit: limit, until: deadline, or: interruption)
    guard end == nil else {
      program.send(SIGKILL)
      _ = program.wait()
      return end ?? .late
    }
    // It may have closed its outputs and go on.
    switch program.wait(until: deadline, or: interruption) {
    case .ended(let ending):
      return .ended(ending, output: output.heard, errors: errors.heard)
    case .late: return .late
    case .interrupted: return .interrupted
    }
  }

  /// Hears both to their ends; else why it was given up.
  private static func listen(
    _ output: inout OutputPipe, _ errors: inout OutputPipe, limit: Int, until deadline: Deadline,
    or interruption: Interruption?
  ) -> CapturedOutput? {
    while output.isOpen || errors.isOpen {
      if interruption?.isRequested == true { return .interrupted }
      if deadline.isPast { return .late }
      var watched = [output.readEnd, errors.readEnd, interruption?.descriptor].map {
        pollfd(fd: $0?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
      }
      let left = (deadline.remaining + 999_999) / 1_000_000
      guard poll(&watched, 3, Int32(clamping: left)) > 0 else { continue }
      if watched[0].revents != 0, !output.captureOutput(limit: limit) { return .tooMuch }
      if watched[1].revents != 0 { _ = errors.captureOutput(limit: limit) }
    }
    return nil
  }
}

/// A pipe that a program writes to, and the first bytes that came through it.
private struct OutputPipe: ~Copyable {
  private(set) var readEnd: FileDescriptor?
  private(set) var writeEnd: FileDescriptor?
  private(set) var heard: [UInt8] = []

  /// - Parameter program: who could not be started without it.
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

  /// Our own copy of the end it writes to must go, or what it prints would never end.
  mutating func closeWriteEnd() {
    _ = writeEnd.map { close($0.rawValue) }
    writeEnd = nil
  }

  /// Takes what is there; false where that is more than the limit.
  mutating func captureOutput(limit: Int) -> Bool {
    guard let readEnd else { return true }
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = read(readEnd.rawValue, &piece, piece.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else {
      _ = close(readEnd.rawValue)
      self.readEnd = nil
      return true
    }
    let room = limit - heard.count
    heard += piece.prefix(min(count, room))
    return count <= room
  }
}
