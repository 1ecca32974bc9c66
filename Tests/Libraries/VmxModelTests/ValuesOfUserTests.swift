import Testing
import VmxModel
import VmxTestSupport

struct ValuesOfUserTests {
  private func episode() throws -> Episode {
    Episode(
      id: try EpisodeID("show/a"), title: "A", showTitle: "Show", added: Timestamp(seconds: 0),
      parts: [])
  }

  private func titled(_ title: String, at seconds: Int64, from before: Episode) -> Episode {
    var episode = before
    episode.title = title
    episode.by[.title] = .person
    episode.recordTimes(ofValuesSince: before, at: Timestamp(seconds: seconds))
    return episode
  }

  @Test func `the times of values are read as they were written`() throws {
    let episode = try titled("Own", at: 9, from: episode())
    let read = try Episode(record: episode.record, id: episode.id, rev: 0)
    #expect(read.by == episode.by)
    #expect(read.by.time(of: .title) == Timestamp(seconds: 9))
    #expect(read.by[.title] == .person)
  }

  // Regression: the undo of a migration kept the number that it had filled in a record that the
  // user had added.
  @Test func `a missing value that a weaker source fills is not of the person`() throws {
    var before = try episode()
    before.by = FieldOrigins(.person)
    var filled = before
    filled.number = 2
    filled.by[.number] = .name
    filled.recordTimes(ofValuesSince: before, at: Timestamp(seconds: 9))
    #expect(filled.by.time(of: .number) == nil)
    var undone = filled
    undone.restoreDescription(from: before, keepingValuesSince: Timestamp(seconds: 5))
    #expect(undone == before)
  }

  // Regression: a title that the user gave twice was the first one after the restore of a home.
  @Test(arguments: [false, true])
  func `the later value of a person holds, whichever record is newer`(isNewer: Bool) throws {
    let first = try titled("First", at: 5, from: episode())
    let last = titled("Last", at: 9, from: first)
    for (one, other) in [(first, last), (last, first)] {
      var taken = one
      taken.takeValues(of: other, isNewer: isNewer) { _ in true }
      #expect(taken.title == "Last")
    }
  }

  @Test func `a value that a wrong clock has stamped is not taken`() throws {
    let before = try episode()
    var taken = before
    taken.takeValues(of: titled("Own", at: 9, from: before), isNewer: true) { _ in false }
    #expect(taken == before)
  }

  @Test(arguments: [false, true])
  func `a value without a time is taken from a newer record`(isNewer: Bool) throws {
    let before = try episode()
    var other = before
    other.title = "Own"
    other.by[.title] = .person
    var taken = before
    taken.takeValues(of: other, isNewer: isNewer) { _ in true }
    #expect(taken.title == (isNewer ? "Own" : "A"))
  }

  @Test func `the last word on keeping holds`() throws {
    var kept = try episode()
    kept.isKept = true
    kept.recordTimes(ofValuesSince: try episode(), at: Timestamp(seconds: 5))
    var released = kept
    released.isKept = false
    released.recordTimes(ofValuesSince: kept, at: Timestamp(seconds: 9))
    var taken = kept
    taken.takeValues(of: released, isNewer: false) { _ in true }
    #expect(!taken.isKept)
  }

  // Regression: a request was only in the home, and lost with it.
  @Test func `a request holds if it is later than the removal`() throws {
    var removed = try episode()
    removed.want = .gone
    removed.removal = EpisodeRemoval(at: Timestamp(seconds: 5), tool: "vmx-rm", reason: .byHand)
    var requested = removed
    try requested.add(now: Timestamp(seconds: 9))
    var taken = removed
    taken.takeValues(of: requested, isNewer: false) { _ in true }
    #expect(taken.want == .fetch)
    var later = removed
    later.removal?.at = Timestamp(seconds: 20)
    later.takeValues(of: requested, isNewer: true) { _ in true }
    #expect(later.want == .gone)
  }

  // Regression: the undo of an import took back what the user had corrected since.
  @Test func `an undo keeps what a person has set since`() throws {
    let before = try episode()
    var imported = before
    (imported.title, imported.summary) = ("Imported", "Imported.")
    var undone = titled("Own", at: 9, from: imported)
    undone.restoreDescription(from: before, keepingValuesSince: Timestamp(seconds: 5))
    #expect(undone.title == "Own" && undone.by[.title] == .person)
    #expect(undone.summary == nil)
  }
}
