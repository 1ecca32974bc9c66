import VmxDigest
import VmxModel
import VmxSystem

/// Applies the rules of a bag to all of its files.
struct BagValidation {
  private let files: BagFiles
  /// The number of payload manifests that list each file, and the index of the last manifest that
  /// lists it.
  private var listings: [UInt8]
  private var lastManifest: [UInt8]
  private let texts: [PathBytes: SpooledText]
  private var findings: [BagFinding] = []
  private var unverified: [PathBytes: Set<ManifestAlgorithm>] = [:]
  private var absent: [BagFetchLine] = []
  /// The number of manifests that list each absent file.
  private var absentListings: [PathBytes: UInt8] = [:]
  private var fetched: [PathBytes: BagFetchLine] = [:]
  private var declaration = BagDeclaration(Array(BagDeclaration.text.utf8))
  /// The hashes of the digests that the current manifest lists for missing files, by the hashes of
  /// their paths. Only hashes are kept, since a manifest may list a million files.
  private var missing: [Int: Int] = [:]
  /// The payload files by the hash of their folded path; built when first needed.
  private var duplicates: [Int: [PathBytes]]?
  private var isOxumExcused = false
  private var counts: [BagFinding.Severity: Int] = [:]
  private static let maxFindings = 1000

  init(_ check: BagCheck) {
    files = check.files
    listings = [UInt8](repeating: 0, count: files.count)
    lastManifest = [UInt8](repeating: .max, count: files.count)
    texts = check.texts
  }

  private var isRFC: Bool { declaration.map { $0.version >= .rfc } ?? true }

  mutating func verdict() -> BagVerdict {
    let declared = checkDeclaration()
    let list = PathBytes(BagFetchLine.name)
    forEachLine(of: list) { judging, _, line in judging.checkFetch(line, list) }
    checkManifests()
    let info = checkInfo()
    checkNames()
    return BagVerdict(
      declaration: declared, info: info, findings: findings, absent: absent,
      unverified: unverified)
  }

  private mutating func checkDeclaration() -> BagDeclaration? {
    let path = PathBytes(BagDeclaration.name)
    guard texts[path] != nil else {
      report(.noDeclaration, at: path)
      return nil
    }
    guard let found = bytes(of: path).flatMap({ BagDeclaration($0) }) else {
      report(.invalidDeclaration, at: path)
      return nil
    }
    if !found.version.isKnown { report(.unknownVersion, at: path) }
    if !found.isEncodingKnown { report(.unknownEncoding, at: path) }
    declaration = found
    return found
  }

  /// Calls the closure with each line of a tag file that is not blank, and its number from 1. A
  /// missing file has no lines.
  private mutating func forEachLine(
    of path: PathBytes, _ body: (inout BagValidation, _ number: Int, Substring) -> Void
  ) {
    guard let pieces = pieces(of: path) else { return }
    var number = 0
    for piece in pieces {
      for line in TagLines(piece) {
        number += 1
        if !line.trimmingBlanks.isEmpty { body(&self, number, line) }
      }
    }
  }

  private mutating func pieces(of path: PathBytes) -> TagPieces? {
    guard let text = texts[path], let declaration else { return nil }
    let pieces = declaration.pieces(of: text)
    // An unknown encoding is reported with the declaration.
    if pieces == nil, declaration.isEncodingKnown { report(.invalidText, at: path) }
    return pieces
  }

  /// Returns the bytes of a tag file; nil if it is missing or cannot be read.
  private func bytes(of path: PathBytes) -> [UInt8]? {
    do throws(FileError) {
      return try texts[path].map { text throws(FileError) in try text.bytes(0..<text.count) }
    } catch {
      return nil
    }
  }
}

// MARK: - Manifests

extension BagValidation {
  private mutating func checkManifests() {
    let names = texts.keys.sorted().compactMap { BagManifestName($0) }
    for name in names where name.known == nil {
      report(.unknownAlgorithm, at: PathBytes(name.file), severity: .warning)
    }
    let known = names.filter { $0.known != nil }
    let count = known.count { !$0.isOfTags }
    for (index, name) in known.enumerated() {
      guard let algorithm = name.known else { continue }
      missing = [:]
      check(name, algorithm: algorithm, index: UInt8(clamping: index))
    }
    guard count > 0 else { return report(.noManifest, at: PathBytes("data")) }
    let wanted = isRFC ? UInt8(clamping: count) : 1
    let unlisted = files.payload.filter { listings[$0] < wanted }.map { files.path(of: $0) }
    let unfetched = fetched.keys.filter {
      files.number(of: $0) == nil && absentListings[$0, default: 0] < wanted
    }
    for path in (unlisted + unfetched).sorted() { report(.unlisted, at: path) }
  }

  private mutating func check(
    _ name: BagManifestName, algorithm: ManifestAlgorithm, index: UInt8
  ) {
    let manifest = PathBytes(name.file)
    forEachLine(of: manifest) { judging, number, text in
      guard let line = BagManifestLine(text, algorithm) else {
        return judging.report(.malformedLine, at: manifest, line: number)
      }
      guard line.path.isSafe, line.path.isPayload != name.isOfTags else {
        return judging.report(.unsafePath, at: manifest, line: number)
      }
      judging.report(marksOf: line.path, manifest, number)
      if !judging.compare(line, algorithm, manifest: index, isOfTags: name.isOfTags) {
        judging.report(
          .listedTwice, at: manifest, severity: judging.isRFC ? .error : .warning, line: number)
      }
    }
  }

  /// Returns the path of the file that a line lists: the decoded path, or else the path as written.
  private func found(_ path: BagPath) -> PathBytes {
    files.number(of: path.path) == nil && files.number(of: path.literal) != nil
      ? path.literal : path.path
  }

