import Glibc
import SystemPackage
package import VmxModel
package import VmxSystem

// mpv gets one end of a socket pair: no file is left behind, and no other process can connect. It is
// asked to quit over the connection, since a signal ends it before it has told its position. When it
// is killed, the last position that it told counts.

/// Plays a file and follows the playback.
///
///     let player = Player(program, environment: variables, interruption)
///     let ending = try player.play(file) { playback in keep(playback) }
package struct Player: Sendable {
  /// The longest time in milliseconds between two calls with the position.
  private static let interval: Int64 = 60_000
  /// The time in milliseconds that the player has to quit.
  private static let patience: Int64 = 2000

  /// The end of a playback.
  package struct Ending: Sendable, Equatable {
    /// The playback as the player told of it.
    package let playback: Playback
    /// Its exit status; nil if a signal ended it.
    package let status: Int32?
  }

  private let program: PlayerProgram
  private let environment: [String: String]
  private let interruption: Interruption
  private let usesTerminal: Bool

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - environment: the variables that the program gets.
  ///   - usesTerminal: whether the program may read keys from the terminal and write to it; else it
  ///     gets no input, and its messages go to standard error.
  package init(
    _ program: PlayerProgram, environment: [String: String], usesTerminal: Bool,
    _ interruption: Interruption
  ) {
    self.program = program
    self.environment = environment
    self.usesTerminal = usesTerminal
    self.interruption = interruption
  }

  /// Plays a file until the player ends.
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
        program.path, program.arguments(for: file, usesTerminal: usesTerminal),
        environment: environment.map { "\($0)=\($1)" },
        input: usesTerminal ? .standardInput : nil, output: .standardError, channel: other)
    }
    var tracker = PlaybackTracker(from: file.start)
    if let own { follow(own, &tracker, report) }
    let end = end(of: running, afterAsking: own != nil && interruption.isRequested)
    return Ending(playback: tracker.playback, status: end)
  }

  /// Reads the messages of the player until it closes the connection, or has had its time to quit.
  private func follow(
    _ connection: FileDescriptor, _ tracker: inout PlaybackTracker,
    _ report: (Playback) -> Void
  ) {
    for (number, name) in PlaybackTracker.properties.sorted(by: { $0.key < $1.key }) {
      Self.write(
        [.string("observe_property"), .integer(Int64(number)), .string(name)], to: connection)
    }
    var reader = MessageReader(connection)
    var next = Deadline(milliseconds: Self.interval)
    var end: Deadline?
    while !(end?.isPast ?? false) {
      if end == nil, interruption.isRequested {
        Self.write([.string("quit")], to: connection)
        end = Deadline(milliseconds: Self.patience)
      }
      guard reader.waits(until: end ?? next, or: end == nil ? interruption : nil) else {
        if next.isPast {
          report(tracker.playback)
          next = Deadline(milliseconds: Self.interval)
        }
        continue
      }
      guard let messages = reader.read() else { return }
      var isResting = false
      for message in messages { isResting = tracker.take(message) || isResting }
      if isResting || next.isPast {
        report(tracker.playback)
        next = Deadline(milliseconds: Self.interval)
      }
    }
  }

  /// Waits for the end of the program.
  ///
  /// - Parameter isAsked: whether it was asked to quit, and has had its time for that.
  /// - Returns: its exit status; nil if a signal ended it.
  private func end(of running: SpawnedProgram, afterAsking isAsked: Bool) -> Int32? {
    let limit = Deadline(milliseconds: isAsked ? 0 : .max)
    let result = running.wait(until: limit, or: isAsked ? nil : interruption)
    guard case .ended(.exited(let status)) = result else { return nil }
    return status
  }

  /// Writes a command. A player that has gone is seen by the next read.
  private static func write(_ words: [JSONValue], to connection: FileDescriptor) {
    var command = JSONObject()
    command.append("command", .array(words))
    let line = Array("\(JSONValue.object(command).text)\n".utf8)
    _ = send(connection.rawValue, line, line.count, Int32(MSG_NOSIGNAL))
  }
}
