import SystemPackage
import VmxEngine
import VmxModel
import VmxTransfer

// A run checks the policies before the first request of a part, again when a response announces its
// size, and at least four times a second during its transfer. If no size is announced, it checks
// them before each piece is kept. A refused part becomes `waiting` with the reason in its record,
// whether the run waits or leaves the part to a later run. Limits of the run itself cause no wait:
// they end the run and leave every state unchanged.

/// A rule that may refuse the transfer of a part, with one reason.
///
/// A new policy is a type in a file of its own and a line in the list of `TransferPolicies`. If the
/// user can choose it, it also has a setting in `FetchSettings`.
protocol TransferPolicy: Sendable {
  /// The code of all its refusals.
  var code: ErrorCode { get }
  /// Returns the refusal of a part at this moment; nil if it may be transferred.
  ///
  /// - Throws: errors of the store, of the file system and of the network query.
  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure?
  /// Whether the run waits for the end of a refusal instead of leaving the part to a later run.
  ///
  /// - Throws: errors of the store.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) throws -> Bool
  /// Returns the minimum length of a wait after a refusal, in milliseconds.
  func delay(afterRefusalOf part: PolicySubject) -> Int64
  /// Handles an event of a transfer.
  func handle(_ event: TransferEvent, of part: PolicySubject)
  /// Records what the policy has counted, at the end of the run.
  ///
  /// - Throws: errors of the store.
  func close() throws
}

extension TransferPolicy {
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) throws -> Bool {
    false
  }

  func delay(afterRefusalOf part: PolicySubject) -> Int64 { 0 }
  func handle(_ event: TransferEvent, of part: PolicySubject) {}
  func close() throws {}
}

/// The moment of a policy check.
enum TransferPhase: Sendable {
  /// Before the first byte: the policy may query the network and reserve space.
  case admission
  /// After the head of a response and before its first byte is kept. The missing bytes are known,
  /// and the policy may reserve space.
  case announced
  /// During the transfer: the policy must not block.
  case transfer
  /// While the run waits for the end of a refusal.
  case wait
}

/// An event of a transfer that concerns policies.
enum TransferEvent: Sendable {
  /// This many body bytes have arrived.
  case received(Int64)
  /// An attempt failed, possibly because the network was lost.
  case connectionLost
  /// The transfer or the wait has ended, for any reason.
  case ended
}

/// One part, as the policies see it.
struct PolicySubject: Sendable, Equatable {
  /// The episode.
  let episode: EpisodeID
  /// The part's name.
  let part: String
  /// A key that identifies the part among all parts.
  let key: String
  /// The hosts of its sources; IPv6 addresses are in square brackets.
  let hosts: [String]
  /// The host and port of each source.
  var servers: [HostName] = []
  /// Whether all its hosts are loopback.
  let isLoopback: Bool
  /// Whether a source has an IP address instead of a host name.
  let hasAddress: Bool
  /// The episodes that must be ready first.
  var predecessors: [EpisodeID] = []
  /// The role of the part.
  var role = PartRole.video
  /// The rights of the episode from its licence; nil if it has none, or if its key has not been
  /// read yet.
  var licence: EpisodeLicence?
  /// Whether the key of the episode is ready.
  var hasKey = false
  /// Whether the part was admitted before.
  var hasBegun = false
  /// The root folder that will hold it.
  var folder: FilePath = "."
  /// The number of bytes still to receive; nil if unknown.
  var missing: Int64?
  /// The number of these bytes for which no disk space is allocated yet.
  var unallocated: Int64 = 0

  /// Creates the description of an episode's part with these hosts.
  init(episode: EpisodeID, part: String, hosts: [String]) {
    self.episode = episode
    self.part = part
    self.hosts = hosts
    key = "\(episode) \(part)"
    isLoopback = !hosts.isEmpty && hosts.allSatisfy { AddressScope.isLoopback(host: $0) }
    hasAddress = hosts.contains { AddressScope(text: $0) != nil }
  }

  /// Creates the description of the part of a context.
  init(_ context: FetchContext) {
    let servers = context.part.servers
    self.init(
      episode: context.episode.id, part: context.part.name, hosts: servers.map(\.host))
    self.servers = servers.map(\.name)
    predecessors = context.episode.after
    role = context.part.role
    licence = context.episode.licence
    hasKey = context.episode.parts.contains { $0.role == .key && $0.state == .ready }
    hasBegun = context.part.resumeState == .partial
  }
}

extension Part {
  /// The host of each source to use, also with its port. Failed sources are omitted unless all have
  /// failed.
  var servers: [(host: String, name: HostName)] {
    let sources = variant?.sources ?? []
    let left = sources.filter { $0.failure == nil }
    return (left.isEmpty ? sources : left).compactMap { source in
      do throws(Failure) {
        let url = try WebURL(source.url)
        return (url.host, HostName(url))
      } catch {
        // The transfer reports an invalid URL.
        return nil
      }
    }
  }
}

/// The waits for the end of a refusal that a run accepts.
struct WaitLimits: Sendable {
  /// The maximum of any wait: one day. Longer waits are left to a later run.
  private static let day: Int64 = 24 * 3_600_000

  /// The longest wait by default, in milliseconds.
  let maxWait: Int64
  /// Whether the user asked for longer waits.
  let waits: Bool
  /// The present time.
  let now: Timestamp
  /// The milliseconds since bytes last arrived in this run; nil if none have arrived.
  let idle: Int64?

  /// Whether the run waits until a time; never if it is unknown.
  func allowsWait(until end: Timestamp?) -> Bool {
    guard let end else { return false }
    return end.milliseconds - now.milliseconds <= (waits ? Self.day : maxWait)
  }

  /// Whether the run waits for an end at an unknown time. It waits if the user asked for it, or if
  /// bytes arrived within `maxWait` in this run. Before the first byte, the user or the timer
  /// decides when to retry.
  ///
  /// - Parameter ifActive: whether bytes of other transfers justify the wait.
  func allowsOpenWait(ifActive: Bool) -> Bool {
    waits || ifActive && idle.map { $0 < maxWait } ?? false
  }
}
