import SystemPackage
import VmxSystem

// The statements that created the tables are the rows of a B-tree whose root is page 1 (SQLite
// database file format, sections 1.3, 1.5 and 1.6). In a database with many tables its other pages
// lie anywhere in the file. The program `sqlite3` may be missing, so these pages are read here. The
// rest of a long statement on overflow pages is not read.

/// The text of the schema of a SQLite database, without that of a write-ahead log.
enum SQLiteSchema {
  /// The maximum number of pages that are read.
  private static let maxPages = 4096
  private static let interior: UInt8 = 5
  private static let leaf: UInt8 = 13

  /// Returns the bytes of the pages with the statements that created the tables, one after the
  /// other; empty for a file that is no database.
  ///
  /// - Throws: `FileError`.
  static func bytes(of database: FilePath) throws(FileError) -> [UInt8] {
    let file = try OpenFile(database, .readOnly)
    let header = try file.read(100, at: 0)
    guard header.count == 100 else { return [] }
    let word = Int(header[16]) << 8 | Int(header[17])
    let size = word == 1 ? 1 << 16 : word
    guard size >= 512 else { return [] }
    var pages: [Int64] = [1]
    var known: Set<Int64> = [1]
    var found: [UInt8] = []
    while let number = pages.popLast() {
      let page = try file.read(size, at: (number - 1) * Int64(size))
      let start = number == 1 ? 100 : 0
      guard page.count == size else { continue }
      if page[start] == leaf { found += page }
      guard page[start] == interior else { continue }
      for child in children(of: page, from: start).reversed()
      where known.count < maxPages && known.insert(child).inserted {
        pages.append(child)
      }
    }
    return found
  }

  /// Returns the numbers of the pages below an interior page, in their order.
  private static func children(of page: [UInt8], from start: Int) -> [Int64] {
    func number(at offset: Int, _ count: Int) -> Int64 {
      guard offset + count <= page.count else { return 0 }
      return page[offset..<offset + count].reduce(0) { $0 << 8 | Int64($1) }
    }
    let cells = (0..<Int(number(at: start + 3, 2))).map { cell in
      number(at: Int(number(at: start + 12 + 2 * cell, 2)), 4)
    }
    return (cells + [number(at: start + 8, 4)]).filter { $0 > 1 }
  }
}
