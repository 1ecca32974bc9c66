import SystemPackage
import Testing
import VmxDesktop
import VmxSystem

struct UserUnitsTests {
  private func line(_ start: String, of units: UserUnits) -> String? {
    units.service.text.split(separator: "\n").first { $0.hasPrefix(start) }.map(String.init)
  }

  @Test func `a path with any characters reaches the service unchanged`() {
    let units = UserUnits.fetching(
      program: "/a b/$x/%h/\"q\"/\\/vmx-fetch", feed: "/a b/$x/vmx-feed", environment: [:])
    #expect(
      line("ExecStart=", of: units)
        == #"ExecStart="/a b/$$x/%%h/\"q\"/\\/vmx-fetch" --due --quiet"#)
    // A feed that fails does not stop the fetch.
    #expect(
      line("ExecStartPre=", of: units)
        == #"ExecStartPre=-"/a b/$$x/vmx-feed" update --quiet"#)
  }

  @Test func `the variables of the library are passed on, and no proxy`() {
    let units = UserUnits.fetching(
      program: "/vmx-fetch", feed: "/vmx-feed",
      environment: ["VMX_HOME": "/l\nm", "http_proxy": "http://u:p@x", "VMX_CONFIG": ""])
    #expect(line("Environment=", of: units) == #"Environment="VMX_HOME=/l\x0am""#)
    #expect(!units.service.text.contains("proxy"))
    #expect(!units.service.text.contains("VMX_CONFIG"))
  }

  @Test func `a service without a timer belongs to the graphical session`() {
    let units = UserUnits.following(program: "/usr/bin/vmx-mark", environment: [:])
    #expect(units.all.map(\.name) == ["vmx-mark.service"])
    #expect(units.enabled == units.service)
    #expect(line("WantedBy=", of: units) == "WantedBy=graphical-session.target")
    #expect(line("ExecStart=", of: units) == "ExecStart=\"/usr/bin/vmx-mark\" --follow --quiet")
  }

  @Test func `the units of an installation are those that vmx writes for it`() throws {
    let tools = "@prefix@/libexec/vmx"
    let units: [UserUnits] = [
      .fetching(program: "\(tools)/vmx-fetch", feed: "\(tools)/vmx-feed", environment: [:]),
      .cleaning(program: "\(tools)/vmx-clean", environment: [:]),
      .following(program: "\(tools)/vmx-mark", environment: [:]),
    ]
    var folder = FilePath(#filePath)
    for _ in 1...4 { folder.removeLastComponent() }
    folder = folder.pushing("Sources/Packaging/Units")
    // Only the comment in the first line says who wrote it.
    func lines(_ text: String) -> ArraySlice<Substring> {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    }
    for unit in units.flatMap(\.all) {
      let file = folder.appending(unit.name)
      let bytes = try #require(try RegularFile.prefixIfPresent(of: file, upTo: 64 << 10))
      #expect(lines(String(decoding: bytes, as: UTF8.self)) == lines(unit.text))
    }
  }
}
