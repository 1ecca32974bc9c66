import VmxModel

/// The set of names of a bundle's entries so far, each of which is allowed only once.
///
/// Two names are equal if some file system treats them as equal: those of macOS and of memory cards
/// ignore case or Unicode form. Only hashes are kept (8 bytes for each file). Their seed is random
/// for each process, so that no bundle can provoke a collision.
struct EntryNames {
  /// The maximum depth of nested folders.
  static let maxDepth = 64
  private static let maxNameLength = 255
  private static let maxPathLength = 4095

  private var files: Set<Int> = []
  /// The hash of the exact spelling of each folder.
  private var folders: [Int: Int] = [:]

  /// Adds the name of an entry, and the names of the folders above it.
  ///
  /// - Throws: `ArchiveError.refused` if the path is not allowed or taken.
  mutating func insert(_ path: PathBytes, isFolder: Bool) throws(ArchiveError) {
    if let fault = Self.fault(of: path.bytes) { throw .refused(entry: path, fault) }
    var end = path.bytes.startIndex
    while let slash = path.bytes[end...].firstIndex(of: UInt8(ascii: "/")) {
      try add(folder: path.bytes[..<slash], of: path)
      end = slash + 1
    }
    if isFolder { return try add(folder: path.bytes[...], of: path) }
    let hash = path.foldedHash
    guard folders[hash] == nil, files.insert(hash).inserted else {
      throw .refused(entry: path, .duplicate)
    }
  }

  /// Adds a folder. An archive may name a folder again, or after its files, but only with the same
  /// spelling.
  private mutating func add(folder: ArraySlice<UInt8>, of path: PathBytes) throws(ArchiveError) {
    let hash = PathBytes(Array(folder)).foldedHash
    let spelling = folder.hashValue
    guard !files.contains(hash), folders.updateValue(spelling, forKey: hash) ?? spelling == spelling
    else { throw .refused(entry: path, .duplicate) }
  }

  /// Returns the reason why no entry may have this path; nil if it is allowed.
  static func fault(of path: [UInt8]) -> EntryFault? {
    if path.isEmpty { return .empty }
    if path.first == UInt8(ascii: "/") { return .absolute }
    if path.contains(UInt8(ascii: "\\")) { return .backslash }
    if path.count > 1, path[1] == UInt8(ascii: ":"), path[0].isASCIIAlphanumeric { return .drive }
    if hasControl(path) { return .control }
    if path.count > maxPathLength { return .tooLong }
    let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if components.count > maxDepth { return .tooDeep }
    for component in components {
      if component.isEmpty || component.elementsEqual([0x2E]) { return .empty }
      if component.elementsEqual([0x2E, 0x2E]) { return .parent }
      if component.count > maxNameLength { return .tooLong }
    }
    return nil
  }

  /// Whether a path has a control character: C0, DEL, or C1 as UTF-8.
  private static func hasControl(_ path: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in path {
      if byte < 0x20 || byte == 0x7F || previous == 0xC2 && byte < 0xA0 { return true }
      previous = byte
    }
    return false
  }
}

extension PathBytes {
  /// One hash for all paths that some file systems treat as equal, since they ignore case or
  /// Unicode form.
  var foldedHash: Int {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      let lower = bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
      return String(decoding: lower, as: UTF8.self).hashValue
    }
    // Swift hashes a string by its canonical form, not by its bytes.
    return text?.foldedName.hashValue ?? bytes.hashValue
  }

  /// Creates the path of an archive's entry, without a trailing slash, `./` and repeated slashes,
  /// which archivers write. It is empty for the root folder.
  init(entry name: [UInt8]) {
    let components = name.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual([0x2E]) }
    let path = Array(components.joined(separator: [UInt8(ascii: "/")]))
    self.init(name.first == UInt8(ascii: "/") ? [UInt8(ascii: "/")] + path : path)
  }
}
