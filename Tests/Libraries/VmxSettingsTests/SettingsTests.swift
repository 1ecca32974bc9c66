import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

struct SettingsTests {
  private func settings(_ text: String, path: String = "/home/ann/config") throws -> Settings {
    var settings = Settings()
    settings.add(try SettingsFile(text.utf8, path: path))
    return settings
  }

  @Test func `without any layer the built-in values apply`() throws {
    let settings = Settings()
    #expect(try settings.integer(.fetchJobs) == 3)
    #expect(try settings.bool(.networkStore) == false)
    #expect(try settings.milliseconds(.stallTime) == 15_000)
    #expect(try settings.size(.stallSpeed) == ByteCount(1024))
    #expect(try settings.choice(.color) == "auto")
    #expect(try settings.path(.caFile, home: "/home/ann") == nil)
    try settings.validate()
  }

  @Test(arguments: SettingKey.allCases)
  func `every built-in value has the kind of its setting`(key: SettingKey) throws {
    let mayBeUnset: [SettingKind] = [.path, .text, .proxy, .webURL, .wantRule, .pathMap]
    #expect(key.entry.builtIn != nil || mayBeUnset.contains(key.entry.kind))
    #expect(key.rawValue == key.rawValue.lowercased())
    #expect(key.rawValue.split(separator: ".").count == 2)
  }

  @Test func `a later layer takes precedence`() throws {
    var settings = try settings("[fetch]\njobs = 4\n", path: "/etc/config")
    #expect(try settings.integer(.fetchJobs) == 4)
    settings.add(try SettingsFile("[FETCH]\nJobs = 5\njobs=6".utf8, path: "user"))
    #expect(try settings.integer(.fetchJobs) == 6)
    settings.add(environment: ["VMX_FETCH_JOBS": "7", "VMX_COLOR_UI": ""])
    #expect(try settings.integer(.fetchJobs) == 7)
    #expect(try settings.choice(.color) == "auto")
    try settings.add(parameter: "Fetch.JOBS=8")
    #expect(try settings.integer(.fetchJobs) == 8)
    settings.set(.fetchJobs, to: "9", option: "--jobs")
    #expect(try settings.integer(.fetchJobs) == 9)
    #expect(settings.effectiveValue(.fetchJobs)?.origin == .option("--jobs"))
    #expect(settings.all("fetch.jobs").compactMap(\.text) == ["4", "5", "6", "7", "8", "9"])
  }

