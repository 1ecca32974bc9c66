import Synchronization
import VmxDigest
import VmxLibraryTestSupport
import VmxModel
import VmxSettings
import VmxStore
import VmxTestSupport

@testable import VmxLicence

/// A provider that returns configured responses and records the requests.
final class FakeProvider: Sendable {
  struct Script: Sendable {
    /// The documents by the last component of the path: `status`, `x` for the licence, and
    /// operations.
    var documents: [String: String] = [:]
    /// The statuses of refusals, by the same names.
    var refusals: [String: Int] = [:]
    /// The requests that fail, by the same names.
    var failing: Set<String> = []
    var date: Timestamp?
    var isPrivate = false
    /// Called for each request, before the response.
    var meanwhile: @Sendable (String) throws -> Void = { _ in }
  }

  let script = Mutex(Script())
  let requests = Mutex<[String]>([])

  /// The names of the requests so far, with their methods.
  var asked: [String] { requests.withLock { $0 } }

  func set(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }

  func send(_ request: HTTPRequest) throws -> HTTPResponse {
    let path = request.url.prefix { $0 != "?" }
    let name = String(path.split(separator: "/").last ?? "")
    requests.withLock { $0.append("\(request.method.rawValue.lowercased()) \(name)") }
    let script = script.withLock { $0 }
    try script.meanwhile(name)
    if script.failing.contains(name) {
      throw Failure(.hostUnreachable, "cannot reach it, as told")
    }
    var response = HTTPResponse(
      status: script.refusals[name] ?? 200, bytes: Array((script.documents[name] ?? "").utf8),
      url: request.url)
    (response.date, response.isFromPrivate) = (script.date, script.isPrivate)
    return response
  }
}

/// A library with one episode that has a licence, and its provider.
struct LicensedLibrary {
  let library: ScratchLibrary
  let provider = FakeProvider()
  let id: EpisodeID

  /// Creates the library in November 2026.
  init(_ licence: String = "01-valid.lcpl") throws {
    library = try ScratchLibrary()
    let start = Timestamp("2026-11-23T12:00:00Z") ?? library.clock.now
    library.clock.advance(milliseconds: start.milliseconds - library.clock.now.milliseconds)
    id = try library.placed(key: true).id
    try library.scratch.write(Self.key, LicenceFixtures.documents[licence] ?? licence)
    _ = try service.adopt(id)
  }

  static let key = "media/Show/Season 01/Show - S01E01 - A.key"

  var service: LicenceService { service(on: library.store) }

  func service(on store: LibraryStore, machine: String = "machine-1") -> LicenceService {
    var settings = Settings()
    settings.set(
      .licencePlayPeriod, to: "https://provider.example/rights/play_period", option: "--test")
    guard let licence = try? LicenceService.Settings(settings, host: "den") else {
      fatalError("the settings are valid")
    }
    return LicenceService(
      store: store, settings: licence, clock: library.clock, machineID: { machine },
      digest: { DigestHasher.sha256(of: $0) },
      send: { [provider] in try provider.send($0) })
  }

  var record: LicenceRecord? {
    get throws { try library.again().snapshot().licence(of: id) }
  }
  var episode: Episode? { get throws { try library.stored(id) } }
  /// The lines of the store.
  var storedLines: [Substring] {
    get throws { try library.scratch.text("home/store.jsonl").split(separator: "\n") }
  }
}
