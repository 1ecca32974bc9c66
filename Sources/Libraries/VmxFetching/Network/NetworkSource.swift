import VmxModel

/// The state of the network at a moment.
struct NetworkReading: Sendable, Equatable {
  /// Whether it is metered.
  var verdict: MeteredVerdict
  /// The name of the network for the monthly cap.
  var name: String
}

/// Determines the state of the network; the user's settings take precedence.
struct NetworkSource: Sendable {
  /// The name of a network without another name.
  static let namelessNetwork = "default"
  private static let probeLimit: Int64 = 4000

  let metered: MeteredSetting
  /// The name given by the user.
  let name: String?
  let programs: ProgramAnswer

  /// The state given completely by the user; nil if a program must be queried.
  var given: NetworkReading? {
    guard case .given(let verdict) = metered, let name else { return nil }
    return NetworkReading(verdict: verdict, name: name)
  }

  /// The state for loopback connections, which NetworkManager does not cover; nil if the user's
  /// command must be run.
  var givenForLoopback: NetworkReading? {
    switch metered {
    case .given(let verdict):
      NetworkReading(verdict: verdict, name: name ?? Self.namelessNetwork)
    case .detected:
      NetworkReading(verdict: .systemUnknown, name: name ?? Self.namelessNetwork)
    case .probe: nil
    }
  }

  /// Queries the programs, which takes some seconds at worst.
  func read() -> NetworkReading {
    let bus = NetworkBus(programs: programs)
    let verdict: MeteredVerdict =
      switch metered {
      case .given(let verdict): verdict
      case .probe(let command): probe(command)
      case .detected: MeteredVerdict(bus.metered, .detected("NetworkManager"))
      }
    return NetworkReading(
      verdict: verdict, name: name ?? bus.connection ?? Self.namelessNetwork)
  }

  /// Runs the user's command; any output other than one of the three words is unknown.
  private func probe(_ command: String) -> MeteredVerdict {
    let answer = programs.of("/bin/sh", ["-c", command], Self.probeLimit) ?? ""
    let words = answer.split(whereSeparator: \.isWhitespace)
    let word = words.count == 1 ? MeteredVerdict.Word(rawValue: String(words[0])) : nil
    return MeteredVerdict(word ?? .unknown, .given("network.probe"))
  }
}

extension MeteredVerdict {
  /// The verdict if NetworkManager has none.
  static let systemUnknown = MeteredVerdict(.unknown, .detected("NetworkManager"))
}
