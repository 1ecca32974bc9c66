import Testing
import VmxModel

@testable import VmxSettings

@Suite struct UnknownSettingTests {
  private func unknown(_ text: String) throws -> [UnknownSetting] {
    var settings = Settings()
    settings.add(try SettingsFile(Array(text.utf8), path: "f"))
    return settings.unknown
  }

  @Test(arguments: [
    ("[fetch]\njobz = 3", "fetch.jobs"), ("[fetch \"x\"]\njobs = 3", "fetch.jobs"),
    ("[netwrok]\ncap = 1", "network.cap"), ("[netwrok]\nmine = 1", "[network]"),
    ("[host \"a.org\"]\nproxi = none", "host.a.org.proxy"), ("[Fetc]\nJOBS = 1", "fetch.jobs"),
  ])
  func `a misspelt name gets the nearest valid one`(text: String, nearest: String) throws {
    let found = try #require(try unknown(text).first)
    #expect(found.isMisspelt)
    #expect(found.nearest == nearest)
    #expect(found.failure.summary.hasPrefix("'f' line 2: unknown setting '"))
  }

  @Test(arguments: ["[fetch]\nwholly-other = 3", "[host]\njobs = 3"])
  func `an unknown key of a known section is always misspelt`(text: String) throws {
    #expect(try unknown(text).map(\.isMisspelt) == [true])
  }

  @Test(arguments: ["[plugin]\nkey = 1", "[my-tool \"x\"]\nkey = 1"])
  func `a section unlike any of ours belongs to another tool`(text: String) throws {
    #expect(try unknown(text).map(\.isMisspelt) == [false])
  }

  @Test(arguments: [
    ("VMX_FETCH_JBOS", "fetch.jobs"), ("VMX_NETWORK_PER_HOTS", "network.per-host"),
    ("VMX_FECTH_JOBS", "fetch.jobs"), ("VMX_FETCH_WHOLLY_OTHER", nil),
  ])
  func `a misspelt variable gets the nearest setting`(name: String, nearest: String?) {
    var settings = Settings()
    settings.add(environment: [name: "3"])
    #expect(settings.warnings.map(\.code) == [.unknownSetting])
    #expect(settings.warnings[0].summary.hasPrefix("variable '\(name)': unknown setting '"))
    #expect(settings.unknown.map(\.nearest) == [nearest])
  }

  @Test(arguments: [
    ("VMX_HOEM", "VMX_HOME"), ("VMX_PAGR", "VMX_PAGER"), ("VMX_NETWRK", "VMX_NETWORK"),
  ])
  func `a misspelt variable that is no setting gets the nearest one`(
    name: String, nearest: String
  ) {
    var settings = Settings()
    settings.add(environment: [name: "3"])
    #expect(settings.warnings.map(\.code) == [.unknownSetting])
    #expect(settings.warnings.first?.summary == "unknown variable '\(name)'")
    #expect(settings.warnings.first?.hint.hasPrefix("did you mean '\(nearest)'?") == true)
  }

  @Test(arguments: [
    "VMX_HOME", "VMX_NETWORK", "VMX_PLAYER", "VMX_LOCK_USER", "VMX_TEST_TOOLS", "VMX_MINE",
    "VMX_FETCH_JOBS", "XVMX_FETCH_JBOS", "VMX_PATHS", "VMX_IDS",
  ])
  func `a variable with another use is no setting`(name: String) {
    var settings = Settings()
    settings.add(environment: [name: "3"])
    #expect(settings.warnings == [])
  }

  @Test(
    arguments: SettingKey.allCases.map(\.rawValue)
      + HostKey.allCases.map { "host.a.org.\($0.rawValue)" })
  func `no setting of vmx is unknown`(name: String) {
    #expect(UnknownSetting(name, at: .builtIn) == nil)
  }
}
