/// What a file is by its first bytes; names and media types from outside are not asked.
package enum MediaKind: String, Sendable, CaseIterable {
  // Containers that hold video
  case mp4, quicktime, threeGP = "3gp", matroska, webm, avi, flv, asf, mxf
  case mpegTS = "mpeg-ts", mpegPS = "mpeg-ps", oggVideo = "ogg-video", realMedia = "real-media"
  // Containers that hold sound alone
  case m4a, mp3, aac, flac, wav, oggAudio = "ogg-audio"
  // Pictures
  case jpeg, png, gif, webp, avif, heic
  // Subtitles
  case srt, vtt, ass
  // Documents, and what servers send instead of a video
  case html, xml, json, hls, dash, torrent, pdf, gzip, zip

  /// Whether a video part may be of this kind.
  package var isVideoContainer: Bool {
    switch self {
    case .mp4, .quicktime, .threeGP, .matroska, .webm, .avi, .flv, .asf, .mxf, .mpegTS, .mpegPS,
      .oggVideo, .realMedia:
      true
    default: false
    }
  }

  /// Whether it is a container of sound alone, as episodes without a picture have it.
  package var isAudioContainer: Bool {
    switch self {
    case .m4a, .mp3, .aac, .flac, .wav, .oggAudio: true
    default: false
    }
  }

  /// Whether it is a picture.
  package var isImage: Bool {
    switch self {
    case .jpeg, .png, .gif, .webp, .avif, .heic: true
    default: false
    }
  }

  /// Whether it is a kind of subtitles.
  package var isSubtitle: Bool {
    switch self {
    case .srt, .vtt, .ass: true
    default: false
    }
  }

  /// The usual ending of such files, without its dot.
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
