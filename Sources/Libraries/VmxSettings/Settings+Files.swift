package import VmxModel
package import VmxNaming

extension Settings {
  /// Reads the settings of the files that a library writes.
  ///
  /// - Throws: `bad-setting`.
  package func files() throws(Failure) -> FileSettings {
    var files = FileSettings()
    files.naming = try nameTemplate(.libraryTemplate)
    files.nfo = try nfo()
    return files
  }

  /// Reads the settings of NFO files.
  ///
  /// - Throws: `bad-setting`.
  package func nfo() throws(Failure) -> NFOSettings {
    var nfo = NFOSettings(isWanted: try bool(.libraryNFO))
    nfo.includesWatched = try bool(.nfoWatched)
    return nfo
  }
}
