@testable import VmxLibrary
import SystemPackage
import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@Suite struct ShowSidecarTests {
  private let library: ScratchLibrary
  private let root: MediaRoot

  init() throws {
    library = try ScratchLibrary()
    root = try library.mediaRoots.forNewFiles()
  }

  private func put(_ change: (inout LibraryShow) -> Void = { _ in }) throws {
    var show = LibraryShow(slug: "show", title: "Show")
    change(&show)
    let fields = show.record
    _ = try library.store.update(.durable) {
      $0.write(StoredRecord(kind: .show, id: "show", fields: fields))
    }
  }

  private func read() throws -> ShowSidecar {
    try ShowSidecar(of: try #require(Slug(valid: "show")), below: root.folder)
  }

  /// Returns what the sidecar restores in the store, whose last line has a number.
  private func restored(lastRev: Int64, mayRate: Bool = true) throws -> RecordedShow? {
    try read().restoring(
      RecordedShow("show", in: library.store.snapshot()), lastRev: lastRev,
      now: library.clock.now, mayRate: mayRate)
  }

  @Test func `it has the record and the mark, and is written once`() throws {
    try put { $0.keepNext = 3 }
    try library.store.update(.durable) {
      _ = try $0.addFavourite(LibraryShow(slug: "show", title: "Show"), now: library.clock.now)
    }
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    let recorded = try #require(try read().recorded)
    #expect(recorded.show?.keepNext == 3 && recorded.favourite?.added == library.clock.now)
    #expect(try !read().isOutdated(for: RecordedShow("show", in: library.store.snapshot())))
    #expect(try !ShowSidecar.write("show", to: root, in: library.store))
  }

  @Test(arguments: ["../show", "a/b", ".", "..", "", "Show", "a\0b"])
  func `a slug that is no name leads to no file`(slug: String) throws {
    _ = try library.store.update(.durable) {
      $0.write(StoredRecord(kind: .show, id: slug, fields: JSONObject()))
    }
    #expect(try !ShowSidecar.write(slug, to: root, in: library.store))
  }

  @Test func `a record that cannot be decoded writes nothing poorer`() throws {
    try put { $0.summary = "Words" }
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    let broken = JSONObject(distinct: [("title", 7)])
    _ = try library.store.update(.durable) {
      $0.write(StoredRecord(kind: .show, id: "show", fields: broken))
    }
    #expect(throws: Failure.self) {
      try ShowSidecar.write("show", to: root, in: library.store)
    }
    ShowSidecar.refresh("show", on: library.mediaRoots)
    #expect(try read().recorded?.show?.summary == "Words")
  }

  @Test func `only an existing sidecar is refreshed`() throws {
    try put()
    ShowSidecar.refresh("show", on: library.mediaRoots)
    #expect(try !read().exists)
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    try put { $0.summary = "Words" }
    ShowSidecar.refresh("show", on: library.mediaRoots)
    #expect(try read().recorded?.show?.summary == "Words")
  }

  @Test func `a line that the store has lost is restored whole`() throws {
    library.clock.advance(milliseconds: 1000)
    try put { $0.title = "Later" }
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    let rev = try RecordedShow("show", in: library.store.snapshot()).rev
    // The home is as it was before.
    let earlier = RecordedShow(
      "show", LibraryShow(slug: "show", title: "Show"), favourite: nil, rev: rev - 1,
      at: library.clock.now.adding(milliseconds: -1000))
    func restored(lastRev: Int64, at now: Timestamp) throws -> RecordedShow? {
      try read().restoring(earlier, lastRev: lastRev, now: now, mayRate: true)
    }
    #expect(try restored(lastRev: rev - 1, at: library.clock.now)?.show?.title == "Later")
    #expect(try restored(lastRev: rev, at: library.clock.now) == nil)
    let before = library.clock.now.adding(milliseconds: -7_200_000)
    #expect(try restored(lastRev: rev - 1, at: before) == nil)
  }

  @Test func `of two values of a person the later one holds`() throws {
    let now = library.clock.now
    try put {
      ($0.title, $0.by[show: .title]) = ("Own", .person)
      $0.by.set(show: .title, at: now)
      ($0.keepNext, $0.ageRating) = (4, AgeRating("6"))
      $0.by.set(show: .keepNext, at: now)
      $0.by.set(show: .ageRating, at: now)
    }
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    // A feed has described the show in the older home since.
    try put { ($0.summary, $0.ageRating) = ("Words", AgeRating("18")) }
    let found = try #require(try restored(lastRev: .max)?.show)
    #expect(found.title == "Own" && found.by[show: .title] == .person && found.keepNext == 4)
    #expect(found.summary == "Words" && found.earlierTitles == ["Show"])
    #expect(found.ageRating == AgeRating("6"))
    #expect(try restored(lastRev: .max, mayRate: false)?.show?.ageRating == AgeRating("18"))
    // It is not overwritten before that.
    #expect(try !ShowSidecar.write("show", to: root, in: library.store))
    try put {
      $0.title = "Last"
      for field in LibraryShow.fieldsOfUser {
        $0.by.set(show: field, at: now.adding(milliseconds: 1))
      }
    }
    #expect(try restored(lastRev: .max) == nil)
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
  }

  @Test func `a first day that only the episodes tell makes no sidecar outdated`() throws {
    try put()
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    try put { ($0.premiered, $0.by[show: .premiered]) = (CalendarDay("2020-01-01"), .name) }
    #expect(try !read().isOutdated(for: RecordedShow("show", in: library.store.snapshot())))
    try put { $0.premiered = CalendarDay("2020-01-01") }
    #expect(try read().isOutdated(for: RecordedShow("show", in: library.store.snapshot())))
  }

  @Test func `a renamed show takes its sidecar along`() throws {
    try put()
    #expect(try ShowSidecar.write("show", to: root, in: library.store))
    let fields = LibraryShow(slug: "new", title: "New").record
    try library.store.update(.durable) {
      $0.delete(.show, "show")
      $0.write(StoredRecord(kind: .show, id: "new", fields: fields))
    }
    ShowSidecar.move("show", to: "new", on: library.mediaRoots)
    #expect(try ShowSidecar.slugs(in: root).map(\.description) == ["new"])
  }
}
