import Testing
import VmxModel
import VmxTestSupport

struct EpisodeRecordTests {
  private func full() throws -> Episode {
    var episode = Episode(
      id: try EpisodeID("girls/s01e02"), title: "Vagina \"Panic\"\n", showTitle: "Girls",
      added: Timestamp(milliseconds: 1_700_000_000_123), parts: [try video(), subtitle()])
    episode.rev = 42
    episode.identity = [
      .source("http://a.example/x"), .numbered(show: "girls", season: 1, number: 2),
    ]
    episode.season = 1
    episode.number = 2
    episode.date = CalendarDay("2012-04-22")
    episode.duration = 3_723_000
    episode.language = "de-AT"
    episode.summary = "…"
    episode.want = .hold
    episode.priority = -2
    episode.isKept = true
    episode.isWatched = true
    episode.isMeteredOK = true
    episode.expires = Timestamp(seconds: 1_800_000_000)
    episode.appendTransition(
      Transition(
        at: Timestamp(seconds: 1), part: "video", from: .partial, to: .failed, code: .netStalled))
    episode.extra = JSONObject(distinct: [("later", .array([1, .null])), ("mood", "good")])
    return episode
  }

  private func video() throws -> Part {
    let digest = Digest(.sha256, bytes: (0..<32).map { UInt8($0) })
    var variant = Variant(
      height: 720, bitrate: 1_000_000, type: "video/mp4", size: ByteCount(99), sha256: digest,
      sources: [Source(url: "http://a.example/x", secret: "s1"), Source(url: "http://b.example/x")])
    variant.duration = 3_723_000
    variant.extra = JSONObject(distinct: [("codec", "av1")])
    variant.sources[1].extra = JSONObject(distinct: [("weight", 3)])
    var part = Part(role: .video, variants: [variant])
    part.state = .failed
    part.resumeState = .partial
    part.code = .netStalled
    part.message = "the server 'a.example' stalled"
    part.root = "0b1c"
    part.path = "Girls/x.mp4"
    part.size = ByteCount(99)
    part.sha256 = digest
    part.proof = .published
    part.verifiedAt = Timestamp(seconds: 5)
    part.chosen = variant.key
    part.original = digest.map {
      OriginalFile(sha256: $0, size: ByteCount(clamping: 7), encoding: "windows-1252")
    }
    part.extra = JSONObject(distinct: [("loudness", .double(-23.5))])
    return part
  }

  private func subtitle() -> Part {
    var part = Part(role: .subtitle, language: "en", variants: [])
    part.isForced = true
    part.isSDH = true
    part.isRequired = true
    part.state = .waiting
    part.reason = .rootAway
    part.until = Timestamp(seconds: 7)
    return part
  }

  @Test func `an episode is restored from its record with every field`() throws {
    let episode = try full()
    let back = try Episode(record: episode.record, id: episode.id, rev: 42)
    #expect(back == episode)
    #expect(back.record == episode.record)
  }

  // Regression: such records of early versions were taken for damage, and moved away.
  @Test(arguments: Proof.allCases.map(\.rawValue) + ["repeated"])
  func `a record is read with every proof that a version has written`(_ proof: String) throws {
    let part = JSONObject(distinct: [
      ("role", "video"), ("state", "ready"), ("proof", .string(proof)),
    ])
    var record = try full().record.without(["parts"])
    record.append("parts", .array([.object(part)]))
    let episode = try Episode(record: record, id: try EpisodeID("girls/s01e01"), rev: 1)
    #expect(episode.parts.first?.proof?.rawValue == proof)
  }

  /// Returns the record as text, with its braces.
  private func text(of episode: Episode) -> String {
    var bytes = Array(#"{"id":1"#.utf8)
    episode.appendRecord(to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "}"
  }

  @Test func `a record is the same as text and as a tree`() throws {
    var foreign = try full()
    foreign.parts[0].extra = JSONObject(distinct: [("code", "melted"), ("n", 1)])
    foreign.after = [try EpisodeID("a/1"), try EpisodeID("a/2")]
    foreign.place = 5
    var waiting = foreign
    waiting.parts[0].code = nil
    waiting.parts[1].repairs = try #require(Digest(.sha256, bytes: (0..<32).map { UInt8($0) }))
      .damaged
    let bare = Episode(
      id: try EpisodeID("a/1"), title: "", showTitle: "\u{1}\\", added: Timestamp(seconds: 0),
      parts: [])
    for episode in [try full(), foreign, waiting, bare] {
      var object = JSONObject(distinct: [("id", 1)])
      for field in episode.record.fields { object.append(field.key, field.value) }
      #expect(text(of: episode) == JSONValue.object(object).text)
    }
  }

  @Test func `unknown fields are preserved at every depth`() throws {
    let text = JSONValue.object(try full().record).text
    for field in [#""later":[1,null]"#, #""codec":"av1""#, #""weight":3"#, #""loudness":-23.5"#] {
      #expect(text.contains(field))
    }
  }

  @Test func `the store's own keys are not fields of the episode`() throws {
    var record = JSONObject(distinct: [
      ("kind", "episode"), ("id", "girls/s01e02"), ("seq", 7), ("at", "x"), ("txn", 1),
      ("commit", true),
    ])
    for field in try full().record.fields { record.append(field.key, field.value) }
    let back = try Episode(record: record, id: EpisodeID("girls/s01e02"), rev: 42)
    #expect(back == (try full()))
  }

  @Test func `an empty record is an episode with only its id`() throws {
    let episode = try Episode(record: JSONObject(), id: EpisodeID("girls/s01e02"), rev: 1)
    #expect(episode.title == "s01e02")
    #expect(episode.showTitle == "girls")
    #expect(episode.want == .fetch)
    #expect(episode.state == .new)
  }

  @Test(arguments: [
    "title", "season", "duration_ms", "language", "want", "parts", "trail", "added", "keep",
  ])
  func `a field of a wrong type is damage`(key: String) throws {
    var record = try full().record
    record[key] = .double(1.5)
    let damaged = record
    #expect(
      code { try Episode(record: damaged, id: EpisodeID("girls/s01e02"), rev: 1) } == .storeDamaged)
  }

  @Test func `a code of a later version stays with the part until its state changes`() throws {
    var record = try full().record
    var part = try full().parts[0].record
    part["code"] = "melted"
    record["parts"] = .array([.object(part)])
    var episode = try Episode(record: record, id: EpisodeID("girls/s01e02"), rev: 1)
    #expect(episode.parts[0].code == nil)
    #expect(episode.parts[0].record["code"] == "melted")
    episode.parts[0].code = .diskFull
    #expect(episode.parts[0].record["code"] == "disk-full")
    episode.parts[0].code = nil
    episode.parts[0].resumeState = nil
    #expect(episode.parts[0].record["code"] == nil)
  }

  @Test func `a code of a later version in the trail affects only its own entry`() throws {
    var record = try full().record
    record["trail"] = .array([
      .object(JSONObject(distinct: [("part", "video"), ("to", "failed"), ("code", "melted")]))
    ])
    let episode = try Episode(record: record, id: EpisodeID("girls/s01e02"), rev: 1)
    #expect(episode.trail.map(\.code) == [nil])
  }
}

extension Digest {
  fileprivate var damaged: DamagedFile {
    DamagedFile(
      sha256: self, size: ByteCount(clamping: 9), inode: .max, damagedSize: 8,
      modified: 1_700_000_000)
  }
}
