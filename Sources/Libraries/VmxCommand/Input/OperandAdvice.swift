import VmxModel
package import SystemPackage
import VmxSystem

extension CommandContext {
  /// Returns what to do with a word of the command line that is not what the tool takes, by what it
  /// is: a URL, a file or a folder that exists, or several ids in quotes. Nil for any other word.
  package func hint(forOperand text: String) -> String? {
    if WebURL.isMeant(by: text) {
      return SourceAdvice.otherScheme(of: text) ?? "run 'vmx fetch URL' to download it"
    }
    if let url = SourceAdvice.withSlashes(text) { return "give '\(url)'" }
    let words = text.split(separator: " ")
    if words.count > 1, words.allSatisfy({ EpisodeID(typed: String($0)) != nil }) {
      return "give each id as a word of its own, without quotes"
    }
    let path = environment.absolute(argument: text)
    guard !text.isEmpty, text != "-", exists(path) else { return nil }
    let word = ShellWord.quoted(text)
    guard !isFolder(path) else {
      return exists(path.appending("bagit.txt"))
        ? "run 'vmx import \(word)' to add the episodes of this bundle"
        : "run 'vmx migrate \(word)' to take over the videos in this folder"
    }
    switch path.extension?.lowercased() {
    case "torrent": return "download it with a BitTorrent client, then run 'vmx add FILE'"
    case "m3u8", "mpd": return "a streaming playlist; run yt-dlp with its URL, then 'vmx add FILE'"
    case "opml": return "run 'vmx feed import \(word)' to subscribe to its feeds"
    case "tar", "zst", "tzst", "zip", "7z":
      return "run 'vmx import \(word)' to add the episodes of this bundle"
    case "txt", "list", "urls", "m3u":
      return "run 'vmx add - < \(word)' to add the URLs in this file"
    case "srt", "vtt", "ass", "ssa", "nfo", "json", "part": return nil
    default: return "run 'vmx add \(word)' to add this file"
    }
  }

  /// Whether something exists at a path; false also if that cannot be determined.
  package func exists(_ path: FilePath) -> Bool {
    do throws(FileError) {
      return try FileFacts.of(path) != nil
    } catch {
      return false
    }
  }
}
