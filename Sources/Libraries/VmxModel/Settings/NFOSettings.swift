/// The settings that decide which NFO files are written, and with which content.
package struct NFOSettings: Sendable, Equatable {
  /// Whether an NFO file is written beside each video: the setting `library.nfo`.
  package var isWanted: Bool
  /// Whether it contains the watched mark, its time, and the position to resume from: the setting
  /// `nfo.watched`.
  package var includesWatched: Bool

  /// Creates settings.
  package init(isWanted: Bool, includesWatched: Bool = false) {
    self.isWanted = isWanted
    self.includesWatched = includesWatched
  }

  /// Reads the settings.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    isWanted = try settings.bool(.libraryNFO)
    includesWatched = try settings.bool(.nfoWatched)
  }
}
