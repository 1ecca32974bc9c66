import Testing
import VmxModel
import VmxSettings
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// The permitted targets of URLs from other sources than the user.
@Suite struct PrivateAddressTests {
  /// Returns settings that send requests for `films.example` through the origin, like a host of the
  /// internet.
  private func settings(_ text: String) throws -> TransferSettings {
    var settings = Settings()
    settings.add(try SettingsFile(text.utf8, path: "config"))
    var quick = quick
    quick.hosts = try HostTable(settings, home: "/")
    return quick
  }

  private func outside(_ origin: TestOrigin) throws -> TransferSettings {
    try settings("[host \"films.example\"]\nproxy = \(origin.url(""))\n")
  }

  @Test func `a URL of a feed does not lead to a private network`() throws {
    let origin = try TestOrigin()
    try origin.serve("a.mp4", 1000)
    var job = try origin.job("a.mp4")
    job.sources[0].allowsPrivateAddresses = false
    #expect(try failure(job) == .addressRefused)
    #expect(try origin.hits().isEmpty)
  }

  @Test func `an existing connection of another transfer changes nothing`() throws {
    let origin = try TestOrigin()
    try origin.serve("a.mp4", 1000)
    let engine = try TransferEngine(quick, clock: SystemClock())
    defer { engine.stop() }
    var job = try origin.job("a.mp4")
    _ = try engine.run(job, observer: TestObserver())
    job.partial = origin.scratch.path("partial/b.part")
    job.resume = origin.scratch.path("partial/b.part.json")
    job.sources[0].allowsPrivateAddresses = false
    let error = #expect(throws: TransferError.self) {
      try engine.run(job, observer: TestObserver())
    }
    #expect(error?.code == .addressRefused)
    #expect(try origin.hits(atLeast: 1).count == 1)
  }

  @Test(arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"])
  func `a public server does not lead to a private network`(host: String) throws {
    let inner = try TestOrigin()
    try inner.serve("b.mp4", 1000)
    let origin = try TestOrigin("/a.mp4 redirect:302:http://\(host):\(inner.port)/b.mp4")
    let settings = try outside(origin)
    #expect(try failure(origin.job("http://films.example/a.mp4"), settings) == .addressRefused)
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/a.mp4"])
    #expect(try inner.hits().isEmpty)
  }

  @Test func `a proxy for all hosts does not allow it either`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:http://localhost/b.mp4")
    try origin.serve("b.mp4", 1000)
    let settings = try settings("[network]\nproxy = \(origin.url(""))\n")
    #expect(try failure(origin.job("http://films.example/a.mp4"), settings) == .addressRefused)
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/a.mp4"])
  }

  @Test func `a public server may lead to another one`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:http://other.example/b.mp4")
    let bytes = try origin.serve("b.mp4", 1000)
    let settings = try settings("[network]\nproxy = \(origin.url(""))\n")
    try fetch(origin.job("http://films.example/a.mp4"), settings)
    #expect(try origin.partial() == bytes)
  }
}
