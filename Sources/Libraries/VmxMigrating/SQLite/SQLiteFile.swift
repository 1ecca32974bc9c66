import SystemPackage
import VmxJSON
import VmxMarkup
import VmxModel
import VmxSystem

// The file belongs to a program that may be running, and reading a database may write to it. SQLite
// rolls back a hot journal, and creates an index for a write-ahead log. So a private copy is read,
// with its journal or log. The schema is not trusted: its tables may compute columns, but may not
// call functions with side effects. Views are not read.

/// A SQLite database of another program, read with the command-line program `sqlite3`.
///
///     let file = try SQLiteFile(path, tools)
///     try file.forEachRow(of: table, ["id", "title"]) { row in … }
final class SQLiteFile {
  /// A table with its columns.
  struct Table: Equatable {
    struct Column: Equatable {
      let name: String
      /// The declared type in upper case.
      let type: String
    }

    let name: String
    var columns: [Column] = []

    func has(_ column: String) -> Bool { columns.contains { $0.name == column } }
  }

  /// The first bytes of a database.
  private static let mark = Array("SQLite format 3\0".utf8)
  /// The suffixes of the files that SQLite keeps next to a database.
  static let companionSuffixes = ["-wal", "-journal", "-shm"]
  /// The maximum number of rows of one query.
  private static let page = 500
  /// The default maximum number of rows read from a table.
  static let maxRows = 1_000_000
  /// The maximum output of one query in bytes.
  private static let limit = 64 << 20
  /// The maximum length of a value in characters or bytes; longer values are truncated.
  private static let maxValueLength = 1 << 20
  /// The timeout of one query in milliseconds.
  private static let queryTimeout: Int64 = 60_000

  private let path: FilePath
  private let program: FilePath
  private let folder: TemporaryFolder
  private let copy: FilePath
  private let parser = JSONParser()

  /// Whether a file begins with the header of a database.
  static func isMarked(_ file: FilePath) throws(FileError) -> Bool {
    try RegularFile.prefix(of: file, upTo: mark.count) == mark
  }

  /// Copies a database with its journal or log.
  ///
  /// - Throws: `program-missing`, `FileError`.
  init(_ path: FilePath, _ tools: LegacyTools) throws {
    guard let program = tools.program("sqlite3") else {
      throw Failure(
        .programMissing, "'sqlite3' is not in PATH, and '\(path)' cannot be read without it",
        hint: "install sqlite3, the command-line program of SQLite")
    }
    self.path = path
    self.program = program
    folder = try TemporaryFolder(below: tools.scratch)
    copy = folder.path.appending("database")
    for ending in [""] + Self.companionSuffixes.dropLast() {
      let source = FilePath("\(path)\(ending)")
      guard try ending.isEmpty || FileFacts.of(source)?.isRegular == true else { continue }
      _ = try copyFile(
        from: source, to: FilePath("\(copy)\(ending)"), mode: .ownerReadWrite)
    }
  }

  /// Returns the tables, without those of SQLite itself.
  ///
  /// - Throws: `record-unreadable`.
  func tables() throws(Failure) -> [Table] {
    let rows = try rows(
      """
      SELECT m.name AS t, p.name AS c, upper(p.type) AS y
      FROM sqlite_master AS m, pragma_table_info(m.name) AS p
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, p.cid LIMIT 20000
      """)
    var tables: [Table] = []
    for row in rows {
      guard let name = row["t"]?.string, let column = row["c"]?.string else { continue }
      if tables.last?.name != name { tables.append(Table(name: name)) }
      tables[tables.count - 1].columns.append(
        Table.Column(name: column, type: row["y"]?.string ?? ""))
    }
    return tables
  }

