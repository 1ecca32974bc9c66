import Testing
import VmxModel

@testable import VmxCatalogue

struct FeedDateTests {
  @Test(arguments: [
    ("Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00.000Z"),
    ("Mon, 1 May 24 10:00 +0200", "2024-05-01T08:00:00.000Z"),
    ("1 May 2024", "2024-05-01T00:00:00.000Z"),
    ("Thursday, 01 May 2024 10:00:00 EST", "2024-05-01T15:00:00.000Z"),
    ("May 1, 2024 10:00:00", "2024-05-01T10:00:00.000Z"),
    ("01 May 1999 23:59:60 UT", "1999-05-02T00:00:00.000Z"),
    ("01 May 99 10:00:00 -0330", "1999-05-01T13:30:00.000Z"),
    ("2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00.000Z"),
    ("Wed, 01 May 2024 24:00:00 GMT", "2024-05-02T00:00:00.000Z"),
    ("31 Dec 2023 24:00:00 +0100", "2023-12-31T23:00:00.000Z"),
    ("2024-05-01 10:00:00", "2024-05-01T10:00:00.000Z"), ("2024-05-01", "2024-05-01T00:00:00.000Z"),
  ])
  func `the date formats of feeds are read`(_ text: String, _ time: String) {
    #expect(FeedDate.parse(text)?.time.text == time)
  }

  @Test func `the date is that of the publisher's time zone`() {
    #expect(FeedDate.parse("Wed, 01 May 2024 23:30:00 -0800")?.day.description == "2024-05-01")
    #expect(FeedDate.parse("2024-05-01T01:00:00+09:00")?.day.description == "2024-05-01")
  }

  @Test func `midnight at the end of a day belongs to the next day`() {
    #expect(FeedDate.parse("31 Dec 2023 24:00:00 +0100")?.day.description == "2024-01-01")
  }

  // Regression: year 1 was read as 2001.
  @Test(arguments: ["Mon, 01 Jan 0001 00:00:00 GMT", "0001-01-01T00:00:00Z", "1 Jan 9999"])
  func `the unset dates of programs are not dates`(_ text: String) {
    #expect(FeedDate.parse(text) == nil)
  }

  @Test(arguments: ["", "now", "32 May 2024", "30 Feb 2024", "10:00", "2024-13-01", "May", "0 0 0"])
  func `other texts are not dates`(_ text: String) {
    #expect(FeedDate.parse(text) == nil)
  }
}
