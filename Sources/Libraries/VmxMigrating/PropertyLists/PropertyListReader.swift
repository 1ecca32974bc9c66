import SystemPackage
import VmxMarkup
import VmxModel
import VmxNaming
import VmxSystem

/// Reads records of downloads, with their files, and resume data of `NSURLSession` from property
/// lists.
package struct PropertyListReader: LegacyReader {
  /// The number of downloads to read of a list.
  private let most: Int

  /// Creates a reader.
  package init() { self.init(most: DownloadMapping.maxRecords) }

  /// Creates a reader.
  ///
  /// - Parameter most: the number of downloads to read of a list; the rest is refused.
  package init(most: Int) { self.most = most }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(folder) { findings += $0 }
    return findings
  }

  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    var findings: [LegacyFinding] = []
    var stores: [(file: LegacyFolder.File, records: DownloadList)] = []
    var resumable: [(file: LegacyFolder.File, data: SessionResumeData)] = []
    var refused: Set<FilePath> = []
    for file in folder.files where try Self.isCandidate(file) {
      do {
        switch try DownloadList.contents(of: file) {
        case .resumeData(let data): resumable.append((file, data))
        case .records(let records): stores.append((file, records))
        case .other: break
        }
      } catch let failure as any CodedError where failure.code != .resourcesShort {
        refused.insert(file.path)
        findings.append(.refused("\(file.path)", Failure(failure)))
      }
    }
    guard !stores.isEmpty || !resumable.isEmpty || !refused.isEmpty else {
      throw Failure(.recordUnreadable, "there is no property list with downloads")
    }
    let records = refused.union(stores.map(\.file.path)).union(resumable.map(\.file.path))
    for (file, records) in stores where records.count > most {
      findings.append(
        .refused(
          "\(file.path)",
          Failure(.recordUnreadable, "the list has more than \(most) downloads; the rest stays")))
    }
    let files = DownloadFiles(folder, without: records)
    try withoutActuallyEscaping(body) { body in
      try DownloadStores(.propertyList, stores: stores.map(\.file), files: files).read(findings) {
        number, isLast, mapping in
        do {
          try stores[number].records.forEach(most: most) { entry in
            if let record = entry.fields.flatMap({ DownloadRecord($0) }) {
              try mapping.map(record)
            } else {
              mapping.refuse(.unreadableRecord("it is not a download"))
            }
          }
        } catch let failure as any CodedError where failure.code == .recordUnreadable {
          // The file has changed since it was validated.
          if isLast { try body([.refused("\(stores[number].file.path)", Failure(failure))]) }
        }
      } others: { files in
        try Self.findings(of: resumable, &files)
          + (folder.isSingleFile ? [] : try files.orphans())
      } _: {
        try body($0)
      }
    }
  }

  /// Whether the first bytes of a file are those of a property list.
  private static func isCandidate(_ file: LegacyFolder.File) throws -> Bool {
    let name = LegacyName(file.name)
    guard !CompanionFileName.isVideo(name.fileExtension) else { return false }
    return PropertyList.isMarked(try RegularFile.prefix(of: file.path, upTo: 2048))
  }

  /// Returns the downloads that only resume data describe. Resume data with the same URL describe
  /// one download.
  private static func findings(
    of resumable: [(file: LegacyFolder.File, data: SessionResumeData)],
    _ files: inout DownloadFiles
  ) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    var known: Set<String> = []
    // Resume data with an entity tag take precedence.
    let ordered = resumable.enumerated().sorted { left, right in
      (left.element.data.entityTag == nil ? 1 : 0, left.offset)
        < (right.element.data.entityTag == nil ? 1 : 0, right.offset)
    }
    for (file, data) in ordered.map(\.element) {
      guard known.insert(data.url).inserted else {
        findings.append(.skipped(file.path, file.size, .repeated))
        continue
      }
      do throws(Failure) {
        var episode = LegacyEpisode(.propertyList, record: "\(file.path)")
        let url = try WebURL(data.url)
        try episode.description.add(
          PartDescription(role: .video, variants: [VariantDescription(sources: [url])]))
        episode.status = .requested
        episode.evidence = [LegacyName(file.name).last]
        episode.doubts = [.oldSource]
        if let name = data.fileName, let partial = try found(name, near: file, &files) {
          episode.partial = data.partial(in: partial, total: nil)
        } else {
          episode.doubts.append(.fileGone)
        }
        findings.append(.episode(episode))
      } catch {
        findings.append(.refused("\(file.path)", error))
      }
    }
    return findings
  }

  private static func found(
    _ name: String, near store: LegacyFolder.File, _ files: inout DownloadFiles
  ) throws(Failure) -> LegacyFolder.File? {
    do {
      return try files.claim(name, size: nil, near: store.path)
    } catch {
      throw Failure(error)
    }
  }
}
