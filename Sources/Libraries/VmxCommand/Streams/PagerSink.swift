import Glibc
import Synchronization
import SystemPackage
import VmxModel
import VmxPresentation
import VmxSystem

// Output that fits on the screen needs no pager, so output is buffered until it has more lines than
// the screen. Then the pager is started as git does it. While it runs, this process ignores the
// signals of the keyboard: they are for the pager, and the terminal must not return to the shell
// before the pager ends.

/// Standard output on a terminal, through the user's pager if it is longer than the screen.
final class PagerSink: ByteSink {
  private enum State {
    /// The output so far fits on the screen.
    case short([UInt8])
    /// The pager runs. Its first bytes are kept in case the shell cannot start it.
    case paged(SpawnedProgram, FileDescriptor, given: [UInt8])
    /// The output goes to the terminal.
    case direct
    /// The user has left the pager.
    case closed
  }

  /// The number of bytes to keep: more than the capacity of a pipe (64 KiB), which is the maximum
  /// that can be written if the pager does not start.
  private static let pipeCapacity = 128 << 10

  private let sink: any ByteSink
  private let height: Int
  private let command: String
  private let variables: [String]
  private let state = Mutex(State.short([]))

  /// Creates a sink in front of a terminal.
  ///
  /// - Parameters:
  ///   - height: the number of lines of the screen.
  ///   - command: the pager, as a shell command.
  ///   - variables: the environment of the pager, as `NAME=value`.
  init(_ sink: any ByteSink, height: Int, command: String, variables: [String]) {
    self.sink = sink
    self.height = height
    self.command = command
    self.variables = variables
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      switch state {
      case .short(let kept):
        let all = kept + bytes
        state = .short(all)
        // The last line of the screen is for the prompt of the shell.
        guard all.count(where: { $0 == 0x0A }) >= height else { return }
        try begin(&state, with: all)
      case .paged: try send(bytes, &state)
      case .direct: try sink.write(bytes)
      case .closed: throw .closed
      }
    }
  }

  /// Flushes only if output goes to the terminal without a pager: buffered output may still exceed
  /// the screen, and is printed by `finish`.
  func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      if case .direct = state { try sink.flush() }
    }
  }

  /// Prints the buffered output, or waits until the user leaves the pager. Called at the end.
  func finish() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      switch state {
      case .short(let kept):
        state = .direct
        try sink.write(kept)
        try sink.flush()
      case .paged: try end(&state, isWhole: true)
      case .direct: try sink.flush()
      case .closed: break
      }
    }
  }

  /// Whether the user has left the pager before the end.
  var wasClosed: Bool {
    state.withLock { if case .closed = $0 { true } else { false } }
  }

  private func begin(_ state: inout State, with bytes: [UInt8]) throws(OutputError) {
    guard let (program, input) = handingOverKeyboard(to: started) else {
      state = .direct
      return try sink.write(bytes)
    }
    ignoreBrokenPipes()
    state = .paged(program, input, given: [])
    try send(bytes, &state)
  }

  /// Starts the pager and returns it with its standard input; nil if that is not possible.
  private func started() -> (SpawnedProgram, FileDescriptor)? {
    guard let (readEnd, writeEnd) = try? FileDescriptor.pipe(options: .closeOnExec) else {
      return nil
    }
    defer { _ = close(readEnd.rawValue) }
    do throws(ProcessError) {
      let program = try SpawnedProgram.start(
        ProgramCall("/bin/sh", ["-c", command], environment: variables, input: readEnd))
      return (program, writeEnd)
    } catch {
      _ = close(writeEnd.rawValue)
      return nil
    }
  }

  private func send(_ bytes: [UInt8], _ state: inout State) throws(OutputError) {
    guard case .paged(let program, let input, var given) = state else { return }
    if given.count < Self.pipeCapacity { given += bytes }
    state = .paged(program, input, given: given)
    do {
      try input.writeAll(bytes)
    } catch {
      try end(&state, isWhole: false)
      guard case .direct = state else { throw .closed }
    }
  }

  /// Waits for the end of the pager. If the shell could not start it, prints the output directly.
  private func end(_ state: inout State, isWhole: Bool) throws(OutputError) {
    guard case .paged(let program, let input, let given) = state else { return }
    _ = close(input.rawValue)
    let ending = program.wait()
    // The shell's statuses for a program that cannot be executed or does not exist (POSIX, 2.8.2).
    guard ending == .exited(126) || ending == .exited(127) else {
      state = .closed
      return
    }
    state = .direct
    try sink.write(given)
    if isWhole { try sink.flush() }
  }
}

extension CommandContext {
  /// Calls the body with a context whose output goes through a pager, if it is not JSON, goes to a
  /// terminal, and is longer than the screen. The pager is `VMX_PAGER`, else `PAGER`, else `less`;
  /// an empty text or `cat` means none.
  ///
  /// - Parameter isOff: whether the pager is disabled.
  /// - Returns: the result of the body, after the user has left the pager; nil if the user left it
  ///   before the body ended.
  /// - Throws: the errors of the body, except that the user has left the pager.
  package func paging<R>(
    unless isOff: Bool, _ body: (CommandContext) throws -> R
  ) throws -> R? {
    let command = ["VMX_PAGER", "PAGER"].lazy.compactMap { environment[$0] }.first ?? "less"
    guard !isOff, !isJSON, output.descriptor != nil, terminal.isTerminal,
      let height = terminal.height, height > 0,
      environment["TERM"] != "dumb", command != "cat", command.contains(where: { $0 != " " })
    else { return try body(self) }
    var variables = environment.variables
    // The defaults of git: quit if the text fits on the screen, pass colours on, keep the screen.
    for (name, value) in ["LESS": "FRX", "LV": "-c"] where variables[name] == nil {
      variables[name] = value
    }
    let pager = PagerSink(
      output, height: height, command: command, variables: variables.map { "\($0)=\($1)" })
    do {
      let result = try body(writing(to: pager))
      try pager.finish()
      return result
    } catch {
      // The user has left the pager before the end of the output.
      if case .closed? = error as? OutputError, pager.wasClosed { return nil }
      try pager.finish()
      throw error
    }
  }
}
