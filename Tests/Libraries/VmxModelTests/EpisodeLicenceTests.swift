import Testing

@testable import VmxModel

@Suite struct EpisodeLicenceTests {
  @Test func `an old record has no licence, and one of a later version is usable`() throws {
    let id = try EpisodeID("show/a")
    let plain = try Episode(record: JSONObject(), id: id, rev: 1)
    #expect(plain.licence == nil)
    let later = JSONObject(distinct: [
      (
        "licence",
        .object(
          JSONObject(distinct: [
            ("state", "suspended")
          ]))
      )
    ])
    #expect(try Episode(record: later, id: id, rev: 1).licence?.state == .usable)
  }

  @Test func `a description grants no right that the licence does not grant`() throws {
    var description = EpisodeDescription()
    description.expires = Timestamp(seconds: 9)
    var episode = Episode(
      id: try EpisodeID("show/a"), title: "A", showTitle: "Show", added: Timestamp(seconds: 0),
      parts: [])
    episode.licence = EpisodeLicence(state: .usable)
    episode.expires = Timestamp(seconds: 1)
    description.apply(to: &episode)
    #expect(episode.expires == Timestamp(seconds: 1))
    description.fill(&episode)
    #expect(episode.expires == Timestamp(seconds: 1))
  }

  @Test func `a row refers to the licence by its URL`() throws {
    let row = JSONObject(distinct: [
      ("url", "https://example.org/a.mp4"), ("licence", "https://provider.example/a"),
    ])
    let description = try EpisodeDescription(row)
    let key = description.parts.first { $0.role == .key }
    #expect(key?.variants.first?.sources.first?.text == "https://provider.example/a")
    #expect(key?.isRequired == true)
    // 'vmx show' prints the object under this name.
    let shown = JSONObject(distinct: [
      ("url", "https://example.org/a.mp4"), ("licence", .object(JSONObject())),
    ])
    #expect(try EpisodeDescription(shown).parts.count == 1)
  }
}
