import Testing
import VmxModel
import VmxTestSupport

struct EpisodeIDTests {
  @Test(arguments: [
    "girls/s01e02", "a/b", "0/9", "x.y_z-1/2024-05-20", "127.0.0.1/clip",
    String(repeating: "a", count: 100) + "/" + String(repeating: "b", count: 100),
  ])
  func `an id has two halves`(text: String) throws {
    let id = try EpisodeID(text)
    #expect("\(id)" == text)
    #expect("\(id.show)/\(id.episode)" == text)
  }

  @Test(arguments: [
    "", "/", "a", "a/", "/b", "a/b/c", "A/b", "a/B", ".a/b", "a/.b", "../..", "-a/b", "a/_b",
    "a b/c", "é/b", "a/b\n", "a\0/b", "a/b\u{301}", String(repeating: "a", count: 101) + "/b",
  ])
  func `an id of another form is a bad id`(text: String) {
    #expect(EpisodeID(valid: text) == nil)
    #expect(code { try EpisodeID(text) } == .badID)
  }

  @Test(arguments: [
    ("'a/b' comes after 'c/d_1'; 'vmx fetch c/d_1' brings it.", ["a/b", "c/d_1", "c/d_1"]),
    ("wait for a/b.", ["a/b.", "a/b"]), ("a/b.c:", ["a/b.c"]),
    ("a/b/c A/b http://x/y é/b", []),
    ("no id", []), ("", []),
  ])
  func `the ids in a text are found`(text: String, ids: [String]) {
    #expect(EpisodeID.named(in: text).map(\.description) == ids)
  }

  @Test func `ids sort by their bytes`() throws {
    let texts = ["a-b/c", "a/c", "a.b/c", "b/a", "a/b"]
    let sorted = try texts.map { try EpisodeID($0) }.sorted().map(\.description)
    #expect(sorted == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func `an id of two slugs is valid`() throws {
    let show = try #require(Slug(valid: "girls"))
    #expect(
      EpisodeID(show: show, episode: .episode(season: 1, number: 2)).description == "girls/s01e02")
    #expect(Slug(valid: "a/b") == nil)
  }
}
