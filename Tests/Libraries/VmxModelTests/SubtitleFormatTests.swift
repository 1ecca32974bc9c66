import Testing
import VmxModel
import VmxTestSupport

struct SubtitleFormatTests {
  private func format(_ text: String, declared: String? = nil) -> SubtitleFormat? {
    SubtitleFormat(of: Array(text.utf8), declared: declared)
  }

  @Test(
    arguments: [
      ("1\n00:00:01,000 --> 00:00:02,000\nHello\n", .srt),
      ("1\r\n0:0:1,5 --> 0:0:2,5  X1:0 X2:9\r\nHello\r\n", .srt),
      ("\n\n00:01.5-->00:02.5\nno number\n", .srt),
      ("7\n\n100:00:01.000 --> 100:00:02.000\n", .srt),
      ("WEBVTT\n", .vtt), ("WEBVTT - a title\n\n", .vtt), ("WEBVTT\tx\n", .vtt),
      ("[Script Info]\nScriptType: v4.00+\n", .ass), ("[script info]\nScriptType: v4.00\n", .ssa),
      ("<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\">", .ttml),
      ("<tt:tt xmlns:tt=\"x\">", .ttml), ("<SAMI><HEAD></HEAD><BODY></BODY></SAMI>", .smi),
      ("0:00:00.378,0:00:11.378\nHello\n", .sbv), ("{120}{180}Hello\n", .sub),
    ] as [(String, SubtitleFormat)])
  func `the content of the text decides`(text: String, wanted: SubtitleFormat) {
    #expect(format(text) == wanted)
  }

  @Test(arguments: [
    "", "\n \n", "Hello\n", "WEBVTTX\n", "1\nHello --> there\n", "00:00:01,000 -> 00:00:02,000\n",
    "<html><body>1\n00:00:01,000 --> 00:00:02,000\n</body></html>", "<rss></rss>",
    "{\"error\":\"not found\"}", "{a}{b}Hello", "1,2\n", "#EXTM3U\n",
  ])
  func `a text without a known format has none`(text: String) {
    #expect(format(text) == nil)
  }

  /// The start of an MPEG-2 pack, up to the start code of its first packet.
  private static let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xF8, 0, 0, 1]
  private static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  @Test(
    arguments: [
      (Array("# VobSub index file, v7\n".utf8), .idx), (pack + [0xBD], .sub), (pack + [0xE0], nil),
      (Array("PG".utf8) + [0, 0, 0, 1, 0, 0, 0, 0, 0x16, 0, 0], .sup),
      (Array("PG".utf8) + [0, 0, 0, 1, 0, 0, 0, 0, 0x16], nil), (Array("PG is a text".utf8), nil),
      (matroska + [0x86, 0x86] + Array("S_HDMV".utf8), .mks), (matroska, nil),
      (matroska + [0x86, 0x83] + Array("S_A".utf8) + [0x86, 0x83] + Array("V_A".utf8), nil),
      (Array("1\n00:00:01,000 --> 00:00:02,000\nHello\n".utf8), nil), ([], nil),
    ] as [([UInt8], SubtitleFormat?)])
  func `binary formats are recognised by their first bytes`(
    bytes: [UInt8], wanted: SubtitleFormat?
  ) {
    #expect(SubtitleFormat(ofBinary: bytes) == wanted)
  }

  @Test func `a transcript is recognised only by the declaration of its publisher`() {
    #expect(format("{\"segments\":[]}", declared: "application/json") == .json)
    #expect(format("Anna: hello.\n", declared: "text/plain") == .txt)
    #expect(format("{\"segments\":[]}", declared: "text/plain") == nil)
    #expect(format("Anna: hello.\n", declared: "application/json") == nil)
    #expect(format("<html></html>", declared: "text/html") == nil)
    #expect(format("WEBVTT\n", declared: "application/json") == .vtt)
  }

  @Test(
    .disabled(if: !RealData.isHere, "\(RealData.absence)"),
    arguments: [
      ("jellyfin/example.ass", .ass), ("jellyfin/example.srt", .srt),
      ("pysrt/no-indexes.srt", .srt), ("pysubs2/ttml_example.ttml", .ttml),
      ("pysubs2/ttml_example_apple.ttml", .ttml), ("webvtt-py/cue_tags.vtt", .vtt),
      ("webvtt-py/captions_with_bom.vtt", .vtt), ("webvtt-py/invalid.vtt", .srt),
      ("webvtt-py/metadata_headers.vtt", .vtt), ("webvtt-py/missing_timeframe.srt", .srt),
      ("webvtt-py/netflix_chicas_del_cable.vtt", .vtt), ("webvtt-py/styles_colours.srt", .srt),
      ("webvtt-py/non_padded_timestamps.vtt", .vtt), ("webvtt-py/sample.sbv", .sbv),
      ("webvtt-py/styles_with_comments.vtt", .vtt), ("webvtt-py/invalid_format1.srt", nil),
      ("webvtt-py/invalid_format3.srt", nil),
    ] as [(String, SubtitleFormat?)])
  func `real files are recognised`(name: String, wanted: SubtitleFormat?) throws {
    var bytes = try RealData.bytes("subtitles/\(name)")
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    #expect(SubtitleFormat(of: bytes) == wanted)
  }
}
