import Synchronization
import SystemPackage
import Testing
import VmxDesktop
import VmxModel
import VmxSystem
import VmxTestSupport

struct UnitInstallerTests {
  /// Records its arguments; throws if configured to.
  private final class FakeUnitControl: UnitControl {
    let words = Mutex<[[String]]>([])
    let isAway: Bool

    init(isAway: Bool = false) { self.isAway = isAway }

    func perform(_ words: [String]) throws(Failure) {
      self.words.withLock { $0.append(words) }
      if isAway { throw Failure(.userManagerAway, "as told") }
    }
  }

  private let scratch: ScratchFolder
  private let units = UserUnits.fetching(
    program: "/bin/vmx-fetch", feed: "/bin/vmx-feed", environment: [:])

  init() throws {
    scratch = try ScratchFolder()
  }

  private func timer(_ control: FakeUnitControl) -> UnitInstaller {
    UnitInstaller(folder: scratch.path.appending("units"), units: units, manager: control)
  }

  private func isThere(_ name: String) throws -> Bool {
    try FileFacts.of(scratch.path.appending("units").appending(name)) != nil
  }

  @Test func `each file is reported once written, and a second run changes nothing`() throws {
    var changes: [Bool] = []
    for _ in 1...2 {
      try timer(FakeUnitControl()).install(isDryRun: false) { changes.append($0.isChanged) }
    }
    #expect(changes == [true, true, false, false])
    #expect(try scratch.text("units/vmx-fetch.service") == units.service.text)
  }

  @Test func `an outdated unit is updated`() throws {
    try timer(FakeUnitControl()).install(isDryRun: false) { _ in }
    try scratch.write("units/vmx-fetch.timer", units.mark + " and more\n")
    var changes: [Bool] = []
    try timer(FakeUnitControl()).install(isDryRun: false) { changes.append($0.isChanged) }
    #expect(changes == [false, true])
    #expect(try scratch.text("units/vmx-fetch.timer") == units.timer?.text)
  }

  @Test func `a dry run writes nothing and calls no systemctl`() throws {
    let control = FakeUnitControl()
    try timer(control).install(isDryRun: true) { _ in }
    _ = try timer(control).uninstall(isDryRun: true) { _ in }
    #expect(control.words.withLock { $0.isEmpty })
    #expect(try !isThere("vmx-fetch.timer"))
  }

  @Test func `without a user manager the files are still written, and removed`() throws {
    let away = FakeUnitControl(isAway: true)
    #expect(throws: Failure.self) { try timer(away).install(isDryRun: false) { _ in } }
    #expect(try isThere("vmx-fetch.timer"))
    let problem = try timer(away).uninstall(isDryRun: false) { _ in }
    #expect(problem?.code == .userManagerAway)
    #expect(try !isThere("vmx-fetch.timer"))
    #expect(try !isThere("vmx-fetch.service"))
  }

  @Test func `without installed units systemctl is not called to remove them`() throws {
    let control = FakeUnitControl(isAway: true)
    #expect(try timer(control).uninstall(isDryRun: false) { _ in } == nil)
    #expect(control.words.withLock { $0.isEmpty })
  }

  @Test func `a foreign unit stops the installation before anything is changed`() throws {
    try scratch.makeFolder("units")
    try scratch.write("units/vmx-fetch.timer", "[Timer]\n")
    let failure = #expect(throws: Failure.self) {
      try timer(FakeUnitControl()).install(isDryRun: false) { _ in }
    }
    #expect(failure?.code == .nameTaken)
    #expect(try !isThere("vmx-fetch.service"))
    #expect(throws: Failure.self) {
      try timer(FakeUnitControl()).uninstall(isDryRun: false) { _ in }
    }
  }
}
