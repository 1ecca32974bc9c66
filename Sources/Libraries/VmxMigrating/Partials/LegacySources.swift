import Synchronization
package import SystemPackage
package import VmxModel
import VmxSystem

/// The addresses of partial files, as the user gave them: one for the only partial file, or a table.
package struct LegacySources: Sendable {
  /// The largest table that is read.
  package static let largest = ByteCount(clamping: 64 << 20)

  /// The address of the only partial file; nil if a table was given, or nothing.
  package let only: WebURL?
  private let byPath: [FilePath: WebURL]
  private let found = Found()

  private final class Found: Sendable {
    let paths = Mutex<Set<FilePath>>([])
  }

  /// Creates a table without addresses.
  package init() {
    only = nil
    byPath = [:]
  }

  /// Creates the address of the only partial file.
  package init(only: WebURL) {
    self.only = only
    byPath = [:]
  }

  /// Reads a table of lines with a path, a tab and a URL.
  ///
  /// - Parameters:
  ///   - folder: the folder that relative paths are below.
  ///   - report: called with the number of each line that is invalid, and why.
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

  /// Whether there is no address at all.
  package var isEmpty: Bool { only == nil && byPath.isEmpty }

  /// Returns the address of a file.
  package func url(of path: FilePath) -> WebURL? {
    guard let url = byPath[path] else { return only }
    found.paths.withLock { _ = $0.insert(path) }
    return url
  }

  /// The paths of the table whose addresses no reader has asked for, sorted.
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