  @Test func `an invalid value is reported with its position and the allowed values`() throws {
    let settings = try settings("[fetch]\n# so many\njobs = many\n")
    let failure = try #require(throws: Failure.self) { try settings.integer(.fetchJobs) }
    #expect(failure.code == .badSetting)
    #expect(failure.code.entry.status == .configuration)
    #expect(
      failure.summary
        == "'/home/ann/config' line 3: 'fetch.jobs' is 'many', must be a whole number from 1 to 64"
    )
    #expect(throws: failure) { try settings.validate() }
  }

  @Test func `a higher layer overrides an invalid value`() throws {
    var settings = try settings("[fetch]\njobs = many\n")
    try settings.add(parameter: "fetch.jobs=2")
    #expect(try settings.integer(.fetchJobs) == 2)
  }

  @Test(arguments: [
    ("fetch.jobs=0", "option '-c'"), ("fetch.jobs=65", "1 to 64"), ("fetch.jobs", "no value"),
    ("fetch.jobs=1e1", "'1e1'"), ("color.ui=blue", "auto, always, never"),
    ("color.ui=Always", "auto, always, never"), ("core.network-store=maybe", "yes, no"),
    ("core.lock-timeout=-1", "0s to 1h"), ("core.lock-timeout=2h", "0s to 1h"),
    ("network.stall-time=10ms", "1s to 1h"), ("network.stall-speed=1X", "a rate such as"),
    ("network.ca-file=certs.pem", "begins with '/' or '~/'"),
    ("network.ca-file", "begins with '/' or '~/'"),
    ("network.backoff=5 x", "from 0s to 1h"), ("library.reserve=", "a size such as"),
  ])
  func `a wrong parameter error lists the allowed values`(parameter: String, words: String) throws {
    var settings = Settings()
    try settings.add(parameter: parameter)
    let failure = try #require(throws: Failure.self) { try settings.validate() }
    #expect(failure.code == .badSetting)
    #expect(failure.summary.contains(words), "\(failure.summary)")
  }

  @Test(arguments: ["", "jobs", "=3", ".jobs=3", "fetch.=3", "jobs=a.b"])
  func `a parameter without a key is refused`(parameter: String) {
    var settings = Settings()
    #expect(code { try settings.add(parameter: parameter) } == .badSetting)
  }

  @Test(arguments: [
    ("true", true), ("Yes", true), ("ON", true), ("1", true), ("false", false), ("no", false),
    ("off", false), ("0", false), ("", false),
  ])
  func `Boolean values have git's words`(text: String, truth: Bool) throws {
    var settings = Settings()
    try settings.add(parameter: "core.network-store=\(text)")
    #expect(try settings.bool(.networkStore) == truth)
  }

  @Test func `a key without a value is true`() throws {
    #expect(try settings("[core]\nnetwork-store\n").bool(.networkStore))
    var settings = Settings()
    try settings.add(parameter: "core.network-store")
    #expect(try settings.bool(.networkStore))
  }

  @Test func `a hook is read from settings files only`() throws {
    var settings = try settings("[hook]\nready = \"true; echo 1\"\nfailed =\n")
    settings.add(environment: ["VMX_HOOK_READY": "evil", "VMX_HOOK_FAILED": "evil"])
    #expect(try settings.text(.hookReady) == "true; echo 1")
    #expect(try settings.text(.hookFailed) == nil)
    for parameter in ["hook.ready=evil", "HOOK.Failed=evil", "hook.timeout=1h"] {
      #expect(code { try settings.add(parameter: parameter) } == .badSetting)
    }
    #expect(try settings.text(.hookReady) == "true; echo 1")
  }

  @Test func `a command that probes the network is read from settings files only`() throws {
    var settings = try settings("[network]\nprobe = \"ask; echo yes\"\n")
    settings.add(environment: ["VMX_NETWORK_PROBE": "evil"])
    #expect(throws: Failure.self) { try settings.add(parameter: "Network.Probe=evil") }
    #expect(try settings.text(.probe) == "ask; echo yes")
    #expect(try Settings().text(.probe) == nil)
  }

  @Test func `a path below the home is made absolute`() throws {
    let settings = try settings("[library]\nroot = ~/Videos\n[network]\nca-file = /etc/ca.pem\n")
    #expect(try settings.path(.libraryRoot, home: "/home/ann") == "/home/ann/Videos")
    #expect(try settings.path(.caFile, home: "/home/ann") == "/etc/ca.pem")
  }

  @Test func `keys of other tools are tolerated and kept`() throws {
    var settings = try settings("[plugin \"A.example\"]\njobs = 1\n[include]\npath = x\n")
    try settings.add(parameter: "PLUGIN.A.example.Jobs=2")
    try settings.validate()
    #expect(settings.all("plugin.A.example.jobs").compactMap(\.text) == ["1", "2"])
  }

  @Test func `a misspelt parameter is refused`() throws {
    var settings = Settings()
    #expect(code { try settings.add(parameter: "fetch.jobz=3") } == .unknownSetting)
    #expect(code { try settings.add(parameter: "netwrok.cap=3") } == .unknownSetting)
  }

  @Test(arguments: [
    [], ["fetch.jobs=2"], ["a.b='x' y", "c.d", "", "'", "a.b=it's \\ 'quoted'"], ["é.ü=\u{301}'"],
  ])
  func `parameters are passed through a variable unchanged`(parameters: [String]) throws {
    let text = SettingsParameters.text(of: parameters)
    #expect(try SettingsParameters.parameters(of: text) == parameters)
  }

  @Test(arguments: ["a.b=1", "'a", "'a' b", "\\'", "'a'\\"])
  func `an invalid variable of parameters is refused`(text: String) throws {
    let refused = code { try SettingsParameters.parameters(of: text) }
    #expect(refused == (text == "\\'" ? nil : .badSetting))
  }
}
