import Synchronization
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// Keeps the state of the network up to date during a run: whether it is metered, and its name.
///
/// The user's settings take precedence. Otherwise programs are queried when the first part needs
/// the answer, after each change of the network and every 5 s.
final class NetworkMonitor: Sendable {
  /// The state of the network; the name is that of its monthly cap.
  typealias Reading = (verdict: MeteredVerdict, name: String)
  /// Runs a program; returns its output if it exited with status 0 within this many milliseconds.
  typealias ProgramRunner = @Sendable (String, _ arguments: [String], Int64) -> String?

  /// The name of a network without another name.
  private static let defaultNetwork = "default"
  /// The verdict if NetworkManager has none.
  private static let systemUnknown = MeteredVerdict(.unknown, .detected("NetworkManager"))
  private static let manager = "org.freedesktop.NetworkManager"
  private static let interval: Int32 = 5000
  /// The interval, in milliseconds, if the system has no answer: only a change of the network may
  /// then provide one.
  private static let rareInterval: Int32 = 60_000

  /// The name given by the user.
  let configuredName: String?
  private let metered: MeteredSetting
  private let output: ProgramRunner
  private let changes: ChangeSignal
  private let shouldStop: @Sendable () -> Bool
  private let hasBegun = Atomic(false)
  private let last = Mutex<Reading?>(nil)

  /// Creates a monitor that has not queried any program yet.
  ///
  /// - Parameters:
  ///   - configuredName: the name given by the user.
  ///   - changes: signalled after each reading.
  ///   - runner: runs a program; nil for the system's programs.
  init(
    _ metered: MeteredSetting, configuredName: String?, environment: FetchEnvironment,
    changes: ChangeSignal, runner: ProgramRunner? = nil
  ) {
    self.configuredName = configuredName
    self.metered = metered
    output = runner ?? Self.systemRunner(environment.variables)
    self.changes = changes
    shouldStop = { environment.interruption.isRequested }
  }

  /// The current state of the network for a part; nil until a program has answered.
  ///
  /// - Parameter isLoopback: whether all its hosts are loopback; NetworkManager does not cover
  ///   those.
  func reading(loopback isLoopback: Bool) -> Reading? {
    switch metered {
    case .decided(let verdict) where isLoopback || configuredName != nil:
      (verdict, configuredName ?? Self.defaultNetwork)
    case .detected where isLoopback: (Self.systemUnknown, configuredName ?? Self.defaultNetwork)
    default: last.withLock { $0 }
    }
  }

  /// Waits for the first answer if one is needed, or until the process is asked to stop.
  ///
  /// - Throws: `resources-short` if no thread can be started.
  func begin(loopback isLoopback: Bool) throws(ProcessError) {
    guard reading(loopback: isLoopback) == nil else { return }
    if !hasBegun.exchange(true, ordering: .relaxed) {
      // The thread sleeps between two queries; the end of the process ends it.
      _ = try WorkerThread.start("vmx-network") { [self] in watch() }
    }
    changes.retry { shouldStop() || last.withLock { $0 } != nil ? () : nil }
  }

  private func watch() {
    let network = NetworkChanges()
    while true { update(network) }
  }

  // Not inlined into the endless loop: with that, the optimiser of Swift 6.3 does not terminate.
  @inline(never)
  private func update(_ network: NetworkChanges) {
    let reading = read()
    last.withLock { $0 = reading }
    changes.signal()
    let isRare = reading.verdict == Self.systemUnknown && network.isListening
    _ = network.wait(milliseconds: isRare ? Self.rareInterval : Self.interval)
  }

  /// Queries the programs, which takes up to a few seconds.
  func read() -> Reading {
    let verdict: MeteredVerdict =
      switch metered {
      case .decided(let verdict): verdict
      case .probe(let command): probe(command)
      case .detected: MeteredVerdict(detected, .detected("NetworkManager"))
      }
    return (verdict, configuredName ?? connection ?? Self.defaultNetwork)
  }

  /// Runs the user's command; any output other than one of the three words counts as unknown.
  private func probe(_ command: String) -> MeteredVerdict {
    let words = (output("/bin/sh", ["-c", command], 4000) ?? "").split(
      whereSeparator: \.isWhitespace)
    let word = words.count == 1 ? MeteredVerdict.Value(rawValue: String(words[0])) : nil
    return MeteredVerdict(word ?? .unknown, .configured("network.probe"))
  }

  /// The answer of NetworkManager, including guesses (NMMetered: 1 yes, 2 no, 3 and 4 guessed).
  private var detected: MeteredVerdict.Value {
    switch property("Metered", of: "/org/freedesktop/NetworkManager", Self.manager)?.integer {
    case 1, 3: .yes
    case 2, 4: .no
    default: .unknown
    }
  }

  /// The UUID of the connection with the default route; nil if NetworkManager knows none.
  private var connection: String? {
    let primary = property(
      "PrimaryConnection", of: "/org/freedesktop/NetworkManager", Self.manager)
    guard let path = primary?.string, path.hasPrefix("/"), path != "/" else { return nil }
    let uuid = property("Uuid", of: path, "\(Self.manager).Connection.Active")?.string
    return uuid.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Queries a property over D-Bus by busctl; nil without that program or without NetworkManager.
  private func property(_ name: String, of object: String, _ interface: String) -> JSONValue? {
    let arguments = [
      "--json=short", "--timeout=2", "get-property", Self.manager, object, interface, name,
    ]
    guard let answer = output("busctl", arguments, 2000) else { return nil }
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(answer).object?["data"]
    } catch {
      return nil
    }
  }

  /// Runs programs of the system. The shell finds them by its PATH and discards their error
  /// messages.
  static func systemRunner(_ variables: [String: String]) -> ProgramRunner {
    let variables = variables.map { "\($0.key)=\($0.value)" }
    return { program, arguments, milliseconds in
      do throws(ProcessError) {
        let captured = try SpawnedProgram.captureOutput(
          of: ProgramCall(
            "/bin/sh", ["-c", #"exec "$0" "$@" 2>/dev/null"#, program] + arguments,
            environment: variables), limit: 4096, until: Deadline(milliseconds: milliseconds))
        guard case .ended(.exited(0), let output, _) = captured else { return nil }
        return String(decoding: output, as: UTF8.self)
      } catch {
        return nil
      }
    }
  }
}
