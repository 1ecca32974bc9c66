import Synchronization
import VmxMarkup
import VmxModel

/// The lines of a list that are no URLs: comments of M3U, yt-dlp and wget, and the options that
/// aria2 reads below a URL. In M3U, a comment before a URL has its duration and title:
/// `#EXTINF:123,Title` (RFC 8216, section 4.3.2.1).
final class ListComments: Sendable {
  private struct Entry {
    var title: String?
    var duration: Int64?
  }

  private let next = Mutex(Entry())

  /// Returns whether a line is no URL; keeps what it says about the next one.
  func read(_ line: String) -> Bool {
    let tag = "#EXTINF:"
    if line.hasPrefix(tag) {
      let fields = line.dropFirst(tag.count)
      // The time in seconds may be followed by attributes, whose quoted values may contain commas.
      var isQuoted = false
      let comma = fields.firstIndex { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }
      let title = comma.map { String(fields[$0...].dropFirst()).trimmed } ?? ""
      // The times -1 and 0 mean that it is unknown.
      let time = fields.prefix { $0.isNumber || $0 == "." }
      let duration = PlayingTime.milliseconds(of: String(time)).flatMap { $0 > 0 ? $0 : nil }
      next.withLock { $0 = Entry(title: title.isEmpty ? nil : title, duration: duration) }
      return true
    }
    let option = line.prefix { $0.isLowercase || $0 == "-" }
    return line.first.map { "#;]".contains($0) } ?? false
      || !option.isEmpty && line[option.endIndex...].first == "="
  }

  /// Returns the tracks of an XSPF document as lines of M3U.
  ///
  /// - Throws: `bad-line` for another document, `resources-short`.
  static func rows(of document: [UInt8]) throws(Failure) -> [(text: String, line: Int)] {
    guard let list = try TrackList(document) else {
      throw Failure(
        .badLine, "standard input is a document, but not an XSPF playlist",
        hint: "give a URL in each line")
    }
    return list.tracks.flatMap { track in
      let seconds = track.duration.map { "\($0 / 1000).\(String($0 % 1000 + 1000).dropFirst())" }
      let comment = "#EXTINF:\(seconds ?? "-1"),\(track.title)"
      return [(comment, track.line), (track.location, track.line)]
    }
  }

  /// Adds the title and the duration of the comment before the URL, unless options give them.
  func describe(_ description: inout EpisodeDescription) {
    let entry = next.withLock { next in
      defer { next = Entry() }
      return next
    }
    if let title = entry.title, description.title == nil || description.derived.contains(.title) {
      description.title = title
    }
    description.duration = description.duration ?? entry.duration
  }
}
