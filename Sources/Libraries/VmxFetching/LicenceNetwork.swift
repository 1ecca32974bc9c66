import VmxDigest
package import VmxLicence
package import VmxModel
package import VmxSettings
package import VmxStore

/// The network access for licences. Connections are opened by the first request.
///
///     let network = try LicenceNetwork(store, settings, environment: environment) { note($0) }
///     defer { network.close() }
///     let outcome = try network.service.refresh(id)
package final class LicenceNetwork: Sendable {
  /// The timeout of a request before a playback, in the syntax of settings.
  private static let shortTime = "2s"

  /// The licences of the library.
  package let service: LicenceService
  private let documents: DocumentService

  /// Prepares the network access.
  ///
  /// - Parameters:
  ///   - engine: the engine of the process, which the caller stops; nil for one of its own.
  ///   - isBrief: whether a user waits for a video to start: each request then has a timeout of two
  ///     seconds and one attempt.
  ///   - note: receives notes for the user, without secrets, on any thread.
  /// - Throws: `bad-setting`.
  package init(
    _ store: LibraryStore, _ settings: Settings, environment: FetchEnvironment,
    engine: ProcessEngine? = nil, isBrief: Bool = false, note: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    var settings = settings
    if isBrief {
      for key in [SettingKey.connectTimeout, .responseTimeout, .stallTime] {
        settings.set(key, to: Self.shortTime, option: key.rawValue)
      }
      settings.set(.attempts, to: "1", option: SettingKey.attempts.rawValue)
    }
    let fetching = try FetchSettings(
      settings, home: environment.variables["HOME"] ?? "/", environment: environment.variables,
      waits: false)
    let documents = DocumentService(
      store: store, settings: fetching, environment: environment, engine: engine, note: note)
    self.documents = documents
    service = LicenceService(
      store: store, settings: fetching.licence, clock: environment.clock,
      digest: { DigestHasher.sha256(of: $0) },
      send: documents.send)
  }

  /// Sends a request; see `HTTPSending`.
  package func send(_ request: HTTPRequest) throws -> HTTPResponse {
    try documents.send(request)
  }

  /// Closes the connections.
  package func close() { documents.stop() }
}
