import VmxModel

/// The settings of the files that a library writes.
package struct FileSettings: Sendable {
  /// The template for the names of new files: the setting `library.template`.
  package var naming = NameTemplate.standard
  /// The settings of NFO files; by default none are written.
  package var nfo = NFOSettings.none

  /// The standard names, and no NFO files.
  package init() {}
}

/// The settings that decide which NFO files are written, and with which content.
package struct NFOSettings: Sendable, Equatable {
  /// Whether an NFO file is written beside each video: the setting `library.nfo`.
  package var isWanted: Bool
  /// Whether it contains the watched mark, its time, and the position to resume from: the setting
  /// `nfo.watched`.
  package var includesWatched = false

  /// No NFO files are written.
  package static let none = NFOSettings(isWanted: false)

  /// Creates settings of NFO files without watched marks.
  package init(isWanted: Bool) {
    self.isWanted = isWanted
  }
}
