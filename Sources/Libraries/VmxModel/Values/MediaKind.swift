/// The kind of a file by its first bytes; names and declared media types are ignored.
package enum MediaKind: String, Sendable, CaseIterable {
  // Containers that hold video
  case mp4, quicktime, threeGP = "3gp", matroska, webm, avi, flv, asf, mxf
  case mpegTS = "mpeg-ts", mpegPS = "mpeg-ps", oggVideo = "ogg-video", realMedia = "real-media"
  // Containers of audio only
  case m4a, mp3, aac, flac, wav, oggAudio = "ogg-audio"
  // Pictures
  case jpeg, png, gif, webp, avif, heic
  // Subtitles
  case srt, vtt, ass
  // Documents, and other responses of servers in place of a video
  case html, xml, json, hls, dash, torrent, pdf, gzip, zip

  /// Whether it is a container of video.
  package var isVideoContainer: Bool {
    switch self {
    case .mp4, .quicktime, .threeGP, .matroska, .webm, .avi, .flv, .asf, .mxf, .mpegTS, .mpegPS,
      .oggVideo, .realMedia:
      true
    default: false
    }
  }

  /// Whether it is an audio-only container, as in episodes without a picture.
  package var isAudioContainer: Bool {
    switch self {
    case .m4a, .mp3, .aac, .flac, .wav, .oggAudio: true
    default: false
    }
  }

  /// Whether it can be the main file of an episode: video, or audio without a picture.
  package var isMedium: Bool { isVideoContainer || isAudioContainer }

  /// Whether it is an image.
  package var isImage: Bool {
    switch self {
    case .jpeg, .png, .gif, .webp, .avif, .heic: true
    default: false
    }
  }

  /// Whether it is a text: a subtitle or a document of markup.
  package var isText: Bool {
    switch self {
    case .srt, .vtt, .ass, .html, .xml, .json, .hls, .dash: true
    default: false
    }
  }

  /// The usual file extension, without its dot.
  package var fileExtension: String {
    switch self {
    case .quicktime: "mov"
    case .matroska: "mkv"
    case .asf: "wmv"
    case .mpegTS: "ts"
    case .mpegPS: "mpg"
    case .oggVideo: "ogv"
    case .oggAudio: "ogg"
    case .realMedia: "rm"
    case .jpeg: "jpg"
    case .hls: "m3u8"
    case .dash: "mpd"
    case .gzip: "gz"
    default: rawValue
    }
  }
}

/// Detects the kind of a file by magic numbers, then by the beginning of text formats. The first 4
/// KiB are enough for every kind; fewer bytes suffice if they contain the magic number.
extension MediaKind {
  /// The number of leading bytes to inspect.
  package static let sniffLength = 4096

  /// Returns the kind of the file that begins with these bytes; nil if it is not recognised.
  package static func sniff(_ first: some Collection<UInt8>) -> MediaKind? {
    let bytes = Array(first.prefix(sniffLength))
    return isoMedia(bytes) ?? riffOrOgg(bytes) ?? fixedMagic(bytes) ?? transportStream(bytes)
      ?? text(bytes) ?? mpegAudio(bytes)
  }

  /// ISO base media files and QuickTime: a box of a plausible length and a known type.
  private static func isoMedia(_ bytes: [UInt8]) -> MediaKind? {
    guard bytes.count >= 8 else { return nil }
    let length = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard length >= 8 || length <= 1 else { return nil }
    switch ascii(bytes, at: 4, count: 4) {
    case "ftyp":
      guard length >= 12, bytes.count >= 12 else { return nil }
      return brand(ascii(bytes, at: 8, count: 4))
    case "moov", "mdat", "wide", "pnot": return .quicktime
    case "free", "skip":
      // An empty leading box: the next box decides, if its bytes are available.
      return length >= 8 && length + 8 <= bytes.count
        ? isoMedia(Array(bytes[length...])) : .quicktime
    default: return nil
    }
  }

  private static func brand(_ brand: String) -> MediaKind {
    switch brand {
    case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": .m4a
    case "qt  ": .quicktime
    case "avif", "avis": .avif
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": .heic
    case let other where other.hasPrefix("3g"): .threeGP
    default: .mp4
    }
  }

  private static func riffOrOgg(_ bytes: [UInt8]) -> MediaKind? {
    switch ascii(bytes, at: 0, count: 4) {
    case "RIFF", "RF64":
      switch ascii(bytes, at: 8, count: 4) {
      case "AVI ": return .avi
      case "WAVE": return .wav
      case "WEBP": return .webp
      default: return nil
      }
    case "OggS":
      // The first pages list all streams of the file.
      return ["theora", "BBCD", "OVP80", "fishead"].contains { contains(bytes, $0) }
        ? .oggVideo : .oggAudio
    default: return nil
    }
  }

