import Testing
import VmxModel
import VmxNaming

@testable import VmxMarkup

@Suite struct VideoDescriptionTests {
  private static func document(_ season: Int64?, _ number: Int64?) -> NFODocument {
    var document = NFODocument(kind: .episode)
    (document.season, document.number) = (season, number)
    return document
  }

  private static func description(_ path: String, _ document: NFODocument) -> EpisodeDescription {
    let name = EpisodeFileName(path)
    return EpisodeDescription(
      name.episode(describedBy: [document]), in: name, fileName: "stem", folder: "Folder", show: nil
    )
  }

  @Test(
    arguments: [
      ("Show - S02E03.mp4", 9, 9, 2, 3), ("Show - S02E03.mp4", nil, nil, 2, 3),
      ("Show - 2020-05-06.mp4", 4, 5, 4, 5), ("Season 2/film.mp4", nil, 7, 2, 7),
      ("film.mp4", 4, 5, 4, 5), ("Show/Show - 1001.mp4", 21, 5, 21, 5),
      ("Show/Show - 1001.mp4", nil, nil, nil, 1001),
    ] as [(String, Int64?, Int64?, Int64?, Int64?)])
  func `numbers come from the name, and from the NFO file if the name has none`(
    path: String, nfoSeason: Int64?, nfoNumber: Int64?, season: Int64?, number: Int64?
  ) {
    let description = Self.description(path, Self.document(nfoSeason, nfoNumber))
    #expect(description.season == season)
    #expect(description.number == number)
  }

  @Test func `texts come from the NFO file`() {
    var document = Self.document(nil, nil)
    document.title = "From NFO"
    #expect(Self.description("Show - S01E02 - Name.mp4", document).title == "From NFO")
    document.title = nil
    #expect(Self.description("Show - S01E02 - Name.mp4", document).title == "Name")
  }
}
