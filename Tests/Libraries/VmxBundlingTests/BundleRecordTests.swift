import Testing
import VmxJSON
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxBundling

struct BundleRecordTests {
  /// The fields that are not exported. A new field of an episode is added here or to
  /// `BundleRecord`.
  private static let local: Set<Episode.Field> = [
    .by, .licence, .watchedAt, .requestedAgainAt,
    .want, .priority, .place, .after, .meteredOK, .added, .removal, .trail, .feed, .guid, .folder,
  ]
  private static let localOfParts: Set<Part.Field> = [
    .state, .resumeState, .code, .message, .reason, .until, .root, .proof, .verifiedAt, .original,
    .repairs, .chosen,
  ]

  /// Returns an episode with a value in every field.
  private static func full() throws -> Episode {
    let line = """
      {"identity":["u:0123456789abcdef"],"by":{"title":"person"},"title":"T","show_title":"Show","season":1,"number":2,
      "date":"2026-05-20","duration_ms":1000,"language":"de","summary":"S","rating":7.5,"age_rating":"FSK 12",
      "chapters":[{"start_ms":0,"title":"C"}],"chapters_url":"https://example.org/c",
      "page_url":"https://example.org/p","tvmaze":7,"feed":"f","guid":"g","folder":"News",
      "want":"hold",
      "priority":3,"place":4,"after":["a/b"],"keep":true,"watched":true,
      "watched_at":"2026-01-01T00:00:00.000Z","requested_again_at":"2026-01-02T00:00:00.000Z",
      "metered_ok":true,
      "expires":"2027-01-01T00:00:00.000Z","licence":{"state":"usable"},"added":"2026-01-01T00:00:00.000Z",
      "removal":{"at":"2026-01-01T00:00:00.000Z","by":"rm","reason":"by-hand"},
      "parts":[{"role":"subtitle","lang":"en","forced":true,"sdh":true,"index":true,"format":"sub","required":true,
      "state":"ready","at":"complete","code":"disk-full","message":"m","reason":"space",
      "until":"2026-01-01T00:00:00.000Z","root":"uuid","path":"a.srt","size":10,
      "sha256":"\(String(repeating: "ab", count: 32))","proof":"length",
      "proven":"2026-01-01T00:00:00.000Z","original":{"sha256":"\(
        String(repeating: "cd", count: 32))","size":9,"encoding":"utf-16"},
      "chosen":"0123456789abcdef","variants":[{"height":720,"bitrate":8,"type":"text/vtt",
      "size":9,"sha256":"\(String(repeating: "cd", count: 32))","duration":1000,
      "sources":[{"url":"http://127.0.0.1/a.srt","failed":"http-gone"}]}]}],
      "trail":[{"at":"2026-01-01T00:00:00.000Z","part":"video","from":"new","to":"queued"}]}
      """
    let object = try JSONParser().parse(Array(line.utf8)).object ?? JSONObject()
    return try Episode(record: object, id: try EpisodeID("show/s01e02"), rev: 9)
  }

  private static func record(_ episode: Episode) -> JSONObject {
    let paths = ["subtitle:en.forced.sdh.sub.idx": "data/a.srt"]
    return BundleRecord.object(of: episode, paths: paths, nfo: "data/a")
  }

