import Testing
import VmxModel
import VmxTestSupport

struct MediaKindTests {
  @Test(arguments: [
    ("\0\0\0\u{18}ftypisom", MediaKind.mp4), ("\0\0\0\u{18}ftypM4A ", .m4a),
    ("\0\0\0\u{18}ftypqt  ", .quicktime), ("\0\0\0\u{18}ftyp3gp5", .threeGP),
    ("\0\0\0\u{18}ftypavif", .avif), ("\0\0\0\u{18}moov", .quicktime),
    ("\0\0\0\u{8}free\0\0\0\u{18}ftypisom", .mp4), ("\0\0\0\u{8}wide", .quicktime),
    ("RIFF\u{1}\u{1}\u{1}\u{1}AVI LIST", .avi), ("RIFFxxxxWAVE", .wav), ("RIFFxxxxWEBP", .webp),
    ("OggS..............\u{1}vorbis", .oggAudio), ("OggS.........theora", .oggVideo),
    ("FLV\u{1}\u{5}", .flv), (".RMF\0", .realMedia), ("ID3\u{3}", .mp3), ("fLaC\0", .flac),
    ("GIF89a", .gif), ("%PDF-1.7", .pdf), ("PK\u{3}\u{4}", .zip), ("d8:announce4:", .torrent),
    ("<!DOCTYPE html><p>", .html), ("\u{FEFF}\n  <HTML>", .html),
    ("<!-- x --><html>", .html), ("<?xml version=\"1.0\"?><html>", .html),
    ("<?xml version=\"1.0\"?><MPD>", .dash), ("<?xml version=\"1.0\"?><rss>", .xml),
    ("#EXTM3U\n", .hls), ("WEBVTT\n\n", .vtt), ("[Script Info]\n", .ass), ("{\"a\":1}", .json),
    ("\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,000\r\nHi", .srt),
  ])
  func `the kind is determined by the first bytes`(text: String, kind: MediaKind) {
    #expect(MediaKind.sniff(text.utf8) == kind)
  }

  @Test func `kinds with binary signatures are recognised too`() {
    #expect(MediaKind.sniff([0x1A, 0x45, 0xDF, 0xA3] + Array("....webm".utf8)) == .webm)
    #expect(MediaKind.sniff([0x1A, 0x45, 0xDF, 0xA3] + Array("matroska".utf8)) == .matroska)
    #expect(MediaKind.sniff([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(MediaKind.sniff([0, 0, 1, 0xBA, 0x44]) == .mpegPS)
    #expect(MediaKind.sniff([0x1F, 0x8B, 8, 0]) == .gzip)
  }

  @Test func `transport streams are recognised by the distance of their sync bytes`() {
    var packets = [UInt8](repeating: 0xFF, count: 188 * 3)
    for start in [0, 188, 376] { packets[start] = 0x47 }
    #expect(MediaKind.sniff(packets) == .mpegTS)
    packets[188] = 0
    #expect(MediaKind.sniff(packets) == nil)
    #expect(MediaKind.sniff("Gold".utf8) == nil)
    var stamped = [UInt8](repeating: 0, count: 192 * 3)
    for start in [4, 196, 388] { stamped[start] = 0x47 }
    #expect(MediaKind.sniff(stamped) == .mpegTS)
  }

  @Test(arguments: [
    ([0xFF, 0xFB, 0x90, 0], 417, MediaKind.mp3), ([0xFF, 0xFB, 0x92, 0], 418, .mp3),
    ([0xFF, 0xF3, 0x40, 0], 104, .mp3), ([0xFF, 0xFD, 0x84, 0], 384, .mp3),
    ([0xFF, 0xFF, 0x14, 0], 32, .mp3), ([0xFF, 0xF1, 0x50, 0x80, 0x08, 0x3F], 65, .aac),
  ])
  func `audio frames are recognised by the next frame`(
    head: [UInt8], length: Int, kind: MediaKind
  ) {
    let frame = head + [UInt8](repeating: 0, count: length - head.count)
    #expect(MediaKind.sniff(frame + frame) == kind)
    #expect(MediaKind.sniff(frame) == nil)
    #expect(MediaKind.sniff(frame + [0] + frame) == nil)
  }

  @Test func `text in UTF-16 is no audio`() {
    let text = Array("Hello, world. ".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(MediaKind.sniff([0xFF, 0xFE] + Array(repeating: text, count: 200).joined()) == nil)
  }

  @Test(arguments: [
    "", "hello", "\0\0\0\0\0\0\0\0\0\0\0\0", "0123456789", "ftyp", "\0\0\0\u{4}ftypisom",
    "RIFFxxxxACON", "1\nno arrow",
  ])
  func `unknown bytes have no kind`(text: String) {
    #expect(MediaKind.sniff(text.utf8) == nil)
  }

  @Test func `only video containers may become a video`() {
    let video = MediaKind.allCases.filter(\.isVideoContainer)
    #expect(video.count == 13)
    #expect(!video.contains { $0.isAudioContainer || $0.isImage })
    #expect(!MediaKind.html.isVideoContainer)
    #expect(MediaKind.allCases.allSatisfy { (1...7).contains($0.fileExtension.utf8.count) })
  }

  @Test func `any bytes are classified without a crash`() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<64, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count > 8, Bool.random(using: &random) {
        bytes.replaceSubrange(4..<8, with: Array("free".utf8))
        bytes.replaceSubrange(0..<3, with: [0, 0, 0])
      }
      _ = MediaKind.sniff(bytes)
    }
  }
}
