import VmxDigest
import VmxModel

/// The rules of a bag, applied to all of its files.
struct BagJudging {
  private let check: BagCheck
  private var findings: [BagFinding] = []
  private var unverified: [PathBytes: Set<ManifestAlgorithm>] = [:]
  private var absent: [BagFetchLine] = []
  private var fetched: [PathBytes: BagFetchLine] = [:]
  private var declaration = BagDeclaration(Array(BagDeclaration.text.utf8))
  /// How many payload manifests list each file.
  private var listings: [PathBytes: Int] = [:]
  /// The payload files by what a file system may take for their name; made when first needed.
  private var twins: [Int: [PathBytes]]?
  private var isOxumExcused = false

  init(_ check: BagCheck) {
    self.check = check
  }

  private var isRFC: Bool { declaration.map { $0.version >= .rfc } ?? true }

  mutating func verdict() -> BagVerdict {
    let declared = judgeDeclaration()
    for (_, line, path) in lines(of: BagFetchLine.name) { judgeFetch(line, path) }
    judgeManifests()
    let info = judgeInfo()
    judgeNames()
    return BagVerdict(
      declaration: declared, info: info, findings: findings, absent: absent,
      unverified: unverified)
  }

  private mutating func judgeDeclaration() -> BagDeclaration? {
    let path = PathBytes(BagDeclaration.name)
    guard let bytes = check.texts[path] else {
      report(.noDeclaration, path)
      return nil
    }
    guard let found = BagDeclaration(bytes) else {
      report(.badDeclaration, path)
      return nil
    }
    if !found.version.isKnown { report(.unknownVersion, path) }
    if !found.isEncodingKnown { report(.unknownEncoding, path) }
    declaration = found
    return found
  }

  /// The lines of a tag file that say something, with their numbers.
  private mutating func lines(
    of name: String
  ) -> [(number: Int, line: Substring, path: PathBytes)] {
    let path = PathBytes(name)
    guard let text = text(of: path) else { return [] }
    return text.tagLines.enumerated().compactMap { index, line in
      line.trimmingBlanks.isEmpty ? nil : (index + 1, line, path)
    }
  }

  private mutating func text(of path: PathBytes) -> String? {
    guard let bytes = check.texts[path], let declaration else { return nil }
    let text = declaration.decode(bytes)
    // An unknown encoding was reported before.
    if text == nil, declaration.isEncodingKnown { report(.badText, path) }
    return text
  }
}

// MARK: - Manifests

extension BagJudging {
  private mutating func judgeManifests() {
    let names = check.texts.keys.sorted().compactMap { BagManifestName($0) }
    for name in names where name.known == nil {
      report(.unknownAlgorithm, PathBytes(name.file), .warning)
    }
    var count = 0
    for name in names {
      guard let algorithm = name.known else { continue }
      if !name.isOfTags { count += 1 }
      judge(name, algorithm)
    }
    guard count > 0 else { return report(.noManifest, PathBytes("data")) }
    let wanted = isRFC ? count : 1
    for path in check.files.keys.sorted()
    where path.isPayload && listings[path, default: 0] < wanted {
      report(.unlisted, path)
    }
    let listed = Set(listings.keys)
    for (path, line) in fetched where !listed.contains(path) && check.files[path] == nil {
      report(.unlisted, line.path.path)
    }
  }

  private mutating func judge(_ name: BagManifestName, _ algorithm: ManifestAlgorithm) {
    var seen: [PathBytes: [UInt8]] = [:]
    for (number, text, manifest) in lines(of: name.file) {
      guard let line = BagManifestLine(text, algorithm) else {
        report(.badLine, manifest, line: number)
        continue
      }
      guard line.path.isSafe, line.path.isPayload != name.isOfTags else {
        report(.unsafePath, manifest, line: number)
        continue
      }
      report(marksOf: line.path, manifest, number)
      let path = found(line.path)
      if let other = seen.updateValue(line.digest, forKey: path) {
        let isAlike = other == line.digest && !isRFC
        report(.listedTwice, manifest, isAlike ? .warning : .error, line: number)
        continue
      }
      compare(line, path, algorithm, isOfTags: name.isOfTags)
    }
  }

