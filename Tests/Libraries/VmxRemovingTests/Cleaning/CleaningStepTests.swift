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
    var step = CleaningStep(.recordMoved, explanation: "it moved")
    step.episode = try EpisodeID("t/a")
    step.part = "video"
    step.root = "r"
    step.path = PathBytes("a.mp4")
    step.found = PathBytes([0x61, 0xFF])
    step.bytes = ByteCount(5)
    step.rev = 7
    step.file = FileMark(size: 5, modified: 1_795_313_031_276_463_203, inode: .max)
    #expect(try CleaningStep(row: row(step)) == step)
  }

  @Test(arguments: [0, 1, 999_999, 1_000_000, -1, -1_000_001, 1_795_313_031_276_463_203])
  func `a time keeps its nanoseconds through filters that support only doubles`(
    nanoseconds: Int64
  ) throws {
    var step = CleaningStep(.dropDraft, explanation: "")
    step.file = FileMark(size: 0, modified: nanoseconds, inode: 1)
    #expect(row(step)["modified"]?.string != nil)
    #expect(try CleaningStep(row: row(step)).file == step.file)
  }

  @Test(arguments: ["../a", "/a", "a//b", "a/./b", "", "a/.."])
  func `a path outside its root is refused`(path: String) {
    var step = CleaningStep(.dropDraft, explanation: "")
    step.root = "r"
    step.path = PathBytes(path)
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

  @Test func `a step no longer matches once its file has changed`() {
    var step = CleaningStep(.dropPartial, explanation: "")
    step.file = FileMark(size: 5, modified: 6, inode: 8)
    var other = step
    other.file = FileMark(size: 5, modified: 7, inode: 8)
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
