import Testing
import VmxModel

struct IdentityKeyTests {
  private let samples: [IdentityKey] = [
    .feedItem(feed: "http://a.example/feed", guid: "1"), .source("http://a.example/x"),
    .numbered(show: "girls", season: 1, number: 2), .numbered(show: "girls", season: 12, number: 2),
    .numbered(show: "girls", season: 1, number: 22), .digest("ab"), .source("ab"),
    .feedItem(feed: "a", guid: "bc"), .feedItem(feed: "ab", guid: "c"),
  ]

  @Test func `keys are a letter and sixteen digits`() throws {
    let day = try #require(CalendarDay("2024-05-20"))
    for evidence in samples + [.dated(show: "girls", day: day)] {
      let halves = evidence.key.split(separator: ":")
      #expect(halves.map(\.count) == [1, 16])
    }
  }

  @Test func `different identities have different keys`() {
    #expect(Set(samples.map(\.key)).count == samples.count)
  }

  @Test func `keys read from the store equal the original ones`() {
    for evidence in samples {
      #expect(IdentityKey.key(evidence.key) == evidence)
      #expect(Set([evidence, .key(evidence.key)]).count == 1)
    }
  }

  @Test func `keys are part of the format and never change`() {
    #expect(IdentityKey.source("http://a.example/x").key == "u:6fb635b62b9cddc3")
    #expect(IdentityKey.numbered(show: "girls", season: 1, number: 2).key == "n:cf620c2184dda5f3")
    #expect(StableHash.of("") == 0xcbf2_9ce4_8422_2325)
    #expect(StableHash.of("a") == 0xaf63_dc4c_8601_ec8c)
    #expect(StableHash.of("foobar") == 0x8594_4171_f739_67e8)
  }
}
