import Glibc
import SystemPackage
import VmxJSON
package import VmxModel
package import VmxSystem

// mpv gets one end of a socket pair: no socket file is left behind, and no other process can
// connect. It is told to quit over the connection, because a signal would end it before it reports
// its position. If it is killed, the last reported position is recorded.

/// Plays a file and follows the playback.
///
///     let player = Player(program, environment: variables, usesTerminal: true, interruption)
///     let ending = try player.play(file) { playback in keep(playback) }
package struct Player: Sendable {
  /// The maximum milliseconds between two position reports.
  private static let interval: Int64 = 60_000
  /// The milliseconds that the player has to quit.
  private static let quitTimeout: Int64 = 2000

  /// The end of a playback.
  package struct Ending: Sendable, Equatable {
    /// The playback as reported by the player.
    package let playback: Playback
    /// The exit status of the player; nil if a signal ended it.
    package let status: Int32?
  }

  private let program: PlayerProgram
  private let environment: [String: String]
  private let interruption: Interruption
  private let usesTerminal: Bool

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - environment: the environment variables of the program.
  ///   - usesTerminal: whether the program may read keys from the terminal and write to it.
  ///     Otherwise it gets no input, and its messages go to standard error.
  package init(
    _ program: PlayerProgram, environment: [String: String], usesTerminal: Bool,
    _ interruption: Interruption
  ) {
    self.program = program
    self.environment = environment
    self.usesTerminal = usesTerminal
    self.interruption = interruption
  }

  /// Plays a file until the player exits.
  ///
  /// - Parameter report: called with the playback at a pause, after a jump, and once a minute.
  /// - Throws: `ProcessError.notStarted`.
  package func play(
    _ file: PlayableFile, report: (Playback) -> Void
  ) throws(ProcessError) -> Ending {
    let follows = program.kind == .mpv
    let (own, other) = try follows ? socketPair(for: program.path) : (nil, nil)
    defer { if let own { _ = close(own.rawValue) } }
    let running: SpawnedProgram
    do {
      defer { if let other { _ = close(other.rawValue) } }
      running = try SpawnedProgram.start(
        ProgramCall(
          program.path, program.arguments(for: file, usesTerminal: usesTerminal),
          environment: environment.map { "\($0)=\($1)" },
          input: usesTerminal ? .standardInput : nil), output: .standardError, channel: other)
    }
    var tracker = PlaybackTracker(from: file.start)
    if let own { readMessages(from: own, tracker: &tracker, report: report) }
    let end = end(of: running, afterAsking: own != nil && interruption.isRequested)
    return Ending(playback: tracker.playback, status: end)
  }

  /// Reads the messages of the player until it closes the connection or its time to quit has
  /// passed.
  private func readMessages(
    from connection: FileDescriptor, tracker: inout PlaybackTracker,
    report: (Playback) -> Void
  ) {
    for (number, name) in PlaybackTracker.properties.sorted(by: { $0.key < $1.key }) {
      Self.write(
        [.string("observe_property"), .integer(Int64(number)), .string(name)], to: connection)
    }
    let parser = JSONParser()
    var reader = LineReader(connection)
    var next = Deadline(milliseconds: Self.interval)
    var end: Deadline?
    while !(end?.isPast ?? false) {
      if end == nil, interruption.isRequested {
        Self.write([.string("quit")], to: connection)
        end = Deadline(milliseconds: Self.quitTimeout)
      }
      guard reader.waits(until: end ?? next, or: end == nil ? interruption : nil) else {
        if next.isPast {
          report(tracker.playback)
          next = Deadline(milliseconds: Self.interval)
        }
        continue
      }
      guard let messages = reader.readObjects(parser) else { return }
      var awaitsEvent = false
      for message in messages { awaitsEvent = tracker.process(message) || awaitsEvent }
      if awaitsEvent || next.isPast {
        report(tracker.playback)
        next = Deadline(milliseconds: Self.interval)
      }
    }
  }

  /// Waits for the program to exit.
  ///
  /// - Parameter isAsked: whether the program ignored a request to quit until its time limit.
  /// - Returns: the exit status; nil if a signal ended it.
  private func end(of running: SpawnedProgram, afterAsking isAsked: Bool) -> Int32? {
    let limit = Deadline(milliseconds: isAsked ? 0 : .max)
    let result = running.wait(until: limit, or: isAsked ? nil : interruption)
    guard case .ended(.exited(let status)) = result else { return nil }
    return status
  }

  /// Writes a command. The next read detects a player that has exited.
  private static func write(_ words: [JSONValue], to connection: FileDescriptor) {
    var command = JSONObject()
    command.append("command", .array(words))
    let line = Array("\(JSONValue.object(command).text)\n".utf8)
    _ = send(connection.rawValue, line, line.count, Int32(MSG_NOSIGNAL))
  }
}
