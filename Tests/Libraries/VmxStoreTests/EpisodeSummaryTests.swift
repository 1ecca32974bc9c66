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

  private func glances(withSteps: Bool = true) throws -> [EpisodeSummary] {
    var glances: [EpisodeSummary] = []
    try store.snapshot().glances(withSteps: withSteps) { glances.append($0) }
    return glances
  }

  @Test func `a summary sees what the whole episode says`() throws {
    for (index, state) in PartState.allCases.enumerated() {
      try store.update(.soon) { transaction in
        var episode = try Episode.sample("a/\(index)", state: state)
        episode.want = Want.allCases[index % Want.allCases.count]
        episode.parts[0].reason = state == .ready ? nil : .window
        episode.parts[0].until = state == .ready ? nil : Timestamp(seconds: 1_800_000_000)
        episode.parts.append(Part(role: .subtitle, language: "en", variants: []))
        episode.remember(
          Transition(at: fixture.clock.now, part: "video", from: .new, to: state, code: .httpGone))
        if index.isMultiple(of: 3) { episode.parts[1].isRequired = true }
        transaction.put(episode)
      }
    }
    var whole: [EpisodeSummary] = []
    try store.snapshot().episodes(matching: EpisodeQuery()) { episode in
      whole.append(EpisodeSummary(episode))
      return true
    }
    #expect(whole.count == PartState.allCases.count)
    #expect(try glances() == whole)
    #expect(try glances(withSteps: false).allSatisfy { $0.lastStep == nil })
  }

  @Test func `the last good line counts, and what was removed does not`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""want":"hold""#), StoreFixture.line("a/2", seq: 12),
      StoreFixture.line("a/2", seq: 13, marks: #","deleted":true"#),
      #"{"kind":"episode","id":"a/1","seq":14,"at":"2023-11-14T22:13:20.000Z","want":"fetch",,}"#,
      StoreFixture.line("a/3", seq: 15, #""want":"gone""#),
    ])
    #expect(try glances().map { "\($0.id) \($0.want)" } == ["a/1 hold", "a/3 gone"])
  }

  @Test func `records of other kinds are found among episodes`() throws {
    try store.update(.soon) { transaction in
      transaction.put(try .sample("a/1"))
      for name in ["home", "cafe"] {
        transaction.put(StoredRecord(kind: .network, id: name, fields: JSONObject()))
      }
    }
    #expect(try ids(of: .network) == ["home", "cafe"])
    #expect(try ids(of: .progress) == [])
    try store.update(.soon) { $0.delete(.network, "home") }
    #expect(try ids(of: .network) == ["cafe"])
    try store.update(.soon) { transaction in
      for name in ["bar", "home"] {
        transaction.put(StoredRecord(kind: .network, id: name, fields: JSONObject()))
      }
      transaction.put(StoredRecord(kind: .init(rawValue: "later"), id: "x", fields: JSONObject()))
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
