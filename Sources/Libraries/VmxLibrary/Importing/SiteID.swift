package import VmxModel
import VmxNaming

/// Ids of videos at YouTube, in names of files and in URLs of pages. Their form tells the site.
package enum SiteID {
  /// The number of changes between kinds of letters from which a word is no word of a title.
  private static let minChanges = 4

  /// Returns the key of an id that has the form of those of YouTube; nil for another id.
  package static func key(_ id: String) -> IdentityKey? {
    let isOne =
      id.utf8.count == 11
      && id.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
    return isOne ? YtDlpInfo.key(archiveLine: "youtube \(id)") : nil
  }

  /// Returns the key of the video on a page of YouTube; nil for another page.
  package static func key(ofPage page: WebURL) -> IdentityKey? {
    let names = page.host.split(separator: ".")
    if page.host == "youtu.be" { return key(page.lastPathComponent) }
    guard names.suffix(2) == ["youtube", "com"] else { return nil }
    let fields = page.query?.split(separator: "&") ?? []
    if let id = fields.first(where: { $0.hasPrefix("v=") }) { return key(String(id.dropFirst(2))) }
    return ["/shorts/", "/live/", "/embed/"].contains(where: page.path.hasPrefix)
      ? key(page.lastPathComponent) : nil
  }

  /// Returns the URL of the page of an id; nil for an id of another form.
  package static func page(_ id: String) -> String? {
    key(id) == nil ? nil : "https://www.youtube.com/watch?v=\(id)"
  }

  /// Returns the id in square brackets at the end of a stem; nil if there is none.
  package static func bracketed(in stem: String) -> String? {
    guard stem.hasSuffix("]"), let start = stem.lastIndex(of: "[") else { return nil }
    let id = String(stem[stem.index(after: start)...].dropLast())
    return id.isEmpty || id.contains(" ") ? nil : id
  }

  /// Whether a word in brackets is an id without further evidence: capital and small letters and
  /// digits alternate as in no word of a title, and it names no release.
  package static func isCertain(_ id: String) -> Bool {
    guard key(id) != nil, !TagTitle.isOfRelease(id) else { return false }
    let kinds = id.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): 0
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): 2
      default: 3
      }
    }
    return kinds.contains(0) && kinds.contains(1)
      && zip(kinds, kinds.dropFirst()).count { $0 != $1 } >= minChanges
  }
}
