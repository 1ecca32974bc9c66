import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxDesktop

struct ParentalLockTests {
  private let folder: ScratchFolder
  private let clock = FixedClock()
  private let home: LibraryHome
  private let pin: PIN

  init() throws {
    folder = try ScratchFolder()
    home = LibraryHome(folder.path("home"))
    pin = try PIN(Array("4711".utf8))
  }

  private func ticket(_ session: String = "login 1") -> UnlockTicket? {
    UnlockTicket(of: home, runtime: folder.path.string, session: LoginSession(name: session))
  }

  private func lock() throws -> ParentalLock {
    ParentalLock(try LibraryStore.open(home, clock: clock), unlockTicket: ticket(), clock: clock)
  }

  private func settings() throws -> ParentalSettings { try #require(try lock().settings()) }

  private func reading(_ change: (inout ClockReading) -> Void = { _ in }) -> ClockReading {
    var reading = ClockReading.now(clock)
    change(&reading)
    return reading
  }

  @Test func `the files of the PIN have mode 0600 and do not contain it`() throws {
    try lock().set(limit: 12, unrated: .hide, helper: nil, pin: pin)
    for path in [home.pin, home.pinAttempts] {
      var status = stat()
      #expect(lstat(path.string, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
    #expect(try !folder.text("home/pin.json").contains("4711"))
    #expect(try !folder.text("home/store.jsonl").contains("4711"))
  }

  @Test func `a limit changed without the PIN is reported when the PIN is entered`() throws {
    try lock().set(limit: 12, unrated: .hide, helper: "/bin/true", pin: pin)
    var unchanged = try settings()
    #expect(try lock().verify(pin, &unchanged))
    for (field, value) in [
      ("limit", "18"), ("seal", #""junk""#), ("unrated", #""show""#), ("helper", #""/bin/false""#),
      ("reset", #""2026-01-01T00:00:00.000Z""#),
    ] {
      let text = try folder.text("home/pin.json")
      var object = try #require(try JSONObjectText.fields(of: text))
      object[field] = value
      try folder.write("home/pin.json", JSONObjectText.text(object))
      var changed = try settings()
      #expect(try !lock().verify(pin, &changed), "\(field)")
      try folder.write("home/pin.json", text)
    }
  }

  @Test func `a removed PIN file is reported, even after a new PIN was set`() throws {
    try lock().set(limit: 12, unrated: .hide, helper: nil, pin: pin)
    #expect(try !lock().status().isRemovedWithoutPIN)
    #expect(unlink(home.pin.string) == 0)
    #expect(try lock().status().isRemovedWithoutPIN)
    try lock().set(limit: 18, unrated: .show, helper: nil, pin: PIN(Array("0815".utf8)))
    #expect(try settings().reset == clock.now)
    try lock().set(limit: 16, unrated: .show, helper: nil, pin: pin)
    #expect(try settings().reset == clock.now)
    try lock().remove()
    #expect(try lock().status() == LockStatus())
    try lock().set(limit: 12, unrated: .hide, helper: nil, pin: pin)
    #expect(try settings().reset == nil)
  }

  @Test func `a ticket is valid for its time, its boot, its session and its PIN`() throws {
    try lock().set(limit: 12, unrated: .hide, helper: nil, pin: pin)
    let settings = try self.settings()
    try lock().unlock(for: 60_000, settings)
    let ticket = try #require(self.ticket())
    #expect(ticket.remaining(for: settings, now: reading()) > 50_000)
    #expect(ticket.remaining(for: settings, now: reading { $0.sinceBoot += 60_001 }) == 0)
    #expect(ticket.remaining(for: settings, now: reading { $0.boot = "other" }) == 0)
    #expect(ticket.remaining(for: settings, now: reading { $0.sinceBoot -= 10_000 }) == 0)
    let other = try #require(self.ticket("login 2"))
    #expect(other.remaining(for: settings, now: reading()) == 0)
    try lock().set(limit: 12, unrated: .hide, helper: nil, pin: pin)
    #expect(try ticket.remaining(for: self.settings(), now: reading()) == 0)
  }

  @Test func `no ticket is stored in a folder that other users may enter`() throws {
    #expect(chmod(folder.path.string, 0o755) == 0)
    #expect(ticket() == nil)
    #expect(chmod(folder.path.string, 0o700) == 0)
    #expect(UnlockTicket(of: home, runtime: nil) == nil)
    #expect(UnlockTicket(of: home, runtime: "relative") == nil)
    #expect(UnlockTicket(of: home, runtime: folder.path("none").string) == nil)
  }
}

/// The fields of a flat JSON object as texts, for editing a file as a user does.
private enum JSONObjectText {
  static func fields(of text: String) throws -> [String: String]? {
    guard text.hasPrefix("{"), let end = text.lastIndex(of: "}") else { return nil }
    var fields: [String: String] = [:]
    for field in text[text.index(after: text.startIndex)..<end].split(separator: ",\"") {
      guard let mark = field.firstRange(of: "\":") else { continue }
      let key = String(field[..<mark.lowerBound].filter { $0 != "\"" })
      fields[key] = String(field[mark.upperBound...])
    }
    return fields
  }

  static func text(_ fields: [String: String]) -> String {
    "{" + fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }
}
