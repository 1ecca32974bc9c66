package import VmxModel

extension LegacyKind {
  /// The reader of this kind; nil for a kind that this version does not read.
  package func reader(_ tools: LegacyTools) -> (any LegacyReader)? {
    switch self {
    case .ytDlp: YtDlpReader()
    case .getIplayer: GetIplayerReader()
    case .coreData: CoreDataReader(tools)
    case .gpodder: GPodderReader(tools)
    case .propertyList: PropertyListReader()
    case .tree: TreeReader()
    case .aria2: Aria2Reader(tools.sources)
    case .wget, .curl: DownloadedFileReader(self, tools.sources)
    case .browser: BrowserReader(tools.sources)
    case .vmx: nil
    }
  }

  /// Whether all paths of this kind are read together, since records in one may name files in
  /// another.
  package var joinsPaths: Bool {
    [.ytDlp, .getIplayer, .propertyList, .coreData, .aria2, .curl].contains(self)
  }

  /// Whether the user can give source URLs for unfinished files of this kind.
  var acceptsSources: Bool { [.aria2, .wget, .curl, .browser].contains(self) }

  /// Guesses the kind of a folder or file without a store, from names and first bytes. A folder
  /// without the typical files of any program is a tree.
  static func ofFiles(_ folder: LegacyFolder) -> LegacyKind {
    if GetIplayerReader.recognises(folder) { return .getIplayer }
    if YtDlpReader.recognises(folder) { return .ytDlp }
    if Aria2Reader.recognises(folder) { return .aria2 }
    if BrowserReader.recognises(folder) { return .browser }
    return .tree
  }
}
