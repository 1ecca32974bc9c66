import SystemPackage
import VmxMarkup
import VmxModel
import VmxNaming
import VmxSystem

extension LegacyKind {
  /// The number of bytes read from the start of a file to detect its format.
  private static let prefix = 1 << 16

  /// Guesses the kind from a database or property list in a folder; nil if there is none.
  static func ofStore(_ folder: LegacyFolder) -> LegacyKind? {
    let files = folder.files.filter { !$0.name.contains("/") }
    let names = Set(files.map(\.name))
    var kinds: Set<LegacyKind> = []
    for file in files where !CompanionFileName.isVideo(LegacyName(file.name).fileExtension) {
      // The reader reports a file that cannot be read.
      guard let bytes = try? RegularFile.prefix(of: file.path, upTo: prefix) else { continue }
      let isDatabase = bytes.starts(with: "SQLite format 3\0".utf8)
      guard isDatabase || PropertyList.isMarked(bytes) else { continue }
      let text = String(decoding: bytes.filter { $0 < 0x80 && $0 != 0 }, as: UTF8.self)
      if isDatabase {
        // The first page of a database contains the statements that create its tables.
        if text.contains("Z_PRIMARYKEY") { kinds.insert(.coreData) }
        if file.name == GPodderReader.database,
          text.contains("podcast") || names.contains(GPodderReader.subscriptions)
        {
          return .gpodder
        }
      } else if folder.isSingleFile || text.contains("NSURLSessionDownloadURL")
        || ["remoteURL", "downloadURL", "sourceURL"].contains(where: { text.contains($0) })
      {
        kinds.insert(.propertyList)
      }
    }
    if kinds.isEmpty, names.contains(GPodderReader.subscriptions),
      folder.files.contains(where: { $0.name.hasPrefix(GPodderReader.downloads) })
    {
      return .gpodder
    }
    return kinds.contains(.coreData) ? .coreData : kinds.first
  }

  /// Whether the name of a file may be that of a store, so that its folder is examined.
  static func mayBeStore(_ name: LegacyName) -> Bool {
    [GPodderReader.database, GPodderReader.subscriptions].contains(name.last)
      || ["plist", "sqlite", "sqlite3", "db", "storedata"].contains(name.fileExtension)
  }
}
