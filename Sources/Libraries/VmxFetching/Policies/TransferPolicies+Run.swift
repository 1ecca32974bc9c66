import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension TransferPolicies {
  /// Creates the policies of a run on this machine.
  ///
  /// - Parameter environment: the environment of the programs that are queried about the network.
  convenience init(
    _ settings: PolicySettings, store: LibraryStore, mediaRoots: MediaRoots, clock: any WallClock,
    zone: any LocalZone, environment: [String: String]
  ) {
    let moment: @Sendable () -> Int64 = { Deadline.now / 1_000_000 }
    let marks = MeteredMarks(store, moment: moment)
    let source = NetworkSource(
      metered: settings.metered, name: settings.networkName, programs: .ofSystem(environment))
    let network = NetworkPolicy(
      settings, source: source, ledger: NetworkLedger(store, moment: moment), zone: zone,
      moment: moment, leads: hasNetworkRoute, marks: { try marks.isMeteredOK($0) })
    let count = LibraryCount(store: store, mediaRoots: mediaRoots)
    self.init(
      settings, network: network, clock: clock, zone: zone, moment: moment,
      heldByLibrary: { try count.bytes() })
  }
}
