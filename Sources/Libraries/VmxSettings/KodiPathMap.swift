package import VmxModel

/// Maps folders of the library to Kodi's paths: the setting `kodi.path-map`.
///
/// The longest matching folder wins. A file outside all folders has the same path in Kodi.
///
///     let map = try KodiPathMap("/srv/media=smb://nas/media", home: "/home/anna")
///     map.path(of: "/srv/media/Girls/1.mp4")  // smb://nas/media/Girls/1.mp4
package struct KodiPathMap: Sendable, Equatable {
  private struct Pair: Sendable, Equatable {
    /// A local folder without a trailing slash.
    let local: String
    /// Kodi's path of the folder, without a trailing separator.
    let remote: String
    /// Whether Kodi's path uses Windows separators.
    let isOfWindows: Bool
  }

  /// The pairs, the longest local folder first.
  private var pairs: [Pair] = []

  /// Parses pairs of a local folder and Kodi's path, such as `/srv/media=smb://nas/media`,
  /// separated by `|`.
  ///
  /// - Parameter home: the home folder, which replaces `~`.
  /// - Throws: `bad-setting`.
  package init(_ text: String, home: String) throws(Failure) {
    for pair in text.split(separator: "|") {
      let sides = pair.split(separator: "=", maxSplits: 1).map(Self.trimmed)
      guard sides.count == 2, !sides[1].isEmpty, let local = Self.folder(sides[0], home) else {
        throw Failure(
          .badSetting,
          "'\(SettingKey.kodiPathMap.rawValue)' has no '=' pair in '\(Self.trimmed(pair))'",
          hint: "use /srv/media=smb://nas/media, and | between pairs")
      }
      pairs.append(
        Pair(
          local: Self.trimmingSeparators(local), remote: Self.trimmingSeparators(sides[1]),
          isOfWindows: sides[1].contains("\\") && !sides[1].contains("://")))
    }
    pairs.sort { $0.local.utf8.count > $1.local.utf8.count }
  }

  /// Returns Kodi's path of a file.
  ///
  /// - Parameter path: the absolute local path of the file.
  package func path(of path: String) -> String {
    for pair in pairs {
      let rest = path.utf8.dropFirst(pair.local.utf8.count)
      guard path.utf8.starts(with: pair.local.utf8), rest.first == UInt8(ascii: "/") else {
        continue
      }
      let below = String(Substring(rest))
      return pair.remote + (pair.isOfWindows ? below.replacing("/", with: "\\") : below)
    }
    return path
  }

  private static func folder(_ text: String, _ home: String) -> String? {
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    return text.hasPrefix("/") ? text : nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns a folder without trailing separators; `smb://` keeps them.
  private static func trimmingSeparators(_ folder: String) -> String {
    var folder = folder
    while let last = folder.last, last == "/" || last == "\\", !folder.hasSuffix("://") {
      folder.removeLast()
    }
    return folder
  }
}