  private mutating func report(marksOf path: BagPath, _ file: PathBytes, _ number: Int) {
    if path.hasMark { report(.binaryMark, at: file, severity: .warning, line: number) }
    if path.hasDots || path.hasLeadingDot && isRFC {
      report(.dottedPath, at: file, severity: .warning, line: number)
    }
  }

  /// Compares a line with its file; returns false if the manifest already lists the file.
  private mutating func compare(
    _ line: BagManifestLine, _ algorithm: ManifestAlgorithm, manifest: UInt8, isOfTags: Bool
  ) -> Bool {
    let path = found(line.path)
    guard let number = files.number(of: path) else {
      let digest = line.digest.hashValue
      let other = missing.updateValue(digest, forKey: path.hashValue)
      if other == nil { checkMissing(line, at: path, algorithm: algorithm) }
      if let other, other != digest { report(.digestMismatch, at: path) }
      return other == nil
    }
    let isFirst = lastManifest[number] != manifest
    lastManifest[number] = manifest
    if isFirst, !isOfTags { listings[number] += 1 }
    if let digest = digest(of: path, number, algorithm) {
      if !digest.elementsEqual(line.digest) { report(.digestMismatch, at: path) }
    } else {
      unverified[path, default: []].insert(algorithm)
    }
    return isFirst
  }

  private func digest(
    of path: PathBytes, _ number: Int, _ algorithm: ManifestAlgorithm
  ) -> ArraySlice<UInt8>? {
    if let digest = files.digest(of: number, algorithm) { return digest }
    guard let text = texts[path] else { return nil }
    let hasher = ManifestHasher([algorithm])
    do {
      try text.forEachPiece { hasher.update($0) }
    } catch {
      return nil
    }
    return hasher.finish()[algorithm]?[...]
  }

  /// Handles a listed file that is missing. It may be the twin of an existing file, a file to
  /// fetch, or a file that desktops create in folders and archivers omit.
  private mutating func checkMissing(
    _ line: BagManifestLine, at path: PathBytes, algorithm: ManifestAlgorithm
  ) {
    if let twin = duplicate(of: path), let number = files.number(of: twin),
      case let found = digest(of: twin, number, algorithm),
      found?.elementsEqual(line.digest) != false
    {
      // The caller requests the verdict again once the digest of the twin is known.
      if found == nil { unverified[twin, default: []].insert(algorithm) }
      listings[number] += 1
      isOxumExcused = true
      return report(.duplicate, at: path, severity: .warning)
    }
    if let line = fetched[path] {
      if absentListings[path] == nil { absent.append(line) }
      absentListings[path, default: 0] += 1
      isOxumExcused = true
    } else if Self.systemFiles.contains(path.displayText.split(separator: "/").last ?? "") {
      isOxumExcused = true
      report(.systemFile, at: path, severity: .warning)
    } else {
      report(.missing, at: path)
    }
  }

  private static let systemFiles: Set<Substring> = [".DS_Store", "Thumbs.db", "desktop.ini"]

  /// Returns a payload file whose path some file systems treat as equal to this one; nil if there
  /// is none.
  private mutating func duplicate(of path: PathBytes) -> PathBytes? {
    let known =
      duplicates
      ?? Dictionary(grouping: files.payload.lazy.map { [files] in files.path(of: $0) }) {
        $0.foldedHash
      }
    duplicates = known
    return known[path.foldedHash]?.min()
  }
}

// MARK: - Other tag files

extension BagValidation {
  private mutating func checkFetch(_ text: Substring, _ file: PathBytes) {
    guard let line = BagFetchLine(text) else { return report(.malformedLine, at: file) }
    guard line.path.isSafe, line.path.isPayload else { return report(.unsafePath, at: file) }
    fetched[line.path.path] = line
    if let size = line.size, let number = files.number(of: line.path.path),
      files.size(of: number) != size
    {
      report(.sizeMismatch, at: line.path.path)
    }
  }

  private mutating func checkInfo() -> BagInfo {
    for name in [BagInfo.name, BagInfo.oldName] {
      let path = PathBytes(name)
      guard let pieces = pieces(of: path) else { continue }
      let text = pieces.joined(separator: [UInt8(ascii: "\n")])
      let info = BagInfo(text: String(decoding: Array(text), as: UTF8.self))
      for line in info.malformed { report(.malformedLine, at: path, line: line) }
      if let declared = info.payload {
        let found = files.payload.reduce(into: (bytes: Int64(0), files: 0)) { found, number in
          found.bytes = found.bytes.addingClamped(files.size(of: number))
          found.files += 1
        }
        if declared != found {
          report(.oxumMismatch, at: path, severity: isOxumExcused ? .warning : .error)
        }
      }
      return info
    }
    return BagInfo()
  }

  /// Reports files whose paths some file systems treat as equal.
  private mutating func checkNames() {
    var (seen, twice): (Set<Int>, Set<Int>) = ([], [])
    for hash in files.paths.lazy.map(\.foldedHash) where !seen.insert(hash).inserted {
      twice.insert(hash)
    }
    if twice.isEmpty { return }
    seen = []
    for path in files.paths.filter({ twice.contains($0.foldedHash) }).sorted()
    where !seen.insert(path.foldedHash).inserted {
      report(.duplicate, at: path, severity: .warning)
    }
  }

  /// Adds a finding, unless the maximum number of its severity is reached.
  private mutating func report(
    _ fault: BagFault, at path: PathBytes, severity: BagFinding.Severity = .error,
    line: Int? = nil
  ) {
    counts[severity, default: 0] += 1
    if counts[severity, default: 0] > Self.maxFindings { return }
    findings.append(BagFinding(fault: fault, severity: severity, path: path, line: line))
  }
}
