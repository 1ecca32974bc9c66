import Testing
import VmxModel
import VmxSettings
import VmxStore
import VmxSystem
import VmxTestSupport
import VmxTransfer

@testable import VmxFetching

/// Documents for operations without network I/O of their own, which receive a closure.
struct DocumentServiceTests {
  private let folder: ScratchFolder
  private let store: LibraryStore
  private let environment: FetchEnvironment

  init() throws {
    folder = try ScratchFolder()
    let clock = FixedClock()
    store = try LibraryStore.open(LibraryHome(folder.path), clock: clock)
    environment = try testEnvironment(clock: clock, steps: StepClock())
  }

  private func service() throws -> DocumentService {
    let settings = try FetchSettings(Settings(), home: "/", waits: false)
    return DocumentService(store: store, settings: settings, environment: environment)
  }

  private func request(_ url: String) -> HTTPRequest {
    HTTPRequest(url, limit: ByteCount(clamping: 100_000), allowsPrivateAddresses: true)
  }

  @Test(
    arguments: [
      (["/a redirect:301:/b", "/b redirect:308:/c"], "/c"),
      (["/a redirect:308:/b", "/b redirect:302:/c"], "/b"),
      (["/a redirect:302:/b", "/b redirect:301:/c"], nil),
      (["/a redirect:307:/c"], nil),
    ] as [([String], String?)])
  func `a document has moved as far as its leading redirects are permanent`(
    _ rules: [String], _ place: String?
  ) throws {
    let origin = try LoopbackOrigin(rules: rules)
    try origin.folder.write("c", "feed")
    let service = try service()
    defer { service.stop() }
    let document = try service.send(request("\(origin.url)/a"))
    #expect(document.bytes == Array("feed".utf8))
    #expect(document.url == "\(origin.url)/c")
    #expect(document.movedTo == place.map { origin.url + $0 })
    #expect(document.isFromPrivate)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a service on the engine of the process keeps its own time limits and leaves it running`()
    throws
  {
    let origin = try LoopbackOrigin(rules: ["/silent hang"])
    try origin.folder.write("a", "feed")
    let engine = ProcessEngine(
      store, settings: try FetchSettings(Settings(), home: "/", waits: false),
      environment: environment)
    defer { engine.stop() }
    var brief = try FetchSettings(Settings(), home: "/", waits: false)
    (brief.transfer.responseTime, brief.transfer.attempts) = (100, 1)
    let service = DocumentService(
      store: store, settings: brief, environment: environment, engine: engine)
    // The engine itself would wait for a minute.
    #expect(throws: TransferError.self) { try service.send(request("\(origin.url)/silent")) }
    service.stop()
    let other = DocumentService(
      store: store, settings: try FetchSettings(Settings(), home: "/", waits: false),
      environment: environment, engine: engine)
    #expect(try other.send(request("\(origin.url)/a")).bytes == Array("feed".utf8))
  }

  @Test func `a document with the known version is not sent again`() throws {
    let origin = try LoopbackOrigin()
    try origin.folder.write("a", "feed")
    let service = try service()
    defer { service.stop() }
    var request = request("\(origin.url)/a")
    let document = try service.send(request)
    #expect(document.validators != Validators())
    request.validators = document.validators
    #expect(try service.send(request).isUnchanged)
  }

  @Test func `a Retry-After holds until the document is named`() throws {
    let origin = try LoopbackOrigin(rules: ["/a status:503 retry-after:60 times 1"])
    try origin.folder.write("a", "feed")
    let service = try service()
    defer { service.stop() }
    var request = request("\(origin.url)/a")
    #expect(code { _ = try service.send(request) } == .rateLimited)
    #expect(code { _ = try service.send(request) } == .rateLimited)
    #expect(try origin.requests().count == 1)
    request.ignoresRetryAfter = true
    #expect(try !service.send(request).isUnchanged)
  }

  @Test func `user and password are read from the secrets by reference`() throws {
    let origin = try LoopbackOrigin(rules: ["/a auth:me:word"])
    try origin.folder.write("a", "feed")
    let service = try service()
    defer { service.stop() }
    var request = request("\(origin.url)/a")
    #expect(code { _ = try service.send(request) } == .httpDenied)
    request.secret = try store.secrets.save(Secret(user: "me", password: "word"))
    #expect(try !service.send(request).isUnchanged)
  }

  @Test func `user and password in the URL come before those of the request`() throws {
    let origin = try LoopbackOrigin(rules: ["/a auth:me:word"])
    try origin.folder.write("a", "feed")
    let service = try service()
    defer { service.stop() }
    var request = request(origin.url.replacing("http://", with: "http://me:word@") + "/a")
    request.credentials = HTTPRequest.Credentials(
      user: "other", password: "else", isPreemptive: true)
    #expect(try service.send(request).bytes == Array("feed".utf8))
  }

  @Test func `a request to stop ends the fetch`() throws {
    let origin = try LoopbackOrigin(rules: ["/a hang"])
    let service = try service()
    defer { service.stop() }
    environment.interruption.request()
    #expect(code { _ = try service.send(request("\(origin.url)/a")) } == .interrupted)
  }
}
