/// Hints for URLs that vmx cannot fetch as a file.
package enum SourceAdvice {
  /// The hint for pages with a video, which yt-dlp can read.
  static let page = "for a page with a video, run \(recipe())"
  /// The hint for streams in segments.
  static let stream = "run yt-dlp URL to save it as a file, then 'vmx add FILE'"
  /// The hint for torrents.
  static let torrent = "download it with a BitTorrent client, then run 'vmx add FILE'"
  /// The hint for feeds.
  static let feed = "run 'vmx feed add URL' to subscribe to a feed"

  /// Returns the hint for a local file that fails with a code; nil if the catalogue's hint fits.
  static func file(for code: ErrorCode) -> String? {
    switch code {
    case .notMedia: "give a video in a container such as mp4 or mkv"
    case .notSubtitle: "give a subtitle file such as srt or vtt"
    case .notImage: "give a picture such as jpg or png"
    default: nil
    }
  }

  /// Returns the meaning of a URL with another scheme than http or https, and a hint; nil for an
  /// unknown scheme.
  static func scheme(_ name: String) -> (what: String, hint: String)? {
    switch name {
    case "magnet": ("a magnet link", torrent)
    case "feed", "itpc", "pcast", "podcast": ("the URL of a feed", feed)
    case "file": ("the URL of a local file", "give its path: 'vmx add FILE'")
    case "ftp", "ftps", "sftp", "scp", "smb":
      ("a URL of another protocol", "download it with another program, then run 'vmx add FILE'")
    case "rtsp", "rtmp", "rtmps", "mms": ("a stream", stream)
    default: nil
    }
  }

  /// Returns the hint for a URL of another scheme than http or https; nil for any other text.
  package static func otherScheme(of text: String) -> String? {
    scheme(text.prefix { $0 != ":" }.lowercased())?.hint
  }

  /// Returns a URL whose slashes were mistyped, such as `http:/example.org/a.mp4`, with two slashes
  /// and redacted; nil for any other text.
  package static func withSlashes(_ text: String) -> String? {
    guard let scheme = ["http:", "https:"].first(where: { text.lowercased().hasPrefix($0) })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    guard !rest.hasPrefix("//") || rest.hasPrefix("///") else { return nil }
    let host = rest.drop { $0 == "/" }
    return host.isEmpty ? nil : URLRedaction.redacted("\(scheme)//\(host)")
  }

  /// Returns the meaning of a response with a media type or kind of file; nil if its name already
  /// says it.
  package static func response(_ type: String) -> String? {
    switch type {
    case "html", "text/html", "application/xhtml+xml": "a web page"
    case "xml", "application/rss+xml", "application/atom+xml": "a feed, or another document"
    case "hls", "dash": "a streaming playlist"
    case "torrent": "a torrent"
    default: nil
    }
  }

  /// Returns a text with `https://` before it, if it looks like a URL without its scheme:
  /// `www.example.org/film.mp4`. Nil for paths, ids and other names.
  package static func withScheme(_ text: String) -> String? {
    let host = text.prefix { !"/:?#".contains($0) }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    let isDomain =
      (2...63).contains(labels.last?.count ?? 0) && labels.last?.allSatisfy(\.isLetter) == true
    let isPath =
      text.count > host.count + 1 && text[host.endIndex...].first.map("/:".contains) == true
    guard labels.count > 1, isName, isDomain, isPath || labels[0] == "www" else { return nil }
    return "https://\(text)"
  }

  /// Adds a suggested URL to the failure of an operand that is neither a file nor an episode.
  package static func guessing(_ failure: Failure, of text: String) -> Failure {
    guard let url = withScheme(text) else { return failure }
    let shown = URLRedaction.redacted(url)
    let what = URLRedaction.redacted(operand: text)
    return Failure(
      .badURL, "'\(what)' is not a URL: no https:// or http://", hint: "give '\(shown)'")
  }

  /// Sites whose URLs are pages, including their subdomains.
  private static let videoSites = [
    "youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "twitch.tv", "tiktok.com",
    "ardmediathek.de", "zdf.de", "arte.tv",
  ]

  /// Rejects URLs that are never files: pages of a video site, and URLs in the form of a feed.
  ///
  /// - Throws: `source-unsupported`.
  package static func checkIsFile(_ url: WebURL) throws(Failure) {
    try checkIsNoPage(url)
    let isFeed =
      ["rss", "atom", "rdf", "xml"].contains(url.fileExtension)
      || ["feed", "rss", "atom"].contains(url.lastPathComponent.lowercased())
    guard isFeed else { return }
    throw Failure(
      .sourceUnsupported, "'\(URLRedaction.redacted(url))' is the URL of a feed, not of a file",
      hint: feed)
  }

  /// Rejects the URL of a page of a video site.
  ///
  /// - Throws: `source-unsupported`.
  package static func checkIsNoPage(_ url: WebURL) throws(Failure) {
    let isSite = videoSites.contains { url.host == $0 || url.host.hasSuffix(".\($0)") }
    guard isSite, url.fileExtension.isEmpty else { return }
    throw Failure(
      .sourceUnsupported, "'\(URLRedaction.redacted(url))' is a page of a video site, not a file",
      hint: "run \(recipe())")
  }

  /// Returns the command that adds the video of a page.
  ///
  /// - Parameter page: the URL of the page as a word of a shell.
  static func recipe(for page: String = "URL") -> String {
    "yt-dlp -J \(page) | vmx add --from yt-dlp"
  }
}
