import Synchronization
package import SystemPackage
package import VmxModel
import VmxSystem

/// The source URLs that the user gave for partial files: one URL for a single partial file, or a
/// table.
package struct LegacySources: Sendable {
  /// The maximum size of a table.
  package static let maxSize = ByteCount(clamping: 64 << 20)

  /// The URL of a single partial file; nil if the user gave a table, or nothing.
  package let only: WebURL?
  private let byPath: [FilePath: WebURL]
  private let found = Found()

  private final class Found: Sendable {
    let paths = Mutex<Set<FilePath>>([])
  }

  /// Creates an empty table.
  package init() {
    only = nil
    byPath = [:]
  }

  /// Creates the source of a single partial file.
  package init(only: WebURL) {
    self.only = only
    byPath = [:]
  }

  /// Reads a table of lines with a path, a tab and a URL.
  ///
  /// - Parameters:
  ///   - folder: the base folder of relative paths.
  ///   - report: called with the number and the failure of each invalid line.
  package init(
    table bytes: [UInt8], in folder: FilePath, report: (Int, Failure) -> Void
  ) {
    var byPath: [FilePath: WebURL] = [:]
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.isEmpty else { continue }
      do throws(Failure) {
        let (path, url) = try Self.entry(line, in: folder)
        guard byPath[path] ?? url == url else {
          throw Failure(.badLine, "'\(path)' has another address in a line above")
        }
        byPath[path] = url
      } catch {
        report(index + 1, error)
      }
    }
    only = nil
    self.byPath = byPath
  }

  /// Whether there are no URLs.
  package var isEmpty: Bool { only == nil && byPath.isEmpty }

  /// Whether the table has a URL of a file.
  func hasURL(of path: FilePath) -> Bool { byPath[path] != nil }

  /// Returns the URL of a file, and marks the file as matched; nil if it has none.
  package func url(of path: FilePath) -> WebURL? {
    guard let url = byPath[path] else { return only }
    found.paths.withLock { _ = $0.insert(path) }
    return url
  }

  /// The paths of the table for which no reader has requested the URL, sorted.
  package var unmatched: [FilePath] {
    let found = found.paths.withLock { $0 }
    return byPath.keys.filter { !found.contains($0) }.sorted { $0.string < $1.string }
  }

  private static func entry(
    _ line: ArraySlice<UInt8>, in folder: FilePath
  ) throws(Failure) -> (FilePath, WebURL) {
    guard let tab = line.lastIndex(of: UInt8(ascii: "\t")), tab > line.startIndex else {
      throw Failure(.badLine, "the line is not a path, a tab and a URL")
    }
    guard let text = String(validating: line[(tab + 1)...], as: UTF8.self),
      !line[..<tab].contains(0)
    else { throw Failure(.badLine, "the URL is not UTF-8, or the path has a zero byte") }
    let given = FilePath(bytes: Array(line[..<tab]))
    let path = folder.pushing(given).lexicallyNormalized()
    return (realPath(of: path) ?? path, try WebURL(text))
  }
}
