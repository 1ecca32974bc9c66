import Testing
import VmxModel
import VmxNaming

@Suite struct NameTemplateTests {
  private func episode(
    season: Int64? = 1, number: Int64? = 2, date: String? = nil, title: String = "The Sea"
  ) throws -> Episode {
    var episode = Episode(
      id: try EpisodeID("our-films/one"), title: title, showTitle: "Our Films",
      added: Timestamp(seconds: 0), parts: [Part(role: .video, variants: [])])
    episode.season = season
    episode.number = number
    episode.date = date.flatMap { CalendarDay($0) }
    return episode
  }

  private func path(_ template: String, _ episode: Episode, copy: Int = 1) throws -> String {
    MediaName.path(
      for: episode, part: episode.parts[0], fileExtension: "mp4", copy: copy,
      by: try #require(NameTemplate(template)))
  }

  @Test func `the built-in template equals its text form`() {
    #expect(NameTemplate(NameTemplate.standardText) == .standard)
  }

  @Test(arguments: [
    ("{show_slug}/{season}x{number}", "our-films/01x02.mp4"),
    ("{title}", "The Sea.mp4"),
    ("Films/{show} {place} ({title})", "Films/Our Films S01E02 (The Sea).mp4"),
    ("{slug}", "one.mp4"), ("{year}/{show} - {date} - {title}", "Our Films - The Sea.mp4"),
  ])
  func `fields are replaced, and fields without a value are omitted`(
    template: String, name: String
  ) throws {
    #expect(try path(template, episode()) == name)
  }

  @Test func `a daily show has its year and date`() throws {
    let daily = try episode(season: nil, number: nil, date: "2026-05-20")
    #expect(
      try path("{year}/{show} - {date} - {title}", daily)
        == "2026/Our Films - 2026-05-20 - The Sea.mp4")
  }

  @Test func `a name without any value is the second half of the id`() throws {
    #expect(try path("{show}/{date}", episode()) == "Our Films/one.mp4")
  }

  @Test func `values stay in their component, and names within the length limit`() throws {
    let hostile = try episode(title: "../../" + String(repeating: "ä/", count: 300))
    let name = try path("{title} - {place}", hostile, copy: 2)
    #expect(!name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 255)
    #expect(name.hasSuffix(" (2).mp4"))
  }

  @Test(arguments: [
    "", "{show}", "{show}/{season}", "{unknown}", "{title", "title}", "/{title}", "{title}/",
    "../{title}", "a//{title}", ".x/{title}", "a:b {title}", "{title}\u{7}", "{{title}}",
  ])
  func `a template without a safe name is refused`(template: String) {
    #expect(NameTemplate(template) == nil)
  }
}
