import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct MediaSummaryTests {
  let fixture: StoreFixture
  let store: LibraryStore

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.open()
  }

  private func glances() throws -> [MediaSummary] {
    var glances: [MediaSummary] = []
    try store.snapshot().mediaGlances {
      glances.append($0)
      return true
    }
    return glances
  }

  private func put(_ episode: Episode) throws {
    try store.update(.soon) { $0.put(episode) }
  }

  @Test func `a summary at the files sees what the whole episode says of them`() throws {
    let digest = try #require(Digest(.sha256, hex: String(repeating: "0aF1", count: 16)))
    for (index, state) in PartState.allCases.enumerated() {
      var episode = try Episode.sample("a/\(index)", state: state)
      episode.want = Want.allCases[index % Want.allCases.count]
      episode.isKept = index.isMultiple(of: 2)
      episode.isWatched = index.isMultiple(of: 3)
      episode.expires = index.isMultiple(of: 4) ? Timestamp(seconds: 1_800_000_000) : nil
      episode.parts[0].root = "11111111-0000-4000-8000-000000000001"
      episode.parts[0].path = "A show/Film \"\(index)\"\n.mp4"
      episode.parts[0].size = ByteCount(Int64(index) << 40)
      episode.parts[0].sha256 = digest
      episode.parts[0].proof = Proof.allCases[index % Proof.allCases.count]
      episode.parts[0].proven = Timestamp(seconds: 1_700_000_000 + Int64(index))
      episode.parts[0].resumeState = .partial
      var subtitle = Part(role: .subtitle, language: "en", variants: [])
      subtitle.isForced = index.isMultiple(of: 2)
      subtitle.isSDH = index.isMultiple(of: 3)
      subtitle.original = OriginalFile(
        sha256: digest, size: ByteCount(clamping: 7), encoding: "UTF-8")
      episode.parts += [subtitle] + [.image, .metadata, .key].map { Part(role: $0, variants: []) }
      try put(episode)
    }
    var whole: [MediaSummary] = []
    try store.snapshot().episodes(matching: EpisodeQuery()) { episode in
      whole.append(MediaSummary(episode))
      return true
    }
    #expect(whole.count == PartState.allCases.count)
    #expect(try glances() == whole)
  }

  @Test func `the last good line counts, and what was removed does not`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""want":"hold""#), StoreFixture.line("a/2", seq: 12),
      StoreFixture.line("a/2", seq: 13, marks: #","deleted":true"#),
      #"{"kind":"episode","id":"a/1","seq":14,"at":"2023-11-14T22:13:20.000Z","want":"fetch",,}"#,
      StoreFixture.line("a/3", seq: 15, #""want":"gone""#),
    ])
    let found = try glances().map { "\($0.id) \($0.rev) \($0.want)" }
    #expect(found == ["a/1 11 hold", "a/3 15 gone"])
  }

  @Test func `a scan ends when the caller wants no more`() throws {
    for number in 0..<5000 { try put(try .sample("a/\(number)")) }
    var seen = 0
    try store.snapshot().mediaGlances { _ in
      seen += 1
      return seen < 3000
    }
    #expect(seen == 3000)
  }
}
