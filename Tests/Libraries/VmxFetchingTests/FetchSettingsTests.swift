import Testing
import VmxEngine
import VmxModel
import VmxSettings
import VmxTransfer

@testable import VmxFetching

struct FetchSettingsTests {
  private func settings(_ values: [String], waits: Bool = false) throws -> FetchSettings {
    var settings = Settings()
    for value in values { try settings.add(parameter: value) }
    return try FetchSettings(settings, home: "/home/anna", waits: waits)
  }

  @Test func `without settings the documented defaults hold`() throws {
    let found = try settings([])
    #expect(found.jobs == 3)
    #expect(found.transfer.connections == 4)
    #expect(found.transfer.perHost == 8)
    #expect(found.transfer.attempts == 5)
    #expect(found.transfer.stallBytesPerSecond == 1024)
    #expect(found.transfer.stallTime == 15_000)
    #expect(found.serverWaits.maxWait == 60_000)
    #expect(!found.transfer.allowsDowngrade)
  }

  @Test func `settings reach the transfer`() throws {
    let found = try settings([
      "fetch.jobs=7", "fetch.connections=2", "network.per-host=5", "network.attempts=2",
      "network.stall-time=3s",
      "network.ca-file=/dev/null", "library.reserve=1G",
    ])
    #expect(found.jobs == 7)
    #expect(found.transfer.connections == 2)
    #expect(found.transfer.perHost == 5)
    #expect(found.transfer.attempts == 2)
    #expect(found.transfer.stallTime == 3000)
    #expect(found.transfer.hosts.defaultRules.caFile == "/dev/null")
    #expect(found.reserve == ByteCount(clamping: 1 << 30))
  }

  @Test(arguments: [
    ("16", 3, [], 48), ("16", 8, [], 64), ("2", 3, [], 8), ("16", 3, ["network.per-host=5"], 5),
  ])
  func `connections given on the command line apply to each transfer, up to 64 for a host`(
    connections: String, jobs: Int, typed: [String], limit: Int
  ) throws {
    var settings = Settings()
    for value in typed { try settings.add(parameter: value) }
    settings.set(.fetchJobs, to: "\(jobs)", option: "--jobs")
    settings.set(.fetchConnections, to: connections, option: "--connections")
    let found = try FetchSettings(settings, home: "/home/anna", waits: false)
    #expect(found.transfer.perHost == limit)
  }

  @Test func `connections in a settings file do not raise the limit of a host`() throws {
    #expect(try settings(["fetch.connections=16"]).transfer.perHost == 8)
  }

  @Test func `with --wait the run waits as long as Retry-After may be`() throws {
    let found = try settings([], waits: true)
    #expect(found.serverWaits.maxWait == found.transfer.retryAfterBelieved)
  }

  @Test func `an unreadable file is reported with the position of its setting`() throws {
    let failure = try #require(throws: Failure.self) {
      try settings(["host.example.org.cookies=~/cookies.txt"])
    }
    #expect(failure.code == .badSetting)
    #expect(
      failure.summary
        == "option '-c': 'host.example.org.cookies': cannot read '/home/anna/cookies.txt'")
  }

  @Test func `an invalid value is a bad setting`() {
    let failure = #expect(throws: Failure.self) { try settings(["fetch.jobs=0"]) }
    #expect(failure?.code == .badSetting)
  }
}
