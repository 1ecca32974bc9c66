import Synchronization
import Testing
import VmxModel

@testable import VmxFetching

struct NetworkSourceTests {
  private static let manager = "/org/freedesktop/NetworkManager"

  /// A machine whose programs answer so; the key is the last words of what is asked.
  private func source(
    _ metered: MeteredSetting, name: String? = nil, _ answers: [String: String] = [:]
  ) -> NetworkSource {
    let programs = ProgramAnswer { program, arguments, _ in
      answers[program == "busctl" ? arguments.suffix(3).joined(separator: " ") : arguments[1]]
    }
    return NetworkSource(metered: metered, name: name, programs: programs)
  }

  @Test(arguments: [
    (0, MeteredVerdict.Word.unknown), (1, .yes), (2, .no), (3, .yes), (4, .no), (9, .unknown),
  ])
  func `the words of NetworkManager are understood`(number: Int, word: MeteredVerdict.Word) {
    let asked = "\(Self.manager) org.freedesktop.NetworkManager Metered"
    let found = source(.detected, [asked: "{\"type\":\"u\",\"data\":\(number)}\n"]).read()
    #expect(found.verdict.word == word)
    #expect(!found.verdict.holds(loopback: true))
    #expect(found.verdict.holds(loopback: false) == (word == .yes))
  }

  @Test(arguments: ["", "u 1", "{\"type\":\"u\"}", "{\"data\":\"yes\"}", "{\"data\":1"])
  func `another answer, or none, is unknown`(answer: String) {
    let asked = "\(Self.manager) org.freedesktop.NetworkManager Metered"
    #expect(source(.detected, [asked: answer]).read().verdict.word == .unknown)
    #expect(source(.detected).read().verdict.word == .unknown)
  }

  @Test func `the network has the name of the person, of its connection, or none`() {
    let answers = [
      "\(Self.manager) org.freedesktop.NetworkManager PrimaryConnection":
        "{\"type\":\"o\",\"data\":\"/active/7\"}",
      "/active/7 org.freedesktop.NetworkManager.Connection.Active Uuid":
        "{\"type\":\"s\",\"data\":\"1d9c\"}",
    ]
    #expect(source(.detected, answers).read().name == "1d9c")
    #expect(source(.detected, name: "home", answers).read().name == "home")
    #expect(source(.detected).read().name == "default")
  }

  @Test(arguments: [
    ("yes\n", MeteredVerdict.Word.yes), (" no", .no), ("unknown", .unknown), ("", .unknown),
    ("yes no", .unknown), ("YES", .unknown),
  ])
  func `a probe counts for every address`(answer: String, word: MeteredVerdict.Word) {
    let found = source(.probe("ask"), ["ask": answer]).read().verdict
    #expect(found == MeteredVerdict(word, .given("network.probe")))
    #expect(found.holds(loopback: true) == (word == .yes))
  }

  @Test func `no program is asked where the verdict is given, nor the system for loopback`() {
    let said = MeteredSetting.given(MeteredVerdict(.no, .given("VMX_METERED")))
    #expect(source(said, name: "home").given?.name == "home")
    #expect(source(said).given == nil)
    #expect(source(said).givenForLoopback?.verdict.word == .no)
    #expect(source(.detected).givenForLoopback?.verdict.word == .unknown)
    #expect(source(.probe("ask")).givenForLoopback == nil)
  }

  @Test func `the variable is stronger than the setting, and that than the probe`() throws {
    var settings = Settings()
    settings.add(try SettingsFile("[network]\nmetered = no\nprobe = ask\n".utf8, path: "config"))
    let given = try MeteredSetting(settings, ["VMX_METERED": "yes"])
    #expect(given == .given(MeteredVerdict(.yes, .given("VMX_METERED"))))
    #expect(
      try MeteredSetting(settings, ["VMX_METERED": ""])
        == .given(MeteredVerdict(.no, .given("network.metered"))))
    try settings.add(parameter: "network.metered=auto")
    #expect(try MeteredSetting(settings, [:]) == .probe("ask"))
    #expect(try MeteredSetting(Settings(), [:]) == .detected)
    #expect(throws: Failure.self) { try MeteredSetting(settings, ["VMX_METERED": "1"]) }
  }

  @Test func `programs of the system are asked within their time`() {
    let programs = ProgramAnswer.ofSystem(["PATH": "/nowhere:/usr/bin:/bin", "WORD": "yes"])
    #expect(programs.of("/bin/sh", ["-c", "echo $WORD"], 10_000) == "yes\n")
    #expect(programs.of("sh", ["-c", "exit 3"], 10_000) == nil)
    #expect(programs.of("no-such-program", [], 10_000) == nil)
    #expect(programs.of("sh", ["-c", "echo yes; exec sleep 60"], 50) == nil)
  }
}
