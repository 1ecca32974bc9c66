import ArgumentParser
import SystemPackage
import Testing
import VmxConfiguration
import VmxModel
import VmxPresentation

@testable import VmxCommand

@Suite struct OptionTests {
  private func form(_ arguments: String...) throws -> OutputForm<EpisodeField> {
    let options = try FormOptions.parse(arguments.filter { $0 != "--json" })
    let output = try OutputOptions.parse(arguments.filter { $0 == "--json" })
    return try options.form(output)
  }

  @Test func `the output format follows from the options`() throws {
    #expect(try form() == .columns(EpisodeField.defaultFields))
    #expect(try form("--fields", "id,state") == .columns([.id, .state]))
    #expect(try form("--json") == .json(nil))
    #expect(try form("--json", "--fields", "id") == .json([.id]))
    #expect(try form("-0") == .nul([.id]))
  }

  @Test(arguments: [
    ["--json", "-0"], ["--json", "--format", "x"], ["--format", "x", "-0"],
    ["--format", "x", "--fields", "id"], ["--fields", "nope"],
  ])
  func `mutually exclusive formats are a usage error`(arguments: [String]) {
    #expect(throws: Failure.self) {
      let options = try FormOptions.parse(arguments.filter { $0 != "--json" })
      let output = try OutputOptions.parse(arguments.filter { $0 == "--json" })
      let _: OutputForm<EpisodeField> = try options.form(output)
    }
  }

  @Test func `the lock timeout comes from the option, else from the setting`() throws {
    var made = MadeProcess()
    #expect(try LibraryOptions.parse([]).lock.milliseconds(in: made.context()) == 10_000)
    made.variables = ["VMX_CORE_LOCK_TIMEOUT": "2s"]
    let settings = try SettingLayers.settings(of: made.process.environment)
    let context = CommandContext(
      "vmx-test", mode: OutputMode(), process: made.process, settings: settings)
    #expect(try LibraryOptions.parse([]).lock.milliseconds(in: context) == 2000)
    let options = try LibraryOptions.parse(["--lock-timeout", "500ms"])
    #expect(try options.lock.milliseconds(in: context) == 500)
  }

  @Test func `a wrong duration on the command line is a usage error`() throws {
    let context = MadeProcess().context()
    let options = try LibraryOptions.parse(["--lock-timeout", "soon"])
    let failure = #expect(throws: Failure.self) {
      try options.lock.milliseconds(in: context)
    }
    #expect(failure?.code == .usage)
  }

  @Test func `the root of new media comes from the option, the setting or the home`() throws {
    var made = MadeProcess()
    made.variables = ["VMX_HOME": "/home"]
    #expect(try LibraryOptions.parse([]).rootFolder(in: made.context()) == "/home/library")
    let options = try LibraryOptions.parse(["--root", "media"])
    #expect(try options.rootFolder(in: made.context()) == "/folder/media")
  }
}
