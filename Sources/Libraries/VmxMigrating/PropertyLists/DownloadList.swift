import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

/// The records of downloads in a property list, parsed one at a time. Those of a keyed archive are
/// in memory, since its objects refer to each other.
struct DownloadList {
  /// The contents of a property list.
  enum Contents {
    case records(DownloadList)
    case resumeData(SessionResumeData)
    /// Neither records nor resume data.
    case other
  }

  private enum Source {
    /// The members of the root.
    case root(PropertyListFile)
    /// The members of the root's member with this index.
    case member(PropertyListFile, Int)
    case archive([PropertyList])
  }

  private let source: Source
  /// The number of records.
  let count: Int

  /// Reads and validates a whole property list, to find its records.
  ///
  /// - Throws: `record-unreadable`, `resources-short`, errors of the file system.
  static func contents(of file: LegacyFolder.File) throws -> Contents {
    guard let text = try SpooledText(of: file.path, limit: .max) else { return .other }
    let list = try PropertyListFile(text)
    var survey = Survey()
    try list.forEachValue(levels: 2) { survey.add($1, at: $0) }
    survey.endMember()
    if survey.isArchive { return contents(ofArchive: try list.parse()) }
    if let data = SessionResumeData(.dictionary(survey.resumeFields)) { return .resumeData(data) }
    if let named = survey.named, survey.isNamedOfDownloads {
      return .records(DownloadList(source: .member(list, named), count: survey.namedCount))
    }
    guard survey.isRootOfDownloads else { return .other }
    return .records(DownloadList(source: .root(list), count: survey.rootCount))
  }

  private static func contents(ofArchive list: PropertyList) -> Contents {
    if let data = SessionResumeData(list) { return .resumeData(data) }
    let named = (list.fields ?? []).first { Survey.isName($0.key) }?.value
    for candidate in [named, list] {
      guard let values = candidate?.array ?? candidate?.fields?.map(\.value) else { continue }
      if values.contains(where: Survey.isDownload) {
        return .records(DownloadList(source: .archive(values), count: values.count))
      }
    }
    return .other
  }

  /// Calls the body with the records in file order, up to a maximum number.
  ///
  /// - Throws: `record-unreadable`, `resources-short`, the errors of the body.
  func forEach(most: Int, _ body: (PropertyList) throws -> Void) throws {
    var left = most
    func pass(_ value: PropertyList) throws {
      guard left > 0 else { return }
      left -= 1
      try body(value)
    }
    switch source {
    case .root(let list): try list.forEachValue(levels: 1) { try pass($1) }
    case .member(let list, let index):
      try list.forEachValue(levels: 2) { path, value in
        if path.count == 2, path[0].index == index { try pass(value) }
      }
    case .archive(let values): for value in values { try pass(value) }
    }
  }
}

/// Finds the records among the values of a list, which are in the root, or in an array or
/// dictionary with a known name in the root.
private struct Survey {
  private static let names = ["downloads", "items", "records", "episodes", "queue"]

  /// Whether the list is a keyed archive, which must be resolved first.
  private(set) var isArchive = false
  /// The fields of resume data in the root.
  private(set) var resumeFields: [PropertyList.Field] = []
  /// The index of the first member of the root with a known name, and the number of its members.
  private(set) var named: Int?
  private(set) var namedCount = 0
  private(set) var isNamedOfDownloads = false
  /// The number of members of the root.
  private(set) var rootCount = 0
  private(set) var isRootOfDownloads = false
  /// The names of the fields of the root's current member.
  private var keys: [String] = []

  static func isName(_ key: String) -> Bool { names.contains(key.lowercased()) }

  static func isDownload(_ value: PropertyList) -> Bool {
    value.fields.map { DownloadRecord.isDownload($0.map(\.key)) } ?? false
  }

  mutating func add(_ value: PropertyList, at path: [PropertyListFile.Step]) {
    let member = path[0]
    if member.index >= rootCount { endMember() }
    rootCount = member.index + 1
    if named == nil, member.key.map(Self.isName) ?? false { named = member.index }
    guard path.count == 2 else {
      guard let key = member.key else { return }
      if key == "$archiver" { isArchive = true }
      if key.hasPrefix("NSURLSession") { resumeFields.append(PropertyList.Field(key, value)) }
      return
    }
    if let key = path[1].key, !isRootOfDownloads { keys.append(key) }
    guard named == member.index else { return }
    namedCount += 1
    if !isNamedOfDownloads { isNamedOfDownloads = Self.isDownload(value) }
  }

  /// Ends the current member of the root.
  mutating func endMember() {
    if !isRootOfDownloads, !keys.isEmpty { isRootOfDownloads = DownloadRecord.isDownload(keys) }
    keys = []
  }
}
