import Synchronization
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem
import VmxTransfer

/// Fetches documents into memory for operations that do no network I/O of their own.
///
/// Settings, host memory, credentials, TLS and the permitted addresses are those of `FetchRun`.
/// Documents are small, so policies for parts (window, metered network, cap) do not apply to them.
///
/// ```swift
/// let service = try DocumentService(store: store, settings: settings, environment: environment)
/// defer { service.stop() }
/// let response = try service.send(HTTPRequest(url, limit: limit))
/// ```
package final class DocumentService: Sendable {
  private let engine: TransferEngine
  private let hosts: HostStateStore
  private let secrets: SecretStore
  private let observer: DocumentObserver

  /// Starts the transfer engine of the service.
  ///
  /// - Parameter note: receives notes for the user, without secrets, on any thread.
  /// - Throws: `ProcessError` if its thread cannot be started.
  package init(
    store: LibraryStore, settings: FetchSettings, environment: FetchEnvironment,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (engine, hosts) = try settings.engine(store: store, environment)
    secrets = store.secrets
    observer = DocumentObserver(interruption: environment.interruption, note: note)
  }

  /// Sends a request; the calling thread blocks until the response has arrived or the request has
  /// failed. See `HTTPSending`.
  ///
  /// - Throws: `TransferError`; `secret-missing` if the credentials are not stored here;
  ///   `WorkEnded.interrupted` after a request to stop; `bad-url` and `source-unsupported`.
  package func send(_ request: HTTPRequest) throws -> HTTPResponse {
    let request = try resolved(request)
    do throws(TransferError) {
      return try engine.fetchDocument(request, observer: observer)
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
  package func delay(of url: String) -> Int64 { HostName(url: url).map(hosts.delay) ?? 0 }

  /// Cancels the running transfers and ends the engine's thread.
  package func stop() { engine.stop() }
}

extension FetchSettings {
  /// Starts a transfer engine with these settings; its host memory is in the store.
  func engine(
    store: LibraryStore, _ environment: FetchEnvironment
  ) throws -> (engine: TransferEngine, hosts: HostStateStore) {
    var transfer = transfer
    let (clock, zone) = (environment.clock, environment.zone)
    if let rate { transfer.rate = { rate.rate(at: zone.local(clock.now).minute) } }
    let hosts = HostStateStore(store, transfer, environment)
    transfer.hostMemory = hosts
    return (try TransferEngine(transfer, clock: clock), hosts)
  }
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

/// A document service that is created on its first request, so that a command without requests
/// starts no engine.
package final class LazyDocumentService: Sendable {
  private let made = Mutex<DocumentService?>(nil)
  private let make: @Sendable () throws -> DocumentService

  /// Creates a service whose closure makes the actual service.
  package init(_ make: @escaping @Sendable () throws -> DocumentService) { self.make = make }

  /// Creates a service from the settings of a command that does not wait for the network.
  ///
  /// - Parameter note: receives notes for the user, without secrets, on any thread.
  /// - Throws: `bad-setting`.
  package convenience init(
    _ store: LibraryStore, _ settings: Settings, _ environment: FetchEnvironment,
    note: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    let fetching = try FetchSettings(
      settings, home: environment.variables["HOME"] ?? "/", environment: environment.variables,
      waits: false)
    self.init {
      try DocumentService(store: store, settings: fetching, environment: environment, note: note)
    }
  }

  /// Returns the service.
  ///
  /// - Throws: the errors of creating it.
  package func service() throws -> DocumentService {
    try made.withLock { made in
      if let made { return made }
      let service = try make()
      made = service
      return service
    }
  }

  /// Ends the connections, if there are any.
  package func close() { made.withLock { $0?.stop() } }
}
