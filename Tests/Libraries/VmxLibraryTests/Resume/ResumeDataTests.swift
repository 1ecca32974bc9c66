import Testing
import VmxModel
import VmxTestSupport

@testable import VmxLibrary

@Suite struct ResumeDataTests {
  /// Returns a digest in place of that of the bytes in these tests.
  private func sha256(_ byte: UInt8) throws -> Digest {
    try #require(Digest(.sha256, bytes: [UInt8](repeating: byte, count: 32)))
  }

  private func data() throws -> ResumeData {
    try ResumeData(
      episode: try EpisodeID("show/s01e01"), part: "video", source: 42, url: "http://a.org/x",
      finalURL: "http://b.org/y",
      version: SourceVersion(
        validators: Validators(etag: "\"a\"", lastModified: "m", date: "d"), total: 20_000_000,
        published: sha256(1), contentType: "video/mp4"),
      completedRanges: ByteRangeSet([ByteRange(0..<9_000_000), ByteRange(12_582_912..<16_777_216)]),
      segments: [0: sha256(2), 1: sha256(3), 3: sha256(4)],
      tail: .init(end: 9_000_000, sha256: sha256(5)),
      rolling: [8_388_608: .init(end: 9_000_000, hash: 7)], boot: "boot", isProbed: true)
  }

  @Test func `resume data is read back as it was written`() throws {
    let data = try data()
    #expect(ResumeData(reading: data.line) == data)
  }

  @Test func `resume data is written with the bytes of earlier versions`() throws {
    var data = try data()
    data.isForeign = true
    func hex(_ byte: UInt8) throws -> String { try sha256(byte).hex }
    let line = String(decoding: data.line, as: UTF8.self)
    let first =
      #"{"version":1,"episode":"show/s01e01","part":"video","source":"000000000000002a","#
      + #""url":"http://a.org/x","final":"http://b.org/y","etag":"\"a\"","last_modified":"m","#
      + #""date":"d","total":20000000,"published":"\#(try hex(1))","type":"video/mp4","#
      + #""boot":"boot","probed":true,"foreign":true,"tail":[9000000,"\#(try hex(5))"],"#
    let held =
      #""held":[[0,9000000],[12582912,16777216]],"rolling":[[8388608,9000000,"#
      + #""0000000000000007"]],"segments":{"0":"\#(try hex(2))","1":"\#(try hex(3))","#
      + #""3":"\#(try hex(4))"}}"#
    #expect(line == first + held + "\n")
  }

  @Test func `the longer digest is one of the other function`() throws {
    var data = try data()
    data.version.published = Digest(.sha512, bytes: [UInt8](repeating: 9, count: 64))
    #expect(ResumeData(reading: data.line)?.version.published?.algorithm == .sha512)
  }

  @Test func `appended lines add to the first`() throws {
    let held = ByteRangeSet([ByteRange(0..<13_000_000)])
    var expected = try data()
    let sixth = try sha256(6)
    let bytes =
      expected.line
      + ResumeData.change(
        held: held, segments: [:], rolling: [8_388_608: .init(end: 12_000_000, hash: 8)])
      + ResumeData.change(
        held: held, segments: [2: sixth],
        rolling: [12_582_912: .init(end: 13_000_000, hash: 9)])
    expected.completedRanges = held
    expected.segments[2] = sixth
    expected.tail = nil
    expected.rolling = [12_582_912: .init(end: 13_000_000, hash: 9)]
    #expect(ResumeData(reading: bytes) == expected)
  }

  @Test func `a torn line ends the reading`() throws {
    let data = try data()
    let more = ResumeData.change(held: ByteRangeSet([ByteRange(0..<10)]), segments: [:])
    for count in 0..<more.count {
      #expect(ResumeData(reading: data.line + more[..<count]) == data)
    }
  }

  @Test func `a torn first line yields nothing`() throws {
    let line = try data().line
    for count in 0..<line.count { #expect(ResumeData(reading: Array(line[..<count])) == nil) }
  }

  @Test(arguments: [
    "{}", "[]", "null", "\0\0\0", "{\"version\":2}", "{\"version\":1,\"episode\":\"../x\"}",
  ])
  func `invalid resume data yields nothing`(_ text: String) {
    #expect(ResumeData(reading: Array("\(text)\n".utf8)) == nil)
  }

  @Test(arguments: [
    "\"held\":[[5,3]]", "\"held\":[[-1,3]]", "\"held\":[[1]]", "\"held\":7",
    "\"held\":[],\"segments\":{\"99999999999\":\"00\"}", "\"held\":[],\"segments\":{\"0\":\"zz\"}",
  ])
  func `impossible ranges and digests end the reading`(_ fields: String) throws {
    let data = try data()
    #expect(ResumeData(reading: data.line + Array("{\(fields)}\n".utf8)) == data)
  }

  /// Regression: with 0, 1, 2 and 100,000 a fetch waited for ever, because nothing was missing and
  /// the file was not complete.
  @Test(arguments: [-1, 0, 1, 2, 100_000, 9_000_000, 16_777_215])
  func `a total below the held bytes is ignored`(_ total: Int64) throws {
    var expected = try data()
    expected.version.total = total
    let line = expected.line
    expected.version.total = nil
    #expect(ResumeData(reading: line) == expected)
  }

  @Test func `a total equal to the held bytes is used, also after appended lines`() throws {
    var data = try data()
    data.version.total = 16_777_216
    #expect(ResumeData(reading: data.line)?.total == 16_777_216)
    let more = ByteRangeSet([ByteRange(0..<16_777_217)])
    let bytes = data.line + ResumeData.change(held: more, segments: [:])
    #expect(ResumeData(reading: bytes)?.total == nil)
  }

  @Test func `ranges beyond the end of the file are not trusted`() throws {
    let believed = try data().trustedRanges(fileSize: 5_000_000, boot: "boot")
    #expect(believed.ranges == [ByteRange(0..<5_000_000)])
  }

  @Test func `after another boot only ranges with a digest are trusted`() throws {
    var data = try data()
    #expect(data.trustedRanges(fileSize: 1 << 30, boot: "other") == data.completedRanges)
    data.tail = nil
    data.segments[1] = nil
    let ranges = data.trustedRanges(fileSize: 1 << 30, boot: "other").ranges
    #expect(ranges == [ByteRange(0..<4_194_304), ByteRange(12_582_912..<16_777_216)])
  }

  @Test func `a missing file yields no resume data`() throws {
    let scratch = try ScratchFolder()
    #expect(try ResumeData.load(scratch.path("none")) == nil)
  }
}
