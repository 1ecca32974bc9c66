import Testing
import VmxModel

struct QualityTests {
  private func file(
    _ name: String, _ height: Int64? = nil, bitrate: Int64? = nil, size: Int64? = nil
  ) -> Variant {
    Variant(
      height: height, bitrate: bitrate, size: size.flatMap { ByteCount($0) },
      sources: [Source(url: "http://a.example/\(name)")])
  }

  private func choice(_ text: String, _ files: Variant...) throws -> String? {
    let quality = try #require(Quality(text: text))
    return quality.choice(among: files)?.sources[0].url.split(separator: "/").last.map(String.init)
  }

  @Test(arguments: [
    ("first", "b"), ("best", "d"), ("smallest", "a"), ("720p", "c"), ("719p", "b"), ("1080p", "d"),
    ("100p", "a"), ("2160p", "d"), ("max:500", "b"), ("max:1K", "c"), ("max:1G", "d"),
  ])
  func `the matching one of four sizes is chosen`(text: String, name: String) throws {
    let found = try choice(
      text, file("b", 480, size: 500), file("a", 240, size: 100), file("d", 1080, size: 2000),
      file("c", 720, size: 1000))
    #expect(found == name)
  }

  @Test func `among equal heights the bit rate decides and then the size`() throws {
    let files = [
      file("a", 720, bitrate: 1000, size: 9), file("b", 720, bitrate: 2000, size: 7),
      file("c", 720, bitrate: 2000, size: 8),
    ]
    #expect(try choice("best", files[0], files[1], files[2]) == "c")
    #expect(try choice("720p", files[0], files[1], files[2]) == "c")
    #expect(try choice("smallest", files[0], files[1], files[2]) == "a")
  }

  @Test(arguments: ["first", "best", "smallest", "720p"])
  func `without sizes the order of the record is kept`(text: String) throws {
    #expect(try choice(text, file("a"), file("b")) == "a")
    #expect(try choice(text, file("a", 720), file("b", 720)) == "a")
  }

  @Test(arguments: ["best", "smallest", "720p"])
  func `known values precede unknown ones`(text: String) throws {
    #expect(try choice(text, file("a"), file("b", 720), file("c")) == "b")
  }

  @Test func `a limit excludes files above it or of unknown size`() throws {
    #expect(try choice("max:10", file("a", 720), file("b", 480, size: 11)) == nil)
    #expect(try choice("max:10", file("a", 720), file("b", 480, size: 10)) == "b")
  }

  @Test(arguments: [
    "", "720", "p", "0p", "-1p", "max:", "max:x", "max:-1", "Best", "worst", "1.5p",
  ])
  func `other texts are refused`(text: String) {
    #expect(Quality(text: text) == nil)
  }

  @Test func `a choice is found again in another order and with more mirrors`() {
    var part = Part(role: .video, variants: [file("a", 480), file("b", 720)])
    part.chosen = part.variants[1].key
    part.variants.swapAt(0, 1)
    part.variants[0].sources.insert(Source(url: "http://b.example/b"), at: 0)
    #expect(part.variant?.height == 720)
    part.variants.removeFirst()
    #expect(part.variant?.height == 480)
  }

  @Test func `without a choice the first fetchable variant represents the part`() {
    let here = Variant(height: 1080, sources: [])
    #expect(Part(role: .video, variants: [here, file("a", 480)]).variant?.height == 480)
    #expect(Part(role: .video, variants: [here]).variant?.height == 1080)
    #expect(Part(role: .video, variants: []).variant == nil)
  }
}