  private static let magics: [(magic: [UInt8], kind: MediaKind)] = [
    (Array("FLV\u{1}".utf8), .flv),
    ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .asf),
    ([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01], .mxf),
    ([0, 0, 1, 0xBA], .mpegPS), ([0, 0, 1, 0xB3], .mpegPS),
    (Array(".RMF".utf8), .realMedia),
    (Array("fLaC".utf8), .flac), (Array("ID3".utf8), .mp3),
    ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
    (Array("%PDF-".utf8), .pdf), ([0x1F, 0x8B, 8], .gzip), ([0x50, 0x4B, 3, 4], .zip),
    (Array("d8:announce".utf8), .torrent), (Array("d13:announce-list".utf8), .torrent),
  ]

  private static func fixedMagic(_ bytes: [UInt8]) -> MediaKind? {
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      return contains(Array(bytes.prefix(128)), "webm") ? .webm : .matroska
    }
    return magics.first { bytes.starts(with: $0.magic) }?.kind
  }

  /// MPEG transport streams: packets of 188 bytes, or of 192 with a timestamp, with one sync byte.
  private static func transportStream(_ bytes: [UInt8]) -> MediaKind? {
    for (start, step) in [(0, 188), (4, 192)] where bytes.count > start + step {
      let offsets = stride(from: start, to: bytes.count, by: step).prefix(8)
      if offsets.allSatisfy({ bytes[$0] == 0x47 }) { return .mpegTS }
    }
    return nil
  }

  /// MPEG audio without tags: two frames, the second where the first ends (ISO/IEC 11172-3, section
  /// 2.4.1.3, and ISO/IEC 13818-7, annex 1.2). One header alone is also the beginning of many other
  /// files, such as text in UTF-16.
  private static func mpegAudio(_ bytes: [UInt8]) -> MediaKind? {
    guard let first = frame(bytes[...]), bytes.count > first.length + 4,
      let second = frame(bytes[first.length...]), second.kind == first.kind
    else { return nil }
    return first.kind
  }

  /// The kind and the length in bytes of the audio frame whose header begins the bytes.
  private static func frame(_ bytes: ArraySlice<UInt8>) -> (kind: MediaKind, length: Int)? {
    let head = bytes.prefix(6).map(Int.init)
    guard head.count == 6, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    if head[1] & 0xF6 == 0xF0 {
      let length = (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5
      return length > 6 ? (.aac, length) : nil
    }
    let (version, layer) = (head[1] >> 3 & 3, 4 - (head[1] >> 1 & 3))
    let (rate, sampling) = (head[2] >> 4, head[2] >> 2 & 3)
    guard version != 1, layer != 4, (1...14).contains(rate), sampling != 3 else { return nil }
    let isFirstVersion = version == 3
    let rates = isFirstVersion ? bitRates[layer - 1] : lowBitRates[layer == 1 ? 0 : 1]
    let kilobits = rates[rate - 1]
    let hertz = [44_100, 48_000, 32_000][sampling] >> (isFirstVersion ? 0 : version == 2 ? 1 : 2)
    let padding = head[2] >> 1 & 1
    guard layer != 1 else { return (.mp3, (12_000 * kilobits / hertz + padding) * 4) }
    let samples = layer == 3 && !isFirstVersion ? 72_000 : 144_000
    return (.mp3, samples * kilobits / hertz + padding)
  }

  /// The bit rates of MPEG-1 in kbit/s by layer, from index 1 on.
  private static let bitRates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ]
  /// The bit rates of MPEG-2 and 2.5 in kbit/s: layer I, then layers II and III.
  private static let lowBitRates = [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  private static func text(_ bytes: [UInt8]) -> MediaKind? {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D, 0x0C].contains($0) }
    let front = String(decoding: rest, as: UTF8.self).lowercased()
    if front.hasPrefix("#extm3u") { return .hls }
    if front.hasPrefix("webvtt") { return .vtt }
    if front.hasPrefix("[script info]") { return .ass }
    if front.hasPrefix("<") { return markup(front) }
    if front.hasPrefix("{") || front.hasPrefix("[{") { return .json }
    return isSubRip(front) ? .srt : nil
  }

  private static func markup(_ front: String) -> MediaKind? {
    let starts = ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<meta"]
    if starts.contains(where: front.hasPrefix) { return .html }
    if front.contains("<mpd") { return .dash }
    if front.contains("<html") || front.contains("<!doctype html") { return .html }
    let isElement = front.dropFirst().first.map { $0 == "?" || $0 == "!" || $0.isLetter } ?? false
    return isElement ? .xml : nil
  }

  /// Whether the text begins with a line of only a number and a line of two times with an arrow.
  private static func isSubRip(_ front: String) -> Bool {
    let lines = front.split(maxSplits: 2, whereSeparator: \.isNewline)
    guard lines.count >= 2, lines[1].contains("-->") else { return false }
    let number = lines[0].filter { $0 != " " }
    return !number.isEmpty && number.utf8.allSatisfy { $0.isASCIIDigit }
  }

  private static func ascii(_ bytes: [UInt8], at start: Int, count: Int) -> String {
    guard bytes.count >= start + count else { return "" }
    return String(decoding: bytes[start..<start + count], as: UTF8.self)
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
  }
}