  /// The path of the file that a line means: the decoded path, else the one as it was written.
  private func found(_ path: BagPath) -> PathBytes {
    check.files[path.path] == nil && check.files[path.literal] != nil ? path.literal : path.path
  }

  private mutating func report(marksOf path: BagPath, _ file: PathBytes, _ number: Int) {
    if path.hasMark { report(.binaryMark, file, .warning, line: number) }
    if path.hasDots || path.hasLeadingDot && isRFC {
      report(.dottedPath, file, .warning, line: number)
    }
  }

  private mutating func compare(
    _ line: BagManifestLine, _ path: PathBytes, _ algorithm: ManifestAlgorithm, isOfTags: Bool
  ) {
    guard let file = check.files[path] else { return judgeMissing(line, path, algorithm) }
    if !isOfTags { listings[path, default: 0] += 1 }
    guard let digest = digest(of: path, file, algorithm) else {
      unverified[path, default: []].insert(algorithm)
      return
    }
    if digest != line.digest { report(.wrongDigest, path) }
  }

  private func digest(
    of path: PathBytes, _ file: BagCheck.File, _ algorithm: ManifestAlgorithm
  ) -> [UInt8]? {
    if let digest = file.digests[algorithm] { return digest }
    return check.texts[path].flatMap { ManifestHasher.digests(of: $0, [algorithm])[algorithm] }
  }

  /// A listed file that is not there may be one to fetch, the twin of one that is there, or one
  /// that desktops leave in folders and archivers leave out.
  private mutating func judgeMissing(
    _ line: BagManifestLine, _ path: PathBytes, _ algorithm: ManifestAlgorithm
  ) {
    if let twin = twin(of: path), let file = check.files[twin],
      digest(of: twin, file, algorithm) == line.digest
    {
      listings[twin, default: 0] += 1
      isOxumExcused = true
      return report(.twin, path, .warning)
    }
    if let line = fetched[path] {
      listings[path, default: 0] += 1
      if !absent.contains(line) { absent.append(line) }
      isOxumExcused = true
    } else if Self.systemFiles.contains(path.words.split(separator: "/").last ?? "") {
      isOxumExcused = true
      report(.systemFile, path, .warning)
    } else {
      report(.missing, path)
    }
  }

  private static let systemFiles: Set<Substring> = [".DS_Store", "Thumbs.db", "desktop.ini"]

  /// A payload file that some file system takes for the one with this path.
  private mutating func twin(of path: PathBytes) -> PathBytes? {
    let known =
      twins ?? Dictionary(grouping: check.files.keys.filter(\.isPayload)) { $0.foldedHash }
    twins = known
    return known[path.foldedHash]?.min()
  }
}

// MARK: - Other tag files

extension BagJudging {
  private mutating func judgeFetch(_ text: Substring, _ file: PathBytes) {
    guard let line = BagFetchLine(text) else { return report(.badLine, file) }
    guard line.path.isSafe, line.path.isPayload else { return report(.unsafePath, file) }
    fetched[line.path.path] = line
    if let size = line.size, let found = check.files[line.path.path], found.size != size {
      report(.wrongSize, line.path.path)
    }
  }

  private mutating func judgeInfo() -> BagInfo {
    for name in [BagInfo.name, BagInfo.oldName] {
      let path = PathBytes(name)
      guard let text = text(of: path) else { continue }
      let info = BagInfo(text: text)
      for line in info.malformed { report(.badLine, path, line: line) }
      if let declared = info.payload {
        let payload = check.files.filter { $0.key.isPayload }
        let bytes = payload.values.lazy.map(\.size).clampedSum()
        if declared != (bytes, payload.count) {
          report(.wrongOxum, path, isOxumExcused ? .warning : .error)
        }
      }
      return info
    }
    return BagInfo()
  }

  /// Two files that are there, and would be one elsewhere.
  private mutating func judgeNames() {
    var seen: Set<Int> = []
    for path in check.files.keys.sorted() where !seen.insert(path.foldedHash).inserted {
      report(.twin, path, .warning)
    }
  }

  private mutating func report(
    _ fault: BagFault, _ path: PathBytes, _ severity: BagFinding.Severity = .error,
    line: Int? = nil
  ) {
    findings.append(BagFinding(fault: fault, severity: severity, path: path, line: line))
  }
}
