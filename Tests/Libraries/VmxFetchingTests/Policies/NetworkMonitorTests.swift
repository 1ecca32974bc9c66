import Synchronization
import Testing
import VmxModel
import VmxSettings
import VmxSystem
import VmxTestSupport

@testable import VmxFetching

struct NetworkMonitorTests {
  private static let manager = "/org/freedesktop/NetworkManager"

  /// Returns a monitor for a machine whose programs print these outputs; the key is the last words
  /// of the command line.
  private func monitor(
    _ metered: MeteredSetting, name: String? = nil, _ answers: [String: String] = [:]
  ) throws -> NetworkMonitor {
    NetworkMonitor(
      metered, configuredName: name, environment: try testEnvironment(), changes: ChangeSignal()
    ) {
      program, arguments, _ in
      answers[program == "busctl" ? arguments.suffix(3).joined(separator: " ") : arguments[1]]
    }
  }

  @Test(arguments: [
    (0, MeteredVerdict.Value.unknown), (1, .yes), (2, .no), (3, .yes), (4, .no), (9, .unknown),
  ])
  func `the values of NetworkManager are mapped`(number: Int, word: MeteredVerdict.Value) throws {
    let asked = "\(Self.manager) org.freedesktop.NetworkManager Metered"
    let found = try monitor(.detected, [asked: "{\"type\":\"u\",\"data\":\(number)}\n"]).read()
    #expect(found.verdict.value == word)
    #expect(!found.verdict.applies(loopback: true))
    #expect(found.verdict.applies(loopback: false) == (word == .yes))
  }

  @Test(arguments: ["", "u 1", "{\"type\":\"u\"}", "{\"data\":\"yes\"}", "{\"data\":1"])
  func `another value, or none, is unknown`(answer: String) throws {
    let asked = "\(Self.manager) org.freedesktop.NetworkManager Metered"
    #expect(try monitor(.detected, [asked: answer]).read().verdict.value == .unknown)
    #expect(try monitor(.detected).read().verdict.value == .unknown)
  }

  @Test func `the network name comes from the user, from the connection, or is absent`() throws {
    let answers = [
      "\(Self.manager) org.freedesktop.NetworkManager PrimaryConnection":
        "{\"type\":\"o\",\"data\":\"/active/7\"}",
      "/active/7 org.freedesktop.NetworkManager.Connection.Active Uuid":
        "{\"type\":\"s\",\"data\":\"1d9c\"}",
    ]
    #expect(try monitor(.detected, answers).read().name == "1d9c")
    #expect(try monitor(.detected, name: "home", answers).read().name == "home")
    #expect(try monitor(.detected).read().name == "default")
  }

  @Test(arguments: [
    ("yes\n", MeteredVerdict.Value.yes), (" no", .no), ("unknown", .unknown), ("", .unknown),
    ("yes no", .unknown), ("YES", .unknown),
  ])
  func `a probe applies to every address`(answer: String, word: MeteredVerdict.Value) throws {
    let found = try monitor(.probe("ask"), ["ask": answer]).read().verdict
    #expect(found == MeteredVerdict(word, .configured("network.probe")))
    #expect(found.applies(loopback: true) == (word == .yes))
  }

  @Test func `a given verdict runs no program, and loopback does not query the system`() throws {
    let said = MeteredSetting.decided(MeteredVerdict(.no, .configured("VMX_METERED")))
    #expect(try monitor(said, name: "home").reading(loopback: false)?.name == "home")
    #expect(try monitor(said).reading(loopback: false) == nil)
    #expect(try monitor(said).reading(loopback: true)?.verdict.value == .no)
    #expect(try monitor(.detected).reading(loopback: true)?.verdict.value == .unknown)
    #expect(try monitor(.probe("ask")).reading(loopback: true) == nil)
  }

  @Test func `the variable overrides the setting, which overrides the probe`() throws {
    var settings = Settings()
    settings.add(try SettingsFile("[network]\nmetered = no\nprobe = ask\n".utf8, path: "config"))
    let given = try MeteredSetting(settings, ["VMX_METERED": "yes"])
    #expect(given == .decided(MeteredVerdict(.yes, .configured("VMX_METERED"))))
    #expect(
      try MeteredSetting(settings, ["VMX_METERED": ""])
        == .decided(MeteredVerdict(.no, .configured("network.metered"))))
    try settings.add(parameter: "network.metered=auto")
    #expect(try MeteredSetting(settings, [:]) == .probe("ask"))
    #expect(try MeteredSetting(Settings(), [:]) == .detected)
    #expect(throws: Failure.self) { try MeteredSetting(settings, ["VMX_METERED": "1"]) }
  }

  @Test func `programs of the system have a timeout`() {
    let programs = NetworkMonitor.systemRunner(["PATH": "/nowhere:/usr/bin:/bin", "WORD": "yes"])
    #expect(programs("/bin/sh", ["-c", "echo $WORD"], 10_000) == "yes\n")
    #expect(programs("sh", ["-c", "exit 3"], 10_000) == nil)
    #expect(programs("no-such-program", [], 10_000) == nil)
    #expect(programs("sh", ["-c", "echo yes; exec sleep 60"], 50) == nil)
  }

  @Test func `the first part waits for the result of a program`() throws {
    let monitor = try monitor(.probe("ask"), name: "home", ["ask": "yes"])
    #expect(monitor.reading(loopback: false) == nil)
    try monitor.begin(loopback: false)
    #expect(monitor.reading(loopback: false)?.verdict.value == .yes)
  }

  @Test func `a request to stop ends the wait for a program`() throws {
    let interruption = try Interruption()
    let environment = FetchEnvironment(
      clock: FixedClock(), zone: FixedZone(), variables: [:], interruption: interruption)
    let changes = ChangeSignal()
    let answer = Monitor(false)
    let monitor = NetworkMonitor(
      .probe("ask"), configuredName: "home", environment: environment, changes: changes
    ) {
      _, _, _ in
      // The program answers after the end of the wait; the request arrives while it runs.
      interruption.request()
      changes.signal()
      answer.when({ $0 }) { _ in }
      return "no"
    }
    try monitor.begin(loopback: false)
    #expect(monitor.reading(loopback: false) == nil)
    answer.withLock { $0 = true }
  }
}
