import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

@testable import VmxConfiguration

@Suite struct SettingLayersTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.makeFolder("system/vmx")
    try scratch.makeFolder("user/vmx")
  }

  private func jobs(_ more: [String: String] = [:]) throws -> Int64 {
    var variables = [
      "XDG_CONFIG_DIRS": scratch.path("system").string,
      "XDG_CONFIG_HOME": scratch.path("user").string,
    ]
    variables.merge(more) { $1 }
    return try SettingLayers.settings(of: variables, workFolder: "/").integer(.fetchJobs)
  }

  @Test func `each layer overrides the previous one`() throws {
    #expect(try jobs() == 3)
    try scratch.write("system/vmx/config", "[fetch]\njobs = 4\n")
    #expect(try jobs() == 4)
    try scratch.write("user/vmx/config", "[fetch]\njobs = 5\n")
    #expect(try jobs() == 5)
    #expect(try jobs(["VMX_FETCH_JOBS": "6"]) == 6)
    let passed = SettingsParameters.text(of: ["fetch.jobs=7"])
    #expect(try jobs(["VMX_FETCH_JOBS": "6", SettingsParameters.variable: passed]) == 7)
  }

  @Test func `VMX_CONFIG replaces the user's file`() throws {
    try scratch.write("user/vmx/config", "[fetch]\njobs = 5\n")
    try scratch.write("other", "[fetch]\njobs = 8\n")
    #expect(try jobs(["VMX_CONFIG": scratch.path("other").string]) == 8)
  }

  @Test func `named pipes, devices and files beyond 4 MiB are not read as settings`() throws {
    let pipe = scratch.path("pipe").string
    try #require(mkfifo(pipe, 0o600) == 0)
    try scratch.write("large", String(repeating: "#\n", count: (4 << 20) / 2 + 1))
    for path in [pipe, "/dev/zero", scratch.path("large").string, scratch.path("user").string] {
      let failure = #expect(throws: Failure.self) { try jobs(["VMX_CONFIG": path]) }
      #expect(failure?.code == .badSetting)
      #expect(failure?.summary.contains(path) == true)
    }
  }

  @Test func `the null device means no settings`() throws {
    #expect(try jobs(["VMX_CONFIG": "/dev/null"]) == 3)
    try #require(symlink("/dev/null", scratch.path("link").string) == 0)
    #expect(try jobs(["VMX_CONFIG": scratch.path("link").string]) == 3)
  }

  @Test func `an invalid value is reported with file and line`() throws {
    try scratch.write("user/vmx/config", "[fetch]\njobs = many\n")
    let failure = #expect(throws: Failure.self) { try jobs() }
    #expect(failure?.code == .badSetting)
    #expect(failure?.summary.contains("config' line 2") == true)
  }
}
