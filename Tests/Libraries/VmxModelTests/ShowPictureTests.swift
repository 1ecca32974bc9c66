import Testing
import VmxModel

@Suite struct ShowPictureTests {
  private let now = Timestamp(seconds: 1_700_000_000)
  private var picture = ShowPicture(url: "https://example.org/a.jpg", isForeign: true)
  private let one: Digest
  private let two: Digest

  init() throws {
    one = try #require(Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32)))
    two = try #require(Digest(.sha256, bytes: [UInt8](repeating: 2, count: 32)))
  }

  private func days(_ count: Int64) -> Timestamp { now.adding(milliseconds: count * 86_400_000) }

  private var fetched: ShowPicture {
    var picture = picture
    picture.succeed(Validators(etag: "\"1\""), at: now)
    return picture
  }

  @Test func `a picture is requested once`() {
    #expect(picture.request(isMissing: true, isDescribedAgain: false, at: now) == .full)
    #expect(fetched.request(isMissing: false, isDescribedAgain: false, at: days(9)) == .none)
    #expect(fetched.request(isMissing: true, isDescribedAgain: false, at: now) == .full)
  }

  @Test func `a changed feed asks for another content, at most once a day`() {
    #expect(fetched.request(isMissing: false, isDescribedAgain: true, at: now) == .none)
    #expect(fetched.request(isMissing: false, isDescribedAgain: true, at: days(2)) == .ifChanged)
    var plain = fetched
    plain.validators = Validators()
    #expect(plain.request(isMissing: false, isDescribedAgain: true, at: days(2)) == .none)
  }

  @Test func `without an address nothing is requested`() {
    let file = ShowPicture(url: "", isForeign: false)
    #expect(file.request(isMissing: true, isDescribedAgain: true, at: now) == .none)
  }

  @Test func `the wait after failures grows to a week`() {
    var picture = picture
    picture.fail(at: now)
    #expect(picture.request(isMissing: true, isDescribedAgain: true, at: now) == .none)
    #expect(picture.request(isMissing: true, isDescribedAgain: true, at: days(1)) == .full)
    for _ in 0..<20 { picture.fail(at: now) }
    #expect(picture.request(isMissing: true, isDescribedAgain: true, at: days(6)) == .none)
    #expect(picture.request(isMissing: true, isDescribedAgain: true, at: days(7)) == .full)
    // Recorded by a wrong clock.
    picture.fail(at: days(1000))
    #expect(picture.request(isMissing: true, isDescribedAgain: true, at: now) == .full)
  }

  @Test func `another address is requested at once, and the file stays until then`() {
    var picture = fetched
    picture.record(one, file: "poster.jpg", type: "image/jpeg")
    picture.fail(at: now)
    picture.take(ShowPicture(url: "https://example.org/b.jpg", isForeign: false))
    #expect(picture.request(isMissing: false, isDescribedAgain: false, at: now) == .full)
    #expect(picture.file == "poster.jpg")
    #expect(picture.isOwn(one))
    #expect(!picture.isForeign)
  }

  @Test func `the file before the last one is of vmx too, and no other one`() {
    var picture = picture
    picture.record(one, file: "poster.jpg", type: "image/jpeg")
    #expect(picture.isOwn(one) && !picture.isOwn(two))
    picture.record(two, file: "poster.png", type: "image/png")
    picture.record(two, file: "poster.png", type: "image/png")
    #expect(picture.isOwn(one) && picture.isOwn(two))
    picture.isAdopted = true
    #expect(!picture.isOwn(one) && !picture.isOwn(two))
  }

  @Test func `a file of the user keeps the picture of a feed away while it is there`() {
    var picture = picture
    picture.isAdopted = true
    #expect(picture.request(isMissing: false, isDescribedAgain: true, at: now) == .none)
    #expect(picture.request(isMissing: true, isDescribedAgain: true, at: now) == .full)
  }

  @Test func `a record has all fields of a picture`() throws {
    var show = LibraryShow(slug: "girls", title: "Girls")
    var picture = fetched
    picture.record(one, file: "poster.jpg", type: "image/jpeg")
    picture.fail(at: now)
    show.picture = picture
    #expect(try LibraryShow(show.record, slug: "girls").picture == picture)
  }
}
