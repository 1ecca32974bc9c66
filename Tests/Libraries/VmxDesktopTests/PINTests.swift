import Testing
import VmxModel
import VmxTestSupport

@testable import VmxDesktop

struct PINTests {
  private func pin(_ digits: String) throws -> PIN { try PIN(Array(digits.utf8)) }

  @Test(arguments: ["", "123", "1234567890123", "12a4", "12 4", "１２３４", "12\u{0}4"])
  func `a PIN is four to twelve digits`(text: String) {
    #expect(code { _ = try PIN(Array(text.utf8)) } == .usage)
  }

  @Test func `PINs that are commonly guessed are weak`() throws {
    for digits in ["0000", "1234", "9876", "111111"] { #expect(try pin(digits).isWeak) }
    for digits in ["1235", "1357", "0001", "4711"] { #expect(try !pin(digits).isWeak) }
  }

  @Test func `only the right PIN matches the hash`() throws {
    let hash = try PINHash.make(pin("4711"))
    #expect(hash.hasPrefix("$y$"))
    #expect(try PINHash.matches(pin("4711"), hash))
    #expect(try !PINHash.matches(pin("4712"), hash))
    #expect(try !PINHash.matches(pin("47110"), hash))
    #expect(try PINHash.make(pin("4711")) != hash)
  }

  @Test func `a hash covers its associated text`() throws {
    let hash = try PINHash.make(pin("4711"), and: "12 hide")
    #expect(try PINHash.matches(pin("4711"), and: "12 hide", hash))
    #expect(try !PINHash.matches(pin("4711"), and: "18 hide", hash))
    #expect(try !PINHash.matches(pin("4711"), hash))
  }

  @Test(arguments: ["", "*0", "*", "x", "$y$", "$0$abc", "no hash at all"])
  func `an invalid hash is an error and never matches`(stored: String) throws {
    #expect(code { _ = try PINHash.matches(try pin("4711"), stored) } == .resourcesShort)
  }

  @Test func `the comparison reads all bytes of both texts`() {
    let hash = Array("$y$j9T$abc".utf8)
    #expect(PINHash.areEqual(hash, hash))
    #expect(PINHash.areEqual([], []))
    for place in hash.indices {
      var other = hash
      other[place] ^= 0x20
      #expect(!PINHash.areEqual(hash, other))
    }
    #expect(!PINHash.areEqual(hash, Array(hash.dropLast())))
    #expect(!PINHash.areEqual(Array(hash.dropLast()), hash))
    #expect(!PINHash.areEqual(hash, hash + [0]))
  }
}
