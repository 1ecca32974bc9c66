import Testing
import VmxModel

@testable import VmxPresentation

@Suite struct EpisodeJSONTests {
  private var facts = EpisodeFacts(DueRule(now: Timestamp(seconds: 1_700_000_000)))

  init() {
    facts.completedBytes = ["subtitle:en": 10]
    facts.folders = ["r": "/media"]
  }

  @Test func `the first keys are schema, id and rev`() throws {
    let record = EpisodeRow(try sampleEpisode(), facts).record(nil)
    #expect(record.fields.prefix(3).map(\.key) == ["schema", "id", "rev"])
  }

  @Test func `fields of the specification are in the record`() throws {
    let record = EpisodeRow(try sampleEpisode(), facts).record(nil)
    #expect(
      record.fields.map(\.key) == [
        "schema", "id", "rev", "title", "show", "show_title", "season", "number", "want", "state",
        "lacks", "priority", "keep", "watched", "added", "parts",
      ])
  }

  @Test func `a part has its path below the folder of its root, and the held bytes`() throws {
    let record = EpisodeRow(try sampleEpisode(), facts).record(nil)
    let parts = record["parts"]?.array?.compactMap(\.object) ?? []
    #expect(parts.first?["path"] == "/media/Girls/a.mp4")
    #expect(parts.first?["held"] == 2048)
    #expect(parts.last?["held"] == 10)
  }

  @Test func `a reference to secrets is never printed`() throws {
    let text = JSONValue.object(EpisodeRow(try sampleEpisode(), facts).record(nil)).text
    #expect(!text.contains("secret"))
  }

  @Test func `only the requested fields are computed`() throws {
    let record = EpisodeRow(try sampleEpisode(), facts).record([.state, .size, .due])
    #expect(
      JSONValue.object(record).text
        == #"{"schema":1,"id":"girls/s01e01","state":"ready","size":2048,"due":true}"#)
  }

  @Test func `every field has an exact text and a cell`() throws {
    let row = EpisodeRow(try sampleEpisode(), facts)
    for field in EpisodeField.allCases {
      #expect(row.exact(field).isEmpty == row.cell(field).text.isEmpty || field.isMark)
    }
  }
}

extension EpisodeField {
  fileprivate var isMark: Bool { [.keep, .watched, .meteredOK, .due].contains(self) }
}

/// A ready episode that lacks an English subtitle.
func sampleEpisode() throws -> Episode {
  var video = Part(
    role: .video,
    variants: [Variant(sources: [Source(url: "http://example.org/a.mp4", secret: "s1")])])
  video.state = .ready
  video.root = "r"
  video.path = "Girls/a.mp4"
  video.size = ByteCount(clamping: 2048)
  var subtitle = Part(role: .subtitle, language: "en", variants: [])
  subtitle.state = .partial
  var episode = Episode(
    id: try EpisodeID("girls/s01e01"), title: "Pilot", showTitle: "Girls",
    added: Timestamp(seconds: 1_699_999_000), parts: [video, subtitle])
  episode.season = 1
  episode.number = 1
  episode.rev = 7
  return episode
}
