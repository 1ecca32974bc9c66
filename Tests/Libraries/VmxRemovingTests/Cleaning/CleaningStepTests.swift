import Testing
import VmxModel
import VmxRemoving

@Suite struct CleaningStepTests {
  private func row(_ step: CleaningStep) -> JSONObject {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("id", step.id)
    for field in step.fields.fields { object.append(field.key, field.value) }
    return object
  }

  @Test func `a step is read back as it was written`() throws {
    let episode = EpisodeRevision(try EpisodeID("t/a"), rev: 7)
    let part = RecordedPart("video", of: episode, root: "r", path: PathBytes("a.mp4"))
    let mark = FileMark(size: 5, modified: 1_795_313_031_276_463_203, inode: .max)
    let (path, id) = (PathBytes([0x61, 0xFF]), episode.id)
    let file = PlannedFile(root: "s", path: path, mark: mark)
    let digest = try #require(Digest(.sha256, hex: String(repeating: "ab", count: 32)))
    let actions: [CleaningAction] = [
      .reachRoot("r"), .unreadable(root: "r", path), .unreadableCache("/c"),
      .finishRemoval(EpisodeRevision(id, rev: nil)), .expire(episode, .revoked),
      .remove(episode, .space, isPermanent: true), .request(episode), .recordMissing(part),
      .recordMoved(part, to: file), .recordLost(episode, root: "r"),
      .rename(part, target: path, nil), .moveFiles(episode, root: "r", path, target: "s"),
      .finishMove(id, part: "video", file, entry: "e"), .join(episode, into: id),
      .adopt(id, part: "video", file, digest), .writeSidecar(id, root: "r"),
      .writeShow(root: "r", path), .unknownFile(file),
      .discardFile(file), .finishDiscard(entry: "e"), .dropPartial(file, of: id),
      .dropDraft(file), .dropOriginal(file), .dropSidecar(file, of: id),
      .removeFolder(root: "r", path), .purgeTrash(root: "r", entry: "e"),
      .forgetStep(entry: "e"), .dropCache(path, mark), .compact,
    ]
    #expect(Set(actions.map(\.row.kind)) == Set(CleaningPlanRow.Kind.allCases))
    for action in actions {
      let step = CleaningStep(action, explanation: "why", bytes: ByteCount(5))
      #expect(try CleaningStep(row: row(step)) == step)
    }
  }

  @Test(arguments: [
    CleaningPlanRow.Kind.rename, .adopt, .join, .dropDraft, .purgeTrash, .reachRoot, .unreadable,
    .recordMoved, .removeFolder, .forgetStep,
  ])
  func `a row that lacks the fields of its step is refused`(kind: CleaningPlanRow.Kind) {
    let row = JSONObject(distinct: [("id", .string("t/a")), ("step", .string(kind.rawValue))])
    #expect(throws: Failure.self) { try CleaningStep(row: row) }
  }

  @Test(arguments: [0, 1, 999_999, 1_000_000, -1, -1_000_001, 1_795_313_031_276_463_203])
  func `a time keeps its nanoseconds through filters that support only doubles`(
    nanoseconds: Int64
  ) throws {
    let mark = FileMark(size: 0, modified: nanoseconds, inode: 1)
    let step = CleaningStep(.dropCache(PathBytes("a"), mark), explanation: "")
    #expect(row(step)["modified"]?.string != nil)
    #expect(try CleaningStep(row: row(step)).file == step.file)
  }

  @Test(arguments: ["../a", "/a", "a//b", "a/./b", "", "a/.."])
  func `a path outside its root is refused`(path: String) {
    let step = CleaningStep(.removeFolder(root: "r", PathBytes(path)), explanation: "")
    #expect(throws: Failure.self) { try CleaningStep(row: row(step)) }
  }

  @Test func `a row without a step, or with an unknown one, is refused`() {
    #expect(throws: Failure.self) { try CleaningStep(row: JSONObject()) }
    let other = JSONObject(distinct: [("step", .string("burn"))])
    #expect(throws: Failure.self) { try CleaningStep(row: other) }
  }

  @Test func `a row about an episode requires its id`() {
    let row = JSONObject(distinct: [("id", .string("no id")), ("step", .string("remove"))])
    #expect(throws: Failure.self) { try CleaningStep(row: row) }
  }

  private func step(modified: Int64) -> CleaningStep {
    let mark = FileMark(size: 5, modified: modified, inode: 8)
    return CleaningStep(.dropCache(PathBytes("a"), mark), explanation: "")
  }

  @Test func `a step no longer matches once its file has changed`() {
    let (step, other) = (step(modified: 6), step(modified: 7))
    #expect(!step.isSame(as: other))
    #expect(step.key == other.key)
  }

  @Test(arguments: [("10%", 100), ("0%", 0), ("100%", 1000), ("1K", 1024)])
  func `a disk quota is a number of bytes of a disk`(text: String, bytes: Int64) {
    #expect(DiskQuota(text)?.bytes(of: ByteCount(clamping: 1000)).bytes == bytes)
  }

  @Test(arguments: ["101%", "-1%", "%", "x", "5 %"])
  func `an invalid disk quota is refused`(text: String) {
    #expect(DiskQuota(text) == nil)
  }
}
