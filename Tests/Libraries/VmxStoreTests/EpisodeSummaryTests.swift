import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct EpisodeSummaryTests {
  let fixture: StoreFixture
  let store: LibraryStore

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.open()
  }

  private func summaries(_ fields: EpisodeFields) throws -> [EpisodeSummary] {
    var summaries: [EpisodeSummary] = []
    try store.snapshot().summaries(fields) {
      summaries.append($0)
      return true
    }
    return summaries
  }

  private func put(_ episode: Episode) throws {
    try store.update(.soon) { $0.write(episode) }
  }

  /// Returns the summaries of all episodes, computed from the fully decoded records.
  private func whole() throws -> [EpisodeSummary] {
    var whole: [EpisodeSummary] = []
    try store.snapshot().episodes(matching: EpisodeQuery()) { episode in
      whole.append(EpisodeSummary(episode))
      return true
    }
    return whole
  }

  @Test func `a summary sees what the whole episode says`() throws {
    for (index, state) in PartState.allCases.enumerated() {
      try store.update(.soon) { transaction in
        var episode = try Episode.sample("a/\(index)", state: state)
        episode.want = Want.allCases[index % Want.allCases.count]
        episode.parts[0].reason = state == .ready ? nil : .window
        episode.parts[0].until = state == .ready ? nil : Timestamp(seconds: 1_800_000_000)
        episode.parts.append(Part(role: .subtitle, language: "en", variants: []))
        episode.appendTransition(
          Transition(at: fixture.clock.now, part: "video", from: .new, to: state, code: .httpGone))
        if index.isMultiple(of: 3) { episode.parts[1].isRequired = true }
        transaction.write(episode)
      }
    }
    let whole = try whole()
    #expect(whole.count == PartState.allCases.count)
    let steps = try summaries(.lastStep)
    #expect(steps.map(\.standing) == whole.map(\.standing))
    #expect(steps.map(\.lastStep) == whole.map(\.lastStep))
    let standings = try summaries(.stateFields)
    #expect(standings.map(\.standing) == whole.map(\.standing))
    #expect(standings.allSatisfy { $0.lastStep == nil })
  }

  @Test func `a summary at the files sees what the whole episode says of them`() throws {
    let digest = try #require(Digest(.sha256, hex: String(repeating: "0aF1", count: 16)))
    for (index, state) in PartState.allCases.enumerated() {
      var episode = try Episode.sample("a/\(index)", state: state)
      episode.want = Want.allCases[index % Want.allCases.count]
      episode.isKept = index.isMultiple(of: 2)
      episode.expires = index.isMultiple(of: 4) ? Timestamp(seconds: 1_800_000_000) : nil
      episode.parts[0].root = "11111111-0000-4000-8000-000000000001"
      episode.parts[0].path = "A show/Film \"\(index)\"\n.mp4"
      episode.parts[0].size = ByteCount(Int64(index) << 40)
      episode.parts[0].sha256 = digest
      episode.parts[0].proof = Proof.allCases[index % Proof.allCases.count]
      episode.parts[0].verifiedAt = Timestamp(seconds: 1_700_000_000 + Int64(index))
      episode.parts[0].resumeState = .partial
      var subtitle = Part(role: .subtitle, language: "en", variants: [])
      subtitle.isForced = index.isMultiple(of: 2)
      subtitle.isSDH = index.isMultiple(of: 3)
      subtitle.original = OriginalFile(
        sha256: digest, size: ByteCount(clamping: 7), encoding: "UTF-8")
      episode.parts += [subtitle] + [.image, .metadata, .key].map { Part(role: $0, variants: []) }
      try put(episode)
    }
    let whole = try whole()
    #expect(whole.count == PartState.allCases.count)
    let files = try summaries(.files)
    #expect(files.map(\.marks) == whole.map(\.marks))
    #expect(files.map(\.parts) == whole.map(\.partsWithoutVariants))
    #expect(try summaries(.paths).map { $0.parts[0].path } == whole.map { $0.parts[0].path })
  }

  @Test func `the last good line counts, and what was removed does not`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""want":"hold""#), StoreFixture.line("a/2", seq: 12),
      StoreFixture.line("a/2", seq: 13, marks: #","deleted":true"#),
      #"{"kind":"episode","id":"a/1","seq":14,"at":"2023-11-14T22:13:20.000Z","want":"fetch",,}"#,
      StoreFixture.line("a/3", seq: 15, #""want":"gone""#),
    ])
    for fields in [EpisodeFields.stateFields, .files] {
      let found = try summaries(fields).map { "\($0.id) \($0.rev) \($0.want)" }
      #expect(found == ["a/1 11 hold", "a/3 15 gone"])
    }
  }

  @Test func `a scan ends when the caller wants no more`() throws {
    for number in 0..<5000 { try put(try .sample("a/\(number)")) }
    var seen = 0
    try store.snapshot().summaries { _ in
      seen += 1
      return seen < 3000
    }
    #expect(seen == 3000)
  }

  @Test func `a field that is not read damages no summary, one that is read does`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""want":"hold""#),
      StoreFixture.line("a/1", seq: 12, #""want":"fetch","season":"two""#),
      StoreFixture.line("a/2", seq: 13, #""want":"hold""#),
      StoreFixture.line("a/2", seq: 14, #""want":"maybe""#),
    ])
    let found = try summaries(.stateFields).map { "\($0.id) \($0.rev) \($0.want)" }
    #expect(found == ["a/1 12 fetch", "a/2 13 hold"])
  }

  @Test func `records of other kinds are found among episodes`() throws {
    try store.update(.soon) { transaction in
      transaction.write(try .sample("a/1"))
      for name in ["home", "cafe"] {
        transaction.write(StoredRecord(kind: .network, id: name, fields: JSONObject()))
      }
    }
    #expect(try ids(of: .network) == ["home", "cafe"])
    #expect(try ids(of: .progress) == [])
    try store.update(.soon) { $0.delete(.network, "home") }
    #expect(try ids(of: .network) == ["cafe"])
    try store.update(.soon) { transaction in
      for name in ["bar", "home"] {
        transaction.write(StoredRecord(kind: .network, id: name, fields: JSONObject()))
      }
      transaction.write(StoredRecord(kind: .init(rawValue: "later"), id: "x", fields: JSONObject()))
    }
    #expect(try ids(of: .network) == ["cafe", "bar", "home"])
    #expect(try ids(of: .init(rawValue: "later")) == ["x"])
  }

  private func ids(of kind: RecordKind, holding text: String? = nil) throws -> [String] {
    var found: [String] = []
    try store.snapshot().records(of: kind, holding: text) { record in
      found.append(record.id)
      return true
    }
    return found
  }

  @Test func `records that hold a text are found however it is written`() throws {
    let words = ["plain": #""a/1""#, "part": #""a/10""#, "solidus": #""a\/1""#, "other": #""b""#]
    try fixture.write(
      words.sorted(by: <).map { name, word in
        let at = #""at":"2023-11-14T22:13:20.000Z""#
        return #"{"kind":"step","id":"\#(name)","seq":11,\#(at),"episode":\#(word)}"#
      })
    #expect(try ids(of: .step, holding: "a/1") == ["plain", "solidus"])
    #expect(try ids(of: .step) == ["other", "part", "plain", "solidus"])
  }
}

extension EpisodeSummary {
  fileprivate var standing: String {
    "\(id) \(want) \(state) \(reason?.rawValue ?? "") \(until?.text ?? "")"
  }

  fileprivate var partsWithoutVariants: [Part] {
    parts.map { part in
      var part = part
      part.variants = []
      return part
    }
  }

  fileprivate var marks: String {
    "\(id) \(rev) \(want) \(isKept) \(expires?.text ?? "")"
  }
}
