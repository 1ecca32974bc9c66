import VmxModel

/// Maps the records of several stores of downloads in one folder, so that their number takes no memory.
struct DownloadStores {
  private let kind: LegacyKind
  private let stores: [LegacyFolder.File]
  private let files: DownloadFiles

  /// - Parameter files: those of the folder, without the stores.
  init(_ kind: LegacyKind, _ stores: [LegacyFolder.File], _ files: DownloadFiles) {
    (self.kind, self.stores, self.files) = (kind, stores, files)
  }

  /// Calls the body with the findings, a thousand at a time.
  ///
  /// - Parameters:
  ///   - findings: those that are known already.
  ///   - records: maps the records of the store with this number, twice alike.
  ///   - others: returns the findings of the files that are left.
  /// - Throws: the errors of the closures.
  func read(
    _ findings: [LegacyFinding] = [],
    records: (_ store: Int, _ isLast: Bool, inout DownloadMapping) throws -> Void,
    others: (inout DownloadFiles) throws -> [LegacyFinding],
    _ body: @escaping ([LegacyFinding]) throws -> Void
  ) throws {
    let keys = NotedKeys()
    // Of each store: the files before it, and those that its records leave.
    var left: [(files: DownloadFiles, unnamed: DownloadFiles)] = []
    var rest = files
    for (number, store) in stores.enumerated() {
      var mapping = DownloadMapping(kind, store, rest) { keys.note($0) }
      try records(number, false, &mapping)
      try mapping.flush()
      left.append((rest, mapping.files))
      rest = mapping.filesOfOthers()
    }
    let more = findings + (try others(&rest))
    keys.note(more)
    for (number, store) in stores.enumerated() {
      var mapping = DownloadMapping(
        kind, store, left[number].files, unnamed: left[number].unnamed
      ) { try body(keys.withheld(in: $0)) }
      try records(number, true, &mapping)
      try mapping.flush()
    }
    try body(keys.withheld(in: more))
  }
}

/// The keys of the findings of a first reading.
private final class NotedKeys {
  private var keys = SharedKeys()

  func note(_ findings: [LegacyFinding]) {
    for case .episode(let episode) in findings { keys.note(episode) }
  }

  /// Returns the findings without the keys that different episodes share.
  func withheld(in findings: [LegacyFinding]) -> [LegacyFinding] {
    findings.map { finding in
      guard case .episode(var episode) = finding else { return finding }
      keys.withhold(in: &episode)
      return .episode(episode)
    }
  }
}
