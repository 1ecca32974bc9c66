import SystemPackage
import VmxMedia
package import VmxModel
import VmxNaming
import VmxSystem

// wget and curl write to the file with the final name, so only the container shows whether a file
// is unfinished. A complete file also keeps its URL as an extended attribute. So this attribute
// alone does not make a file with an unknown container unfinished.

/// Reads files of wget or curl, some of which may be unfinished.
package struct DownloadedFileReader: LegacyReader {
  /// The maximum size in bytes of a file that `curl --etag-save` writes.
  private static let maxETagBytes: Int64 = 1024
  /// The number of zero bytes at the end of a file that indicate a crash.
  private static let page: Int64 = 4096

  private let kind: LegacyKind
  private let userSources: LegacySources

  /// Creates a reader.
  ///
  /// - Parameter userSources: the source URLs that the user gave.
  package init(_ kind: LegacyKind, _ userSources: LegacySources = LegacySources()) {
    self.kind = kind
    self.userSources = userSources
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings = folder.errors.map { LegacyFinding.refused("\($0.path)", Failure($0)) }
    var unfinished: [UnfinishedFile] = []
    var whole: [LegacyFolder.File] = []
    for file in folder.files {
      do throws(Failure) {
        if try isUnfinished(file) {
          var file = UnfinishedFile(file)
          file.addSource(userSources)
          unfinished.append(file)
        } else {
          whole.append(file)
        }
      } catch {
        findings.append(.refused("\(file.path)", error))
      }
    }
    if kind == .curl { try addTags(to: &unfinished, from: &whole, in: folder) }
    return try findings + unfinished.findings(of: kind, beside: whole, in: folder)
  }

  private func isUnfinished(_ file: LegacyFolder.File) throws(Failure) -> Bool {
    guard CompanionFileName.isVideo(LegacyName(file.name).fileExtension) else { return false }
    switch try file.structure() {
    case .intact: return try endsWithZeros(file)
    case .broken: return true
    case .unknown: return userSources.url(of: file.path) != nil
    }
  }

  private func endsWithZeros(_ file: LegacyFolder.File) throws(Failure) -> Bool {
    guard file.size.bytes >= Self.page else { return false }
    do throws(FileError) {
      return try OpenFile(file.path, .readOnly)
        .read(Int(Self.page), at: file.size.bytes - Self.page).allSatisfy { $0 == 0 }
    } catch {
      throw Failure(error)
    }
  }

  /// Adds the entity tag from a file of `--etag-save`, if the folder has exactly one such file and
  /// exactly one unfinished file.
  private func addTags(
    to unfinished: inout [UnfinishedFile], from whole: inout [LegacyFolder.File],
    in folder: LegacyFolder
  ) throws {
    var tags: [String: [(file: LegacyFolder.File, tag: String)]] = [:]
    for file in whole {
      if let tag = try Self.tag(in: file) {
        tags[LegacyName(file.name).folder, default: []].append((file, tag))
      }
    }
    let indicesByFolder = Dictionary(grouping: unfinished.indices) {
      LegacyName(unfinished[$0].file.name).folder
    }
    for (folder, indices) in indicesByFolder {
      guard indices.count == 1, let index = indices.first, let found = tags[folder],
        found.count == 1
      else { continue }
      // A weak tag may match other bytes too.
      if found[0].tag.hasPrefix("\"") { unfinished[index].partial.entityTag = found[0].tag }
      guard !unfinished[index].sources.isEmpty else { continue }
      unfinished[index].evidence.append(LegacyName(found[0].file.name).last)
      whole.removeAll { $0 == found[0].file }
    }
  }

  /// Returns the entity tag if a file contains nothing else; nil for any other file.
  static func tag(in file: LegacyFolder.File) throws -> String? {
    guard (2...maxETagBytes).contains(file.size.bytes) else { return nil }
    let bytes = try RegularFile.prefix(of: file.path, upTo: Int(maxETagBytes))
    let tag = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let rest = bytes.dropFirst(tag.count).allSatisfy { $0 <= 0x20 }
    let opaque = tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
    let quote = UInt8(ascii: "\"")
    guard rest, opaque.count >= 2, opaque.first == quote, opaque.last == quote,
      opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != quote })
    else { return nil }
    return String(decoding: tag, as: UTF8.self)
  }
}