  /// Calls the body with the named values of each row, in the order of the row ids.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns. Columns that the table lacks and NULL values are
  ///     omitted.
  ///   - most: the maximum number of rows.
  /// - Throws: `record-unreadable`, also after the maximum number of rows if there are more, and
  ///   errors of the body.
  func forEachRow(
    of table: Table, _ columns: [String], most: Int = maxRows,
    _ body: ([PropertyList.Field]) throws -> Void
  ) throws {
    let columns = columns.filter { table.has($0) }
    let values = columns.enumerated().map { "\(Self.value(of: $1)) AS c\($0)" }
    var last = Int64.min
    var count = 0
    while true {
      let rows = try rows(
        """
        SELECT \((["rowid AS k"] + values).joined(separator: ", "))
        FROM \(Self.quoted(table.name)) WHERE rowid > \(last) ORDER BY rowid LIMIT \(Self.page)
        """)
      for row in rows {
        guard count < most else {
          throw failure("'\(table.name)' has more than \(most) rows; the rest stays")
        }
        count += 1
        guard let key = row["k"]?.integer, key > last else { throw failure("its rows have no ids") }
        last = key
        try body(
          columns.enumerated().compactMap { index, name in
            row["c\(index)"]?.string.flatMap { Self.decoded($0) }
              .map { PropertyList.Field(name, $0) }
          })
      }
      guard rows.count == Self.page else { return }
    }
  }

  /// Returns the SQL expression for a value as text whose first letter is the type. JSON can
  /// represent neither bytes nor all numbers.
  private static func value(of column: String) -> String {
    let name = quoted(column)
    return """
      CASE typeof(\(name)) WHEN 'null' THEN NULL WHEN 'integer' THEN 'i' || \(name)
      WHEN 'real' THEN 'r' || \(name) WHEN 'blob' THEN 'b' || hex(substr(\(name), 1, \(maxValueLength)))
      ELSE 't' || substr(\(name), 1, \(maxValueLength)) END
      """
  }

  private static func decoded(_ text: String) -> PropertyList? {
    let rest = text.dropFirst()
    return switch text.first {
    case "i": Int64(rest).map { .integer($0) }
    case "r": Double(rest).map { .real($0) }
    case "b": Hex.bytes(of: rest).map { .data($0) }
    default: .string(String(rest))
    }
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Runs a query and returns its rows.
  private func rows(_ query: String) throws(Failure) -> [JSONObject] {
    let captured: SpawnedProgram.CapturedOutput
    do throws(ProcessError) {
      // Neither a settings file of the user nor an environment variable of this process has an
      // effect.
      captured = try SpawnedProgram.captureOutput(
        of: ProgramCall(
          program,
          [
            "-batch", "-init", "/dev/null", "-json", copy.string,
            "PRAGMA trusted_schema=OFF;\(query);",
          ],
          environment: ["LC_ALL=C.UTF-8", "HOME=\(folder.path)"]), limit: Self.limit,
        until: Deadline(milliseconds: Self.queryTimeout))
    } catch {
      throw Failure(error)
    }
    switch captured {
    case .ended(.exited(0), let output, _): return try objects(in: output)
    case .ended(_, _, let errors):
      let line = String(decoding: errors.prefix(300), as: UTF8.self).prefix { !$0.isNewline }
      throw failure("sqlite3 says '\(line)'")
    case .tooMuch: throw failure("its values are too long")
    case .timedOut, .interrupted: throw failure("sqlite3 takes too long")
    }
  }

  private func objects(in output: [UInt8]) throws(Failure) -> [JSONObject] {
    guard output.contains(UInt8(ascii: "[")) else { return [] }
    // A text of the database need not be UTF-8.
    let text = String(decoding: output, as: UTF8.self)
    do throws(JSONSyntaxError) {
      return try parser.parse(text).array?.compactMap(\.object) ?? []
    } catch {
      throw failure("sqlite3 prints no JSON: \(error.reason)")
    }
  }

  private func failure(_ reason: String) -> Failure {
    Failure(.recordUnreadable, "the database '\(path)' cannot be read: \(reason)")
  }
}
