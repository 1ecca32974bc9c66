import Testing
import VmxDesktop

struct TimerUnitsTests {
  private func line(_ start: String, of units: TimerUnits) -> String? {
    units.service.text.split(separator: "\n").first { $0.hasPrefix(start) }.map(String.init)
  }

  @Test func `a path of any letters reaches the service as it is`() {
    let units = TimerUnits.fetching(program: "/a b/$x/%h/\"q\"/\\/vmx-fetch", environment: [:])
    #expect(
      line("ExecStart=", of: units)
        == #"ExecStart="/a b/$$x/%%h/\"q\"/\\/vmx-fetch" --due --quiet"#)
  }

  @Test func `what says where the library is comes along, and no proxy`() {
    let units = TimerUnits.fetching(
      program: "/vmx-fetch",
      environment: ["VMX_HOME": "/l\nm", "http_proxy": "http://u:p@x", "VMX_CONFIG": ""])
    #expect(line("Environment=", of: units) == #"Environment="VMX_HOME=/l\x0am""#)
    #expect(!units.service.text.contains("proxy"))
    #expect(!units.service.text.contains("VMX_CONFIG"))
  }
}
