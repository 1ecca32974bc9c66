import VmxEngine
package import VmxModel

/// One part, as described to the policies.
package struct PolicySubject: Sendable, Equatable {
  /// The episode.
  package let episode: EpisodeID
  /// The part's name.
  package let part: String
  /// A key that identifies the part among all parts.
  package let key: String
  /// The hosts of its sources; IPv6 addresses are in square brackets.
  package let hosts: [String]
  /// Whether all its hosts are loopback.
  package let isLoopback: Bool
  /// Whether a host is given as an address.
  package let hasAddress: Bool

  /// Creates the description of an episode's part with these hosts.
  package init(episode: EpisodeID, part: String, hosts: [String]) {
    self.episode = episode
    self.part = part
    self.hosts = hosts
    key = "\(episode) \(part)"
    isLoopback = !hosts.isEmpty && hosts.allSatisfy(Self.isLoopback)
    hasAddress = hosts.contains { Self.octets($0) != nil || $0.hasPrefix("[") }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]" || octets(host)?.first == 127
  }

  private static func octets(_ host: String) -> [UInt8]? {
    let pieces = host.split(separator: ".", omittingEmptySubsequences: false)
    let octets = pieces.compactMap { UInt8($0) }
    return pieces.count == 4 && octets.count == 4 ? octets : nil
  }
}

extension PolicySubject {
  init(_ context: FetchContext) {
    var hosts: [String] = []
    for source in context.part.variant?.sources ?? [] {
      do throws(Failure) {
        hosts.append(try WebURL(source.url).host)
      } catch {
        // The transfer reports an invalid URL.
      }
    }
    self.init(episode: context.episode.id, part: context.part.name, hosts: hosts)
  }
}
