import VmxJSON
import VmxModel

/// The network state of NetworkManager, queried over D-Bus by busctl. Unknown without that program
/// or without NetworkManager.
struct NetworkBus: Sendable {
  private static let service = "org.freedesktop.NetworkManager"
  private static let limit: Int64 = 2000

  let programs: ProgramAnswer

  /// Whether the network is metered; guesses count (NMMetered: 1 yes, 2 no, 3 and 4 guessed).
  var metered: MeteredVerdict.Word {
    switch property("Metered", of: "/org/freedesktop/NetworkManager", Self.service)?.integer {
    case 1, 3: .yes
    case 2, 4: .no
    default: .unknown
    }
  }

  /// The UUID of the connection with the default route; nil if there is none.
  var connection: String? {
    let primary = property(
      "PrimaryConnection", of: "/org/freedesktop/NetworkManager", Self.service)
    guard let path = primary?.string, path.hasPrefix("/"), path != "/" else { return nil }
    let uuid = property("Uuid", of: path, "\(Self.service).Connection.Active")?.string
    return uuid.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func property(_ name: String, of object: String, _ interface: String) -> JSONValue? {
    let answer = programs.of(
      "busctl",
      ["--json=short", "--timeout=2", "get-property", Self.service, object, interface, name],
      Self.limit)
    guard let answer else { return nil }
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(answer).object?["data"]
    } catch {
      return nil
    }
  }
}
