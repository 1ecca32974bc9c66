/// Which NFO files are written, and what they tell.
package struct NFOSettings: Sendable, Equatable {
  /// Whether an NFO file is written beside each video: the setting `library.nfo`.
  package var isWanted: Bool
  /// Whether it tells what was watched, when, and where to go on: the setting `nfo.watched`.
  package var tellsWatched: Bool

  /// Creates settings.
  package init(isWanted: Bool, tellsWatched: Bool = false) {
    self.isWanted = isWanted
    self.tellsWatched = tellsWatched
  }

  /// Reads the settings.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    isWanted = try settings.bool(.libraryNFO)
    tellsWatched = try settings.bool(.nfoWatched)
  }
}
