package import SystemPackage
package import VmxModel
import VmxNaming
package import VmxSystem

/// The files below a folder of another program, or a single file, as found by one walk.
///
/// Links are not followed, and only regular files are opened. Hidden folders are skipped, except
/// the folder itself.
package struct LegacyFolder: Sendable {
  /// A file.
  package struct File: Sendable, Equatable {
    /// The absolute path.
    package let path: FilePath
    /// The path below the folder, as text for names and messages.
    package let name: String
    /// The size in bytes.
    package let size: ByteCount
  }

  /// The folder; for a single file, the folder that contains it.
  package private(set) var path: FilePath
  /// The folder that the user named: this one, or one above it.
  package private(set) var named: FilePath
  /// Whether the user named a single file.
  package let isSingleFile: Bool
  /// The files, sorted by their names.
  package private(set) var files: [File]
  /// The symbolic links, FIFOs, sockets and devices, sorted by their paths.
  package private(set) var specialFiles: [FilePath] = []
  /// The bins, caches and marked folders whose files are not in `files`, sorted by their paths.
  package private(set) var excluded: [Excluded] = []
  /// The folders that could not be read.
  package private(set) var errors: [FileError]
  /// The files that the user named directly, as opposed to those found in a folder.
  package var namedFiles: Set<FilePath> = []

  /// Lists a folder or a file.
  ///
  /// - Throws: `input-missing` if there is neither, `source-unsupported` for a FIFO, socket or
  ///   device, `FileError`.
  package init(_ path: FilePath) throws {
    guard let path = realPath(of: path), let facts = try FileFacts.of(path) else {
      throw Failure(.inputMissing, "there is no file or folder '\(path)'")
    }
    guard facts.isFolder || facts.isRegular else {
      throw Failure(
        .sourceUnsupported, "'\(path)' is neither a file nor a folder",
        hint: "give folders and regular files")
    }
    isSingleFile = !facts.isFolder
    guard facts.isFolder else {
      self.path = path.folder
      named = path.folder
      let name = CompanionFileName.withoutQuery(path.lastComponent?.string ?? "")
      files = [File(path: path, name: name, size: ByteCount(clamping: facts.size))]
      errors = []
      namedFiles = [path]
      return
    }
    var files: [File] = []
    var others: [FilePath] = []
    errors = forEachFile(below: path, other: { others.append(path.pushing($0)) }) { name, facts in
      files.append(
        File(path: path.pushing(name), name: name.string, size: ByteCount(clamping: facts.size)))
      return true
    }
    self.path = path
    named = path
    self.specialFiles = others.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    (files, excluded) = Self.separatingExcluded(files, below: path)
    files = Self.withoutQueries(files)
    self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Returns files whose names have no query of a URL, as far as no other file has the name.
  private static func withoutQueries(_ files: [File]) -> [File] {
    let plain = files.map { CompanionFileName.withoutQuery($0.name) }
    let counts = Dictionary(plain.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(files, plain).map { file, name in
      counts[name] == 1 ? File(path: file.path, name: name, size: file.size) : file
    }
  }

  /// Joins folders and files that are read together. The names of the files are relative to `/`.
  package init(joining folders: [LegacyFolder]) {
    var files: [FilePath: File] = [:]
    for file in folders.flatMap(\.files) {
      files[file.path] = File(
        path: file.path, name: String(file.path.string.dropFirst()), size: file.size)
    }
    path = "/"
    named = path
    isSingleFile = false
    errors = folders.flatMap(\.errors)
    specialFiles = folders.flatMap(\.specialFiles)
    excluded = folders.flatMap(\.excluded).filter { folder in
      !folders.contains { $0.named.starts(with: folder.path) }
    }
    namedFiles = folders.reduce(into: []) { $0.formUnion($1.namedFiles) }
    self.files = Self.withoutQueries(Array(files.values)).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  /// Returns the folder with only the files for which the closure returns true.
  package func keeping(_ isKept: (File) -> Bool) -> LegacyFolder {
    var folder = self
    folder.files = files.filter(isKept)
    return folder
  }

  /// Returns the folder with other files, sorted by their names, and without the errors, which the
  /// reader of the whole folder reports.
  func replacing(_ files: [File]) -> LegacyFolder {
    var folder = self
    folder.errors = []
    folder.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return folder
  }

  /// Returns the folders below this one that contain a store of another program, and this folder
  /// without their files; the latter is nil if nothing is left.
  func separatingStores() -> (stores: [(folder: LegacyFolder, kind: LegacyKind)], LegacyFolder?) {
    let names = files.map { LegacyName($0.name) }
      .filter { !$0.folder.isEmpty && LegacyKind.mayBeStore($0) }.map(\.folder)
    var stores: [(folder: LegacyFolder, kind: LegacyKind)] = []
    // A folder precedes those below it.
    for name in Set(names).sorted() {
      let path = path.appending(name)
      guard !stores.contains(where: { path.starts(with: $0.folder.path) }) else { continue }
      let folder = part(at: path)
      if let kind = LegacyKind.ofStore(folder) { stores.append((folder, kind)) }
    }
    guard !stores.isEmpty else { return ([], self) }
    var rest = self
    let isOfRest = { (path: FilePath) in !stores.contains { path.starts(with: $0.folder.path) } }
    rest.files = files.filter { isOfRest($0.path) }
    rest.specialFiles = specialFiles.filter(isOfRest)
    rest.excluded = excluded.filter { isOfRest($0.path) }
    rest.errors = errors.filter { isOfRest($0.path) }
    let isEmpty =
      rest.files.isEmpty && rest.specialFiles.isEmpty && rest.errors.isEmpty
      && rest.excluded.isEmpty
    return (stores, isEmpty ? nil : rest)
  }

  /// Returns a folder below this one, with its files.
  private func part(at path: FilePath) -> LegacyFolder {
    var part = self
    part.path = path
    let isOfPart = { (file: FilePath) in file.starts(with: path) }
    let length = path.components.count - self.path.components.count
    part.files = files.filter { isOfPart($0.path) }.map { file in
      let name = file.name.split(separator: "/").dropFirst(length).joined(separator: "/")
      return File(path: file.path, name: name, size: file.size)
    }
    part.specialFiles = specialFiles.filter(isOfPart)
    part.excluded = excluded.filter { isOfPart($0.path) }
    part.errors = errors.filter { isOfPart($0.path) }
    return part
  }

  /// The files of each folder, by its path below this one; `""` for this one.
  package func filesByFolder() -> [String: [File]] {
    Dictionary(grouping: files) { LegacyName($0.name).folder }
  }
}

extension LegacyFolder.File {
  /// Reads a record.
  ///
  /// - Throws: `record-unreadable` if it is larger than the limit, or cannot be read.
  func record(upTo limit: Int64) throws(Failure) -> [UInt8] {
    guard size.bytes <= limit else {
      throw Failure(.recordUnreadable, "'\(path)' is larger than \(limit >> 20) MiB")
    }
    do throws(FileError) {
      return try RegularFile.prefix(of: path, upTo: Int(size.bytes))
    } catch {
      throw Failure(.recordUnreadable, "'\(path)' cannot be read: \(error.summary)")
    }
  }
}

/// The components of a path below a folder, as text.
package struct LegacyName: Sendable, Equatable {
  /// The path of the folder; empty for none.
  package let folder: String
  /// The last component.
  package let last: String
  /// The last component without its extension.
  package let stem: String
  /// The extension in lower case; empty for none.
  package let fileExtension: String

  /// Splits a path.
  package init(_ path: String) {
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    folder = slash.map { String(path[..<$0]) } ?? ""
    last = slash.map { String(path[bytes.index(after: $0)...]) } ?? path
    let dot = last.utf8.lastIndex(of: UInt8(ascii: "."))
    if let dot, dot > last.startIndex {
      stem = String(last[..<dot])
      fileExtension = last[last.utf8.index(after: dot)...].lowercased()
    } else {
      (stem, fileExtension) = (last, "")
    }
  }

  /// Returns the longest prefix before one of the marks for which the closure returns true; nil if
  /// there is none. The longest one prevents `Show S01E01` from taking the subtitles of
  /// `Show S01E01 part 2`.
  func prefix(before marks: String = ".", in stems: (String) -> Bool) -> String? {
    var front = last[...]
    while let mark = front.utf8.lastIndex(where: { marks.utf8.contains($0) }) {
      front = front[..<mark]
      if stems(String(front)) { return String(front) }
    }
    return nil
  }

  /// The path of the folder and the stem.
  package var path: String { folder.isEmpty ? stem : "\(folder)/\(stem)" }
}
