import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

// Core Data names tables and columns in upper case with the prefix `Z`. It stores dates as seconds
// since 2001, and may store large binary values in files of a hidden folder next to the store.

/// Reads downloads, with their files, from SQLite stores of Core Data.
package struct CoreDataReader: LegacyReader {
  /// The tables that identify such a store.
  private static let tables: Set<String> = ["Z_METADATA", "Z_PRIMARYKEY"]

  private let tools: LegacyTools

  /// Creates a reader.
  package init(_ tools: LegacyTools) {
    self.tools = tools
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(folder) { findings += $0 }
    return findings
  }

  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    let stores = try folder.files.filter { try SQLiteFile.isMarked($0.path) }
    guard !stores.isEmpty else {
      throw Failure(.recordUnreadable, "there is no SQLite store")
    }
    let records = stores.flatMap { store in
      ([""] + SQLiteFile.companionSuffixes).map { FilePath("\(store.path)\($0)") }
    }
    let files = DownloadFiles(folder, without: Set(records))
    try withoutActuallyEscaping(body) { body in
      try DownloadStores(.coreData, stores: stores, files: files).read { number, isLast, mapping in
        do {
          try read(stores[number], into: &mapping)
        } catch let failure as any CodedError where failure.code == .recordUnreadable {
          if isLast { try body([.refused("\(stores[number].path)", Failure(failure))]) }
        }
      } others: { files in
        folder.isSingleFile ? [] : try files.orphans()
      } _: {
        try body($0)
      }
    }
  }

  private func read(_ store: LegacyFolder.File, into mapping: inout DownloadMapping) throws {
    let file = try SQLiteFile(store.path, tools)
    let tables = try file.tables()
    let names = Set(tables.map(\.name))
    let downloads = tables.filter { table in
      table.name.hasPrefix("Z") && !table.name.hasPrefix("Z_")
        && DownloadRecord.isDownload(table.columns.map(\.name), prefix: "z")
    }
    guard names.isSuperset(of: Self.tables), !downloads.isEmpty else {
      throw Failure(.recordUnreadable, "the database '\(store.path)' has no downloads of Core Data")
    }
    let blobs = CoreDataBlobs(store.path)
    for table in downloads {
      let dates = Set(table.columns.filter { $0.type == "TIMESTAMP" }.map(\.name))
      try file.forEachRow(
        of: table, table.columns.map(\.name), most: DownloadMapping.maxRecords
      ) { row in
        do {
          let fields = try row.map { field in
            PropertyList.Field(
              field.key, try Self.plainValue(of: field, dates: dates, blobs: blobs))
          }
          if let record = DownloadRecord(fields, prefix: "z") {
            try mapping.map(record)
          } else {
            mapping.refuse(.unreadableRecord("it is not a download"))
          }
        } catch let failure as Failure where failure.code == .recordUnreadable {
          mapping.refuse(failure)
        }
      }
    }
  }

  private static func plainValue(
    of field: PropertyList.Field, dates: Set<String>, blobs: CoreDataBlobs
  ) throws -> PropertyList {
    if dates.contains(field.key), let seconds = field.value.number {
      return .date(sinceReference: seconds)
    }
    return try field.value.data.map { .data(try blobs.bytes(of: $0)) } ?? field.value
  }
}

/// Reads binary values of Core Data, which are stored in a column or, if large, in separate files.
///
/// If an attribute allows external storage, a value begins with byte 1 before inline bytes, or with
/// byte 2 before the name of a file.
struct CoreDataBlobs {
  /// The maximum size of a file in bytes. A key or resume data take a few kilobytes.
  private static let maxBytes = 16 << 20

  private let folder: FilePath?

  /// Finds the folder of a store's external files.
  init(_ store: FilePath) {
    let name = LegacyName(store.string)
    folder = [name.stem, name.last].lazy
      .map { store.folder.appending(".\($0)_SUPPORT").appending("_EXTERNAL_DATA") }
      .first { isFolder($0) }
  }

  /// Returns the bytes of a value.
  ///
  /// - Throws: `record-unreadable` if they are in a file that is missing or larger than 16 MiB,
  ///   `FileError`.
  func bytes(of value: [UInt8]) throws -> [UInt8] {
    let rest = Array(value.dropFirst())
    switch value.first {
    case 1 where folder != nil || PropertyList.isMarked(rest): return rest
    case 2:
      let name = String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
      guard Self.isUUID(name) else { return value }
      guard let folder,
        let bytes = try RegularFile.prefixIfPresent(
          of: folder.appending(name), upTo: Self.maxBytes + 1)
      else {
        throw Failure.unreadableRecord("the file of its external data does not exist")
      }
      guard bytes.count <= Self.maxBytes else {
        throw Failure.unreadableRecord("its external data has more than 16 MiB")
      }
      return bytes
    default: return value
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy(\.isASCIIAlphanumeric) }
  }
}
