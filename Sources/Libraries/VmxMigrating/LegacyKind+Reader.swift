package import VmxModel

extension LegacyKind {
  /// The reader of this kind; nil for a kind that this version does not read.
  package var reader: (any LegacyReader)? {
    switch self {
    case .tree: TreeReader()
    default: nil
    }
  }

  /// Guesses the kind of what lies at a path by names and first bytes; a folder with nothing that a
  /// program is known by counts as a tree.
  package static func guess(_ folder: LegacyFolder) -> LegacyKind { .tree }
}
