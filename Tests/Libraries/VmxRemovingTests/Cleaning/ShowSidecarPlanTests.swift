@testable import VmxRemoving
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@Suite struct ShowSidecarPlanTests {
  private let library: CleaningLibrary
  private let path = "media/.vmx/shows/t.json"

  init() throws {
    library = try CleaningLibrary()
  }

  private func put(_ show: LibraryShow) throws {
    _ = try library.store.update(.durable) {
      $0.write(StoredRecord(kind: .show, id: show.slug, fields: show.record))
    }
  }

  @Test func `the sidecar of a show is written where the show has files`() throws {
    try put(LibraryShow(slug: "t", title: "T"))
    #expect(try library.steps().isEmpty)
    try library.scratch.write("media/Show/a.mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4")
    let steps = try library.steps()
    #expect(steps.map(\.kind) == [.writeShow])
    #expect(steps.map(\.id) == [".vmx/shows/t.json"])
    #expect(try library.perform(steps) == [.done])
    #expect(try library.scratch.text(path).contains(#""title":"T""#))
    #expect(try library.steps().isEmpty)
    try put(LibraryShow(slug: "t", title: "New"))
    #expect(try library.steps().map(\.kind) == [.writeShow])
  }

  @Test func `the sidecar of a show that the store does not know goes when it is old`() throws {
    try library.scratch.write(path, #"{"schema":1,"id":"t","record":{"title":"T"}}"#)
    #expect(try library.steps().isEmpty)
    // The new line shows that the clock is right.
    library.clock.advance(milliseconds: 3_000_000_000_000)
    try put(LibraryShow(slug: "other", title: "Other"))
    // It is needed as long as the sidecar of an episode may restore one.
    try library.scratch.write(
      "media/.vmx/records/t~a.json", #"{"id":"t/a","record":{"parts":"none"}}"#)
    #expect(try library.steps().isEmpty)
    try RegularFile.remove(library.scratch.path("media/.vmx/records/t~a.json"))
    let steps = try library.steps()
    #expect(steps.map(\.kind) == [.dropSidecar])
    try put(LibraryShow(slug: "t", title: "T"))
    #expect(try library.perform(steps).first?.failure?.code == .planChanged)
    #expect(try library.isThere(path))
  }

  // After a broken line was mended, a feed would describe the show anew and replace the sidecar.
  @Test func `a record that the store has lost is restored for a show with episodes`() throws {
    try library.scratch.write(
      path, #"{"schema":1,"id":"t","rev":1,"record":{"title":"T","keep_next":3}}"#)
    func takenOver() throws -> Int {
      try NewerMedia(library.again(), now: library.clock.now).takeOver().shows
    }
    #expect(try takenOver() == 0)
    try library.scratch.write("media/Show/a.mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4")
    #expect(try takenOver() == 1)
    #expect(try library.again().snapshot().show("t")?.keepNext == 3)
    #expect(try takenOver() == 0)
  }

  @Test func `a step writes no file but the sidecar of a show`() throws {
    for path in [".vmx/records/t~a.json", ".vmx/shows/../../t.json", ".vmx/shows/T.json"] {
      let step = CleaningStep(
        .writeShow(root: library.root.uuid, PathBytes(path)), explanation: "")
      #expect(try library.perform([step]).first?.failure?.code == .planChanged)
    }
  }
}
