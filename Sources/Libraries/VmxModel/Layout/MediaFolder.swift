/// The names of folders for media files below a root.
package enum MediaFolder {
  /// The maximum length of the show's title in bytes, in its folder and in the stem.
  package static let maxShowLength = 100
  /// The maximum number of nested folders in a rule.
  private static let maxFolders = 4
  /// The description of a text that `isValid` accepts, for messages and the manual.
  package static let allowed =
    "a relative folder with names that are valid on every file system"

  /// Whether a text is a folder for media files below a root: at most four names of at most 100
  /// bytes, separated by slashes. `SafeName` must leave each name unchanged. So none is empty,
  /// `..`, absolute or hidden, and none has control characters or those that other file systems
  /// reject.
  package static func isValid(_ text: String) -> Bool {
    let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return names.count <= maxFolders
      && names.allSatisfy {
        !$0.isEmpty && $0.utf8.count <= maxShowLength
          && SafeName.component($0).utf8.elementsEqual($0.utf8)
      }
  }

  /// Returns the name of the folder of a show.
  ///
  /// - Parameters:
  ///   - id: the id of an episode.
  ///   - title: the title of the show.
  package static func name(ofShow id: EpisodeID, title: String) -> String {
    let name = SafeName.component(title, limit: maxShowLength)
    return name.isEmpty ? id.show : name
  }
}
