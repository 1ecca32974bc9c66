import VmxModel

/// What is known of the network at a moment.
struct NetworkReading: Sendable, Equatable {
  /// Whether it is metered.
  var verdict: MeteredVerdict
  /// Its name for the monthly cap.
  var name: String
}

/// Finds out about the network, by what the person said first.
struct NetworkSource: Sendable {
  /// The name of a network that has no other.
  static let namelessNetwork = "default"
  private static let probeLimit: Int64 = 4000

  let metered: MeteredSetting
  /// The name given by the person.
  let name: String?
  let programs: ProgramAnswer

  /// All that is known without asking anybody; nil where somebody must be asked.
  var given: NetworkReading? {
    guard case .given(let verdict) = metered, let name else { return nil }
    return NetworkReading(verdict: verdict, name: name)
  }

  /// What is known of the network for loopback, which no detection speaks of.
  var givenForLoopback: NetworkReading? {
    switch metered {
    case .given(let verdict):
      NetworkReading(verdict: verdict, name: name ?? Self.namelessNetwork)
    case .detected:
      NetworkReading(verdict: .systemUnknown, name: name ?? Self.namelessNetwork)
    case .probe: nil
    }
  }

  /// Asks; takes some seconds at worst.
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

  /// What the person's command prints; anything else than one of the three words is unknown.
  private func probe(_ command: String) -> MeteredVerdict {
    let answer = programs.of("/bin/sh", ["-c", command], Self.probeLimit) ?? ""
    let words = answer.split(whereSeparator: \.isWhitespace)
    let word = words.count == 1 ? MeteredVerdict.Word(rawValue: String(words[0])) : nil
    return MeteredVerdict(word ?? .unknown, .given("network.probe"))
  }
}

extension MeteredVerdict {
  /// The system does not know.
  static let systemUnknown = MeteredVerdict(.unknown, .detected("NetworkManager"))
}
