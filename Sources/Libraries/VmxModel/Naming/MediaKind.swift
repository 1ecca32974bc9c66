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

  /// Whether a video part may be of this kind.
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

  /// Whether it is an image.
  package var isImage: Bool {
    switch self {
    case .jpeg, .png, .gif, .webp, .avif, .heic: true
    default: false
    }
  }

  /// Whether it is a subtitle format.
  package var isSubtitle: Bool {
    switch self {
    case .srt, .vtt, .ass: true
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