  private static func keys(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).flatMap { $0.object?.fields.map(\.key) ?? [] }
  }

  @Test func `every field of an episode either travels or is known to stay at home`() throws {
    let episode = try Self.full()
    let values = zip(Episode.Field.allCases, episode.json(of: Episode.Field.allCases))
    // Except for `extra` and the ids, each field of the sample has a value.
    #expect(values.allSatisfy { $0.1 != nil })
    let keys = Set(Self.record(episode).fields.map(\.key))
    for field in Episode.Field.allCases {
      #expect(keys.contains(field.rawValue) != Self.local.contains(field), "\(field)")
    }
    #expect(
      keys.subtracting(Episode.Field.allCases.map(\.rawValue)) == ["schema", "kind", "id", "nfo"])
  }

  @Test func `every field of a part either travels or is known to stay at home`() throws {
    let keys = Set(Self.keys(Self.record(try Self.full())["parts"]))
    for field in Part.Field.allCases {
      #expect(keys.contains(field.rawValue) != Self.localOfParts.contains(field), "\(field)")
    }
    #expect(keys.isSubset(of: Part.Field.allCases.map(\.rawValue)))
  }

  @Test func `a source is a URL alone, and figures of a converted file stay`() throws {
    let part = Self.record(try Self.full())["parts"]?.array?.first?.object
    let variant = part?["variants"]?.array?.first?.object
    #expect(variant?["sources"] == .array([.string("http://127.0.0.1/a.srt")]))
    #expect(variant?["size"] == nil && variant?["sha256"] == nil && variant?["height"] == 720)
    // The path is relative to the bag.
    #expect(part?["path"] == "data/a.srt")
  }

  @Test func `a record reads back as it was written`() throws {
    let episode = try Self.full()
    let bundled = try BundledEpisode(Self.record(episode))
    let found = bundled.description
    #expect(found.id == episode.id && found.title == "T" && found.showTitle == "Show")
    #expect(found.season == 1 && found.number == 2 && found.date == episode.date)
    #expect(found.duration == 1000 && found.language == "de" && found.summary == "S")
    #expect(found.isKept == true && found.isWatched == true && found.expires == episode.expires)
    #expect(found.want == nil && found.priority == nil && found.isMeteredOK == nil)
    #expect(bundled.identity == episode.identity)
    #expect(bundled.files.map(\.part) == ["subtitle:en.forced.sdh.sub.idx"])
    #expect(bundled.files.map(\.sha256) == [episode.parts[0].sha256])
  }

  @Test func `the digest of the video identifies it, and keys are sorted`() throws {
    var episode = try Episode.packable("show/a", "A")
    episode.identity = [.source("z"), .source("b")]
    let keys = try BundledEpisode(BundleRecord.object(of: episode, paths: [:], nfo: nil)).identity
    #expect(keys.map(\.key) == keys.map(\.key).sorted() && keys.count == 3)
    #expect(keys.contains(.digest(String(repeating: "01", count: 32))))
  }

  @Test func `what was added to a record by a library is not believed`() throws {
    var record = Self.record(try Self.full())
    for (key, value) in [("want", "gone"), ("state", "failed"), ("root", "x"), ("path", "/etc")] {
      record.append(key, .string(value))
    }
    record.append("priority", 9)
    let found = try BundledEpisode(record).description
    #expect(found.want == nil && found.priority == nil)
  }

  @Test(arguments: [
    #"{"id":"a/b"}"#, #"{"kind":"episode"}"#, #"{"kind":"episode","id":"../b"}"#,
    #"{"schema":2,"kind":"episode","id":"a/b"}"#,
    #"{"kind":"episode","id":"a/b","identity":["x"]}"#,
    #"{"kind":"episode","id":"a/b","season":-1}"#,
    #"{"kind":"episode","id":"a/b","parts":[{"role":"video","variants":[{"sources":["file:///x"]}]}]}"#,
  ])
  func `a record that is none is refused`(line: String) throws {
    let record = try BundleRecords(SpooledText(Array(line.utf8))).record(0)
    #expect(throws: Failure.self) { try BundledEpisode(record) }
  }

  // Regression: such records were refused one by one as broken episodes, or not reported at all.
  @Test func `records of other kinds are counted and no episodes`() throws {
    let lines = [
      #"{"kind":"feed","id":"f"}"#, #"{"kind":"episode","id":"a/b"}"#, #"{"kind":"host","id":"h"}"#,
      #"{"kind":"feed","id":"g"}"#,
    ]
    let records = try BundleRecords(SpooledText(Array(lines.joined(separator: "\n").utf8)))
    #expect(records.skippedLines == ["feed": 2, "host": 1])
    var ids: [String?] = []
    try records.forEach { ids.append($1["id"]?.string) }
    #expect(ids == ["a/b"])
  }

  // Regression: an unreadable record was an empty one, and the update of a folder deleted its
  // files.
  @Test func `a record that cannot be read again is an error`() throws {
    let scratch = try ScratchFolder()
    let line = #"{"kind":"episode","id":"a/b","x":"\#(String(repeating: "x", count: 600_000))"}"#
    let name = "vmx-records.jsonl"
    try scratch.write(name, line + "\n" + line.replacing("a/b", with: "a/c") + "\n")
    let text = try SpooledText(of: scratch.path(name), limit: .max)
    let records = try EarlierRecords(try #require(text), of: scratch.path(name)) { $0 }
    try scratch.write(name, "")
    var ids: [String] = []
    #expect(throws: FileError.self) { try records.forEach { id, _ in ids.append(id) } }
    #expect(throws: FileError.self) { try records.record("a/c") }
    #expect(ids.isEmpty)
  }

  @Test func `a bundle of countless kinds does not fill the memory`() throws {
    let lines = (0..<500).map { #"{"kind":"k\#($0)"}"# }.joined(separator: "\n")
    let others = try BundleRecords(SpooledText(Array(lines.utf8))).skippedLines
    #expect(others.count == 101 && others.values.reduce(0, +) == 500)
  }

  @Test func `a line that is not JSON makes the bundle invalid`() {
    #expect(code { try BundleRecords(SpooledText(Array("{}\n{\n".utf8))) } == .bundleInvalid)
  }
}
