import VmxModel

/// Maps the records of several stores of downloads in one folder, in batches, so that memory use
/// does not grow with their number.
struct DownloadStores {
  private let kind: LegacyKind
  private let stores: [LegacyFolder.File]
  private let files: DownloadFiles

  /// - Parameter files: the files of the folder, without the stores.
  init(_ kind: LegacyKind, stores: [LegacyFolder.File], files: DownloadFiles) {
    (self.kind, self.stores, self.files) = (kind, stores, files)
  }

  /// Calls the body with the findings, in batches of about 1,000.
  ///
  /// - Parameters:
  ///   - findings: the findings that are already known.
  ///   - records: maps the records of the store with this number. It is called twice and must map
  ///     the same records.
  ///   - others: returns the findings of the remaining files.
  /// - Throws: the errors of the closures.
  func read(
    _ findings: [LegacyFinding] = [],
    records: (_ store: Int, _ isLast: Bool, inout DownloadMapping) throws -> Void,
    others: (inout DownloadFiles) throws -> [LegacyFinding],
    _ body: @escaping ([LegacyFinding]) throws -> Void
  ) throws {
    let keys = NotedKeys()
    // For each store: the files available to it, and those of them that its records do not name.
    var left: [(files: DownloadFiles, unnamed: DownloadFiles)] = []
    var rest = files
    for (number, store) in stores.enumerated() {
      var mapping = DownloadMapping(kind, store: store, files: rest) { keys.record($0) }
      try records(number, false, &mapping)
      try mapping.flush()
      left.append((rest, mapping.files))
      rest = mapping.unclaimedFiles()
    }
    let more = findings + (try others(&rest))
    keys.record(more)
    for (number, store) in stores.enumerated() {
      var mapping = DownloadMapping(
        kind, store: store, files: left[number].files, unnamed: left[number].unnamed
      ) { try body(keys.withheld(in: $0)) }
      try records(number, true, &mapping)
      try mapping.flush()
    }
    try body(keys.withheld(in: more))
  }
}

/// The keys of the findings of the first pass.
private final class NotedKeys {
  private var keys = SharedKeys()

  func record(_ findings: [LegacyFinding]) {
    for case .episode(let episode) in findings { keys.record(episode) }
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
