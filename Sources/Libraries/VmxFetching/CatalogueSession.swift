import SystemPackage
package import VmxCatalogue
package import VmxModel
package import VmxSettings
package import VmxStore
package import VmxSystem

/// The catalogue that the settings name, with its cache, its request budget and the network.
///
/// All processes of the user share the budget, see `RequestCounts`. The network is opened with the
/// first request that the cache cannot answer.
///
///     let session = try CatalogueSession(
///       store, access, clock: clock, interruption: interruption
///     ) { note($0) }
///     defer { session.close() }
///     let shows = try session.catalogue.shows(matching: "girls")
package final class CatalogueSession: Sendable {
  /// The rate limit of the catalogue, unless a section `[host …]` overrides it.
  private static let budget = "20/10s"

  /// The catalogue.
  package let catalogue: TVMazeCatalogue
  private let documents: DocumentService

  /// Prepares access to the catalogue.
  ///
  /// - Parameter note: receives notes for the user, without secrets, on any thread.
  /// - Throws: `bad-setting`.
  package init(
    _ store: LibraryStore, _ access: CatalogueAccess, clock: any WallClock,
    interruption: Interruption, note: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    var settings = access.settings
    let base = try settings.catalogueBase()
    settings.add(usual: Self.budget, of: "host.\(base.host).budget")
    let fetching = try FetchSettings(
      settings, home: access.variables["HOME"] ?? "/", environment: access.variables, waits: false)
    let environment = FetchEnvironment(
      clock: clock, zone: SystemZone(), variables: access.variables, interruption: interruption)
    let documents = DocumentService(
      store: store, settings: fetching, environment: environment, note: note)
    self.documents = documents
    catalogue = TVMazeCatalogue(
      at: base, cache: FilePath(access.catalogueFolder),
      freshness: access.freshness, clock: clock, note: note
    ) { request in
      try RetryingDocuments(
        documents, clock: clock, interruption: interruption
      ).send(request)
    }
  }

  /// Closes the connections.
  package func close() { documents.stop() }
}
