import Testing
import VmxLibrary
import VmxModel

@testable import VmxTransfer

@Suite struct ValidatorsTests {
  private static let early = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let later = "Sun, 06 Nov 1994 08:50:37 GMT"
  private static let soon = "Sun, 06 Nov 1994 08:50:36 GMT"

  private func made(_ etag: String?, _ modified: String? = nil, _ date: String? = nil)
    -> Validators
  {
    Validators(etag: etag, lastModified: modified, date: date)
  }

  @Test func `a strong tag is a strong validator`() {
    #expect(made("\"a\"").strong == "\"a\"")
  }

  @Test(arguments: ["W/\"a\"", "a", "\"", "", "\"\""])
  func `a weak or malformed tag is not a strong validator`(_ tag: String) {
    #expect(made(tag).strong == nil)
  }

  @Test func `a date is strong if it is at least a minute before the response`() {
    #expect(made(nil, Self.early, Self.later).strong == Self.early)
    #expect(made(nil, Self.early, Self.soon).strong == nil)
    #expect(made(nil, Self.early, nil).strong == nil)
  }

  @Test func `a weak tag makes a date weak`() {
    #expect(made("W/\"a\"", Self.early, Self.later).strong == nil)
  }

  @Test(arguments: [
    ("\"a\"", "\"a\"", Validators.Agreement.same), ("\"a\"", "\"b\"", .different),
    ("W/\"a\"", "W/\"a\"", .unknown), ("W/\"a\"", "\"a\"", .different),
  ])
  func `tags match if they are strong and equal`(
    _ left: String, _ right: String, _ agreement: Validators.Agreement
  ) {
    #expect(made(left).agreement(with: made(right)) == agreement)
  }

  @Test func `a date beside equal tags is ignored`() {
    let known = made("W/\"a\"", Self.early)
    #expect(known.agreement(with: made("W/\"a\"", Self.later)) == .unknown)
  }

  @Test func `dates equal to those of the responses are no evidence`() {
    let known = made(nil, Self.early, Self.early)
    #expect(known.agreement(with: made(nil, Self.later, Self.later)) == .unknown)
    #expect(known.agreement(with: made(nil, Self.later, Self.soon)) == .different)
  }

  @Test func `dates are compared as text`() {
    let known = made(nil, Self.early, Self.later)
    #expect(known.agreement(with: made(nil, Self.early)) == .same)
    #expect(known.agreement(with: made(nil, Self.soon)) == .different)
    #expect(known.agreement(with: made(nil, "Sunday, 06-Nov-94 08:49:37 GMT")) == .different)
    #expect(known.agreement(with: made(nil)) == .unknown)
  }
}
