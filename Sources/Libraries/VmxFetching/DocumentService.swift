import Synchronization
import VmxLibrary
package import VmxModel
package import VmxSettings
package import VmxStore
import VmxSystem
import VmxTransfer

/// Fetches documents into memory for operations that do no network I/O of their own.
///
/// Settings, host memory, credentials, TLS and the permitted addresses are those of `FetchRun`.
/// Documents are small, so policies for parts (window, metered network, cap) do not apply to them.
/// For a picture, which no user waits for, the caller asks `isMetered`. The first request starts
/// the engine.
///
/// ```swift
/// let service = try DocumentService(store, settings, environment: environment) { note($0) }
/// defer { service.stop() }
/// let response = try service.send(HTTPRequest(url, limit: limit))
/// ```
package final class DocumentService: Sendable {
  private let engine: ProcessEngine
  private let isOwnEngine: Bool
  private let settings: TransferSettings
  private let secrets: SecretStore
  private let observer: DocumentObserver
  private let allowsMetered: Bool
  private let network: NetworkMonitor
  /// The state of the network, read once.
  private let verdict = Mutex<MeteredVerdict?>(nil)

  /// Creates a service that sends no request yet.
  ///
  /// - Parameters:
  ///   - settings: the time limits and attempts of its requests.
  ///   - engine: the engine of the process, which the caller stops; nil for one of its own.
  ///   - note: receives notes for the user, without secrets, on any thread.
  package init(
    store: LibraryStore, settings: FetchSettings, environment: FetchEnvironment,
    engine: ProcessEngine? = nil, note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    isOwnEngine = engine == nil
    self.engine = engine ?? ProcessEngine(store, settings: settings, environment: environment)
    self.settings = settings.transfer
    allowsMetered = settings.allowsMetered
    network = NetworkMonitor(
      settings.metered, configuredName: settings.networkName, environment: environment,
      changes: ChangeSignal())
    secrets = store.secrets
    observer = DocumentObserver(interruption: environment.interruption, note: note)
  }

  /// Creates a service from the settings of a command that does not wait for the network.
  ///
  /// - Parameter note: receives notes for the user, without secrets, on any thread.
  /// - Throws: `bad-setting`.
  package convenience init(
    _ store: LibraryStore, _ settings: Settings, environment: FetchEnvironment,
    note: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    let fetching = try FetchSettings(
      settings, home: environment.variables["HOME"] ?? "/", environment: environment.variables,
      waits: false)
    self.init(store: store, settings: fetching, environment: environment, note: note)
  }

  /// Sends a request; the calling thread blocks until the response has arrived or the request has
  /// failed. See `HTTPSending`.
  ///
  /// - Throws: `TransferError`; `secret-missing` if the credentials are not stored here;
  ///   `WorkEnded.interrupted` after a request to stop; `bad-url` and `source-unsupported`.
  package func send(_ request: HTTPRequest) throws -> HTTPResponse {
    let request = try resolved(request)
    let started = try engine.engine()
    do throws(TransferError) {
      return try started.fetchDocument(
        request, settings: isOwnEngine ? nil : settings, observer: observer)
    } catch {
      if case .stopped(.interrupted) = error { throw WorkEnded.interrupted }
      throw error
    }
  }

  /// Returns the request with the credentials that its URL contains or its secret refers to.
  private func resolved(_ request: HTTPRequest) throws -> HTTPRequest {
    let url = try WebURL(request.url)
    let secret = try request.secret.map { try secrets.get($0) }
    let given =
      request.credentials
      ?? secret.map { HTTPRequest.Credentials(user: $0.user, password: $0.password) }
    var request = request
    request.url = url.text
    request.credentials = (url.user ?? given?.user).map { user in
      HTTPRequest.Credentials(
        user: user, password: url.password ?? given?.password ?? "",
        isPreemptive: given?.isPreemptive ?? false)
    }
    return request
  }

  /// Returns the milliseconds until the pace of a URL's host allows a request; 0 for an invalid
  /// URL.
  package func delay(of url: String) -> Int64 { HostName(url: url).map(engine.hosts.delay) ?? 0 }

  /// Whether a request for a URL would use a metered network that the user does not allow. The
  /// first call waits for the answer of the programs that know it.
  package func isMetered(_ url: String) -> Bool {
    guard !allowsMetered, let host = WebURL(valid: url)?.host else { return false }
    let isLoopback = AddressScope.isLoopback(host: host)
    if let known = network.reading(loopback: isLoopback)?.verdict {
      return known.applies(loopback: isLoopback)
    }
    return verdict.withLock { verdict in
      let read = verdict ?? network.read().verdict
      verdict = read
      return read.applies(loopback: isLoopback)
    }
  }

  /// Cancels the running transfers and ends the thread of the engine, if it is the service's own.
  package func stop() { if isOwnEngine { engine.stop() } }
}

/// Forwards requests to stop to the transfer of a document, and its notes to the user.
private struct DocumentObserver: TransferObserver {
  let interruption: Interruption
  let note: @Sendable (String) -> Void

  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int) {}
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {}
  func noted(_ text: String) { note(text) }
  var stop: StopRequest? { interruption.isRequested ? .interrupted : nil }
}
