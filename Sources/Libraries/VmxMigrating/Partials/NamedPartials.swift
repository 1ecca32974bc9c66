import SystemPackage
import VmxModel
import VmxNaming
import VmxSystem

// A path that the user names with its URL is an unfinished file, whatever its ending is: programs
// use `.partial`, `.filepart`, `.!qB`, `.tmp` and many others. The reader of a kind keeps those
// that it knows better: pairs of aria2, and files of which only the container shows whether they
// are complete.

extension LegacyInput {
  /// Returns the files of a folder that only the user's sources show to be unfinished.
  static func namedPartials(
    in folder: LegacyFolder, of kind: LegacyKind?, _ sources: LegacySources
  ) -> [LegacyFolder.File] {
    guard !sources.isEmpty else { return [] }
    let names = kind == .aria2 ? Set(folder.files.map(\.name)) : []
    return folder.files.filter { file in
      let isNamed =
        sources.hasURL(of: file.path)
        || sources.only != nil && folder.isSingleFile && kind?.acceptsSources != true
      let ending = LegacyName(file.name).fileExtension
      let isOfReader =
        switch kind {
        case .browser: BrowserReader.endings.contains(ending)
        case .wget, .curl: CompanionFileName.isVideo(ending)
        case .aria2: folder.isSingleFile || names.contains(file.name + ".aria2")
        default: false
        }
      return isNamed && !isOfReader
    }
  }

  /// Returns the findings of such files.
  ///
  /// - Throws: errors of the file system.
  static func findings(
    of partials: [LegacyFolder.File], in folder: LegacyFolder, of kind: LegacyKind,
    _ sources: LegacySources
  ) throws -> [LegacyFinding] {
    let names = Set(folder.files.map(\.name))
    var findings: [LegacyFinding] = []
    var unfinished: [UnfinishedFile] = []
    for file in partials {
      let name = LegacyName(file.name)
      let isWhole = CompanionFileName.isVideo(name.fileExtension)
      let found = try UnfinishedFile(file, named: isWhole ? file.name : name.path, sources)
      if found.file.name != file.name, names.contains(found.file.name) {
        findings.append(.skipped(file.path, file.size, .repeated))
      } else {
        unfinished.append(found)
      }
    }
    return try findings + unfinished.findings(of: kind, beside: [], in: folder)
  }
}
