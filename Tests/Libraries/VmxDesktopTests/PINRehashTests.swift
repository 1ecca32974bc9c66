import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxDesktop

struct PINRehashTests {
  private let folder: ScratchFolder
  private let home: LibraryHome
  private let pin: PIN

  init() throws {
    folder = try ScratchFolder()
    home = LibraryHome(folder.path("home"))
    pin = try PIN(Array("4711".utf8))
  }

  private func lock(cost: UInt) throws -> ParentalLock {
    let clock = FixedClock()
    var lock = ParentalLock(
      try LibraryStore.open(home, clock: clock), unlockTicket: nil, clock: clock)
    lock.cost = cost
    return lock
  }

  private func set(cost: UInt) throws -> ParentalSettings {
    let lock = try lock(cost: cost)
    try lock.set(limit: 12, unrated: .hide, helper: nil, pin: pin)
    return try #require(try lock.settings())
  }

  @Test func `a right PIN is rehashed if the cost of new hashes has risen`() throws {
    var settings = try set(cost: 1)
    let old = settings
    #expect(try lock(cost: 2).verify(pin, &settings))
    #expect(settings.hash != old.hash && settings.seal != old.seal)
    #expect(try lock(cost: 2).settings() == settings)
    #expect(!PINHash.isCheaper(settings.hash, than: 2))
    #expect((settings.limit, settings.set) == (old.limit, old.set))
    #expect(try lock(cost: 2).status().failures == 0)
    let stronger = settings
    #expect(try lock(cost: 2).verify(pin, &settings))
    #expect(settings == stronger)
  }

  @Test func `a wrong PIN does not change the hash`() throws {
    var settings = try set(cost: 1)
    let old = settings
    let wrong = try PIN(Array("8362".utf8))
    #expect(throws: Failure.self) { _ = try lock(cost: 2).verify(wrong, &settings) }
    #expect(try lock(cost: 2).settings() == old)
    #expect(try lock(cost: 2).status().failures == 1)
  }

  @Test func `a hash is never replaced by a cheaper one, or by one of another method`() throws {
    var settings = try set(cost: 2)
    let old = settings
    #expect(try lock(cost: 1).verify(pin, &settings))
    #expect(settings == old)
    #expect(!PINHash.isCheaper("$6$rounds=5000$salt$hash", than: 2))
    #expect(!PINHash.isCheaper("", than: 2))
    #expect(!PINHash.isCheaper("$y$", than: 2))
  }

  @Test func `a limit changed without the PIN is not sealed by a new hash`() throws {
    _ = try set(cost: 1)
    let text = try folder.text("home/pin.json")
    try folder.write("home/pin.json", text.replacing(#""limit":12"#, with: #""limit":18"#))
    var settings = try #require(try lock(cost: 2).settings())
    #expect(try !lock(cost: 2).verify(pin, &settings))
    #expect(!PINHash.isCheaper(settings.hash, than: 2))
    #expect(try !lock(cost: 2).verify(pin, &settings))
  }

  @Test func `a PIN that another process has set meanwhile is not overwritten`() throws {
    var old = try set(cost: 1)
    // The old hash is verified, although the file contains another PIN by now.
    let lock = try lock(cost: 2)
    try lock.set(limit: 6, unrated: .show, helper: nil, pin: PIN(Array("8362".utf8)))
    let new = try lock.settings()
    #expect(try lock.verify(pin, &old))
    #expect(try lock.settings() == new)
  }

  @Test func `an unwritable new hash does not fail the check`() throws {
    var settings = try set(cost: 1)
    let old = settings
    // A folder at the path of the file is neither read nor replaced.
    let path = home.pin.string
    #expect(rename(path, folder.path("aside").string) == 0 && mkdir(path, 0o700) == 0)
    #expect(try lock(cost: 2).verify(pin, &settings))
    #expect(settings == old)
  }
}
