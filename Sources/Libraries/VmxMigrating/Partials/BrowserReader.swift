import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

// A browser may write several pieces of a file at once, so the size of the file proves nothing. The
// migration excludes runs of zeros from the held bytes, and a fetch verifies the others with the
// origin. The databases of browsers are not read.

/// Reads unfinished downloads of browsers: `.crdownload`, `.part`, `.opdownload`, and the
/// `.download` folders of Safari.
package struct BrowserReader: LegacyReader {
  static let endings: Set<String> = ["crdownload", "part", "opdownload"]
  private static let bundle = ".download"
  private static let record = "Info.plist"

  private let userSources: LegacySources

  /// Creates a reader.
  ///
  /// - Parameter userSources: the source URLs that the user gave.
  package init(_ userSources: LegacySources = LegacySources()) {
    self.userSources = userSources
  }

  /// Whether a folder has unfinished downloads of a browser.
  static func recognises(_ folder: LegacyFolder) -> Bool {
    folder.files.contains { file in
      endings.contains(LegacyName(file.name).fileExtension) || isBundleRecord(file)
    }
  }

  private static func isBundleRecord(_ file: LegacyFolder.File) -> Bool {
    file.path.lastComponent?.string == record
      && file.path.removingLastComponent().string.hasSuffix(bundle)
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings = folder.errors.map { LegacyFinding.refused("\($0.path)", Failure($0)) }
    var unfinished: [UnfinishedFile] = []
    var others: [String: LegacyFolder.File] = [:]
    for file in folder.files { others[file.name] = file }
    for record in folder.files where Self.isBundleRecord(record) {
      others[record.name] = nil
      do throws(Failure) {
        let bundle = try SafariBundle(record, beside: others)
        others[bundle.file.name] = nil
        unfinished.append(bundle.unfinished(userSources))
      } catch {
        findings.append(.refused("\(record.path)", error))
      }
    }
    let named = folder.files.filter { others[$0.name] != nil }
    for file in named where Self.endings.contains(LegacyName(file.name).fileExtension) {
      others[file.name] = nil
      if let placeholder = Self.placeholder(of: file, in: others) {
        others[placeholder.name] = nil
        findings.append(.skipped(placeholder.path, placeholder.size, .repeated))
        unfinished.append(try UnfinishedFile(file, named: placeholder.name, userSources))
      } else {
        unfinished.append(try UnfinishedFile(file, named: LegacyName(file.name).path, userSources))
      }
    }
    return try findings
      + unfinished.findings(of: .browser, beside: Array(others.values), in: folder)
  }

  /// Returns the empty file with the final name that Firefox keeps next to the unfinished one; nil
  /// if there is none. Newer versions add a word to the name of the unfinished file:
  /// `X.a1B2c3D4.mp4.part`.
  private static func placeholder(
    of file: LegacyFolder.File, in others: [String: LegacyFolder.File]
  ) -> LegacyFolder.File? {
    let whole = LegacyName(LegacyName(file.name).path)
    let plain = LegacyName(whole.path)
    var names = [LegacyName(file.name).path]
    if plain.fileExtension.utf8.count == 8 { names.append("\(plain.path).\(whole.fileExtension)") }
    return names.lazy.compactMap { others[$0] }.first { $0.size.bytes == 0 }
  }
}

/// A `.download` folder of Safari: a file, and a property list with its URL.
private struct SafariBundle {
  /// The file with the bytes.
  let file: LegacyFolder.File
  private let list: PropertyList
  private let record: LegacyFolder.File

  /// Reads the property list.
  ///
  /// - Throws: `record-unreadable`, `input-missing` unless the folder has exactly one other file.
  init(
    _ record: LegacyFolder.File, beside files: [String: LegacyFolder.File]
  ) throws(Failure) {
    list = try PropertyList(record.record(upTo: Int64(PropertyList.maxBytes)))
    let folder = record.path.removingLastComponent()
    let inside = files.values.filter { $0.path.removingLastComponent() == folder }
    guard inside.count == 1, let file = inside.first else {
      throw Failure(.inputMissing, "'\(folder)' has \(inside.count) files beside its record")
    }
    self.file = file
    self.record = record
  }

  func unfinished(_ given: LegacySources) -> UnfinishedFile {
    func count(_ name: String) -> Int64? {
      list["DownloadEntry\(name)"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    }
    let size = file.size.bytes
    let held = min(count("ProgressBytesSoFar") ?? size, size)
    // The file is in the `.download` folder. The finished file has the same name in the parent
    // folder.
    let bundle = LegacyName(LegacyName(file.name).folder)
    let prefix = bundle.folder.isEmpty ? "" : "\(bundle.folder)/"
    var unfinished = UnfinishedFile(
      file, name: prefix + LegacyName(file.name).last,
      held: ByteRangeSet([ByteRange(0..<held)]))
    let total = count("ProgressTotalToLoad")
    unfinished.partial.total = total.flatMap { $0 >= held ? ByteCount(ofFile: $0) : nil }
    unfinished.addSource(given)
    if unfinished.sources.isEmpty {
      unfinished.addSource(of: record.path, or: list["DownloadEntryURL"]?.string, given)
    }
    unfinished.evidence.append("Info.plist")
    return unfinished
  }
}

extension UnfinishedFile {
  /// Adds the URL that the user gave for a folder, or else that of its record.
  fileprivate mutating func addSource(
    of record: FilePath, or text: String?, _ given: LegacySources
  ) {
    if let url = given.url(of: record.removingLastComponent()) {
      sources = [url]
      evidence.append("--source")
    } else if let text {
      do throws(Failure) {
        sources = [try WebURL(text)]
      } catch {
        // A `blob:` or `data:` URL has no origin to fetch from.
      }
    }
  }
}
