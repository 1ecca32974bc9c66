package import VmxDigest
package import VmxModel

/// The name of a manifest: `manifest-sha256.txt`, or `tagmanifest-sha256.txt` for tag files.
package struct BagManifestName: Sendable, Hashable {
  /// The name of the algorithm, as written in the file name.
  package let algorithm: String
  /// Whether it lists tag files.
  package let isOfTags: Bool

  /// Creates the name of a manifest that vmx writes.
  package init(_ algorithm: ManifestAlgorithm, isOfTags: Bool = false) {
    self.algorithm = algorithm.rawValue
    self.isOfTags = isOfTags
  }

  /// Parses the path of a file in a bag; nil if it is not a manifest.
  package init?(_ path: PathBytes) {
    guard let name = path.text, name.hasSuffix(".txt"), !name.contains("/") else { return nil }
    isOfTags = name.hasPrefix("tag")
    let prefix = isOfTags ? "tagmanifest-" : "manifest-"
    guard name.hasPrefix(prefix) else { return nil }
    algorithm = String(name.dropFirst(prefix.count).dropLast(4))
  }

  /// The name of the file.
  package var file: String { "\(isOfTags ? "tagmanifest" : "manifest")-\(algorithm).txt" }

  /// The algorithm; nil if vmx does not support it.
  package var known: ManifestAlgorithm? { ManifestAlgorithm(rawValue: algorithm) }
}

/// A line of a manifest: a file with its digest.
package struct BagManifestLine: Sendable, Equatable {
  /// The digest.
  package let digest: [UInt8]
  /// The path in the bag.
  package let path: BagPath

  /// Creates a line.
  package init(_ path: PathBytes, _ digest: [UInt8]) {
    self.digest = digest
    self.path = BagPath(exact: path)
  }

  /// Parses a line: hexadecimal digits, blanks, an optional `*` of md5sum, a path. Returns nil for
  /// any other line.
  package init?(_ line: Substring, _ algorithm: ManifestAlgorithm) {
    guard let end = line.firstIndex(where: { $0 == " " || $0 == "\t" }),
      let digest = Hex.bytes(of: line[..<end]), digest.count == algorithm.length
    else { return nil }
    let rest = line[end...].drop { $0 == " " || $0 == "\t" }
    let path = rest.first == "*" ? rest.dropFirst() : rest
    guard !path.isEmpty else { return nil }
    self.digest = digest
    self.path = BagPath(path, hasMark: rest.first == "*")
  }

  /// Returns the text of a manifest with these lines, sorted by path.
  package static func text(_ lines: [BagManifestLine]) -> String {
    lines.sorted { $0.path.path < $1.path.path }.map(\.text).joined()
  }

  /// The line as vmx writes it.
  package var text: String { "\(Hex.text(of: digest))  \(path.encoded)\n" }
}

/// A path in a tag file (RFC 8493, section 2.1.3), in which only `%`, CR and LF are escaped.
package struct BagPath: Sendable, Equatable {
  /// The decoded path without `.` components.
  package let path: PathBytes
  /// The path as written, for bags whose writer did not escape `%`.
  let literal: PathBytes
  /// Whether the path began with `./`.
  let hasLeadingDot: Bool
  /// Whether the path had another `.` component, or an empty one.
  let hasDots: Bool
  /// Whether the path had the prefix `*`, which md5sum writes for binary files.
  let hasMark: Bool

  /// Creates the path of a file.
  init(exact path: PathBytes) {
    (self.path, literal) = (path, path)
    (hasLeadingDot, hasDots, hasMark) = (false, false, false)
  }

  init(_ text: Substring, hasMark: Bool = false) {
    let bytes = Array(text.utf8)
    hasLeadingDot = bytes.starts(with: [0x2E, 0x2F])
    let rest = hasLeadingDot ? Array(bytes.dropFirst(2)) : bytes
    literal = PathBytes(entry: rest)
    hasDots = literal.bytes != rest
    path = PathBytes(Self.decoded(literal.bytes))
    self.hasMark = hasMark
  }

  /// Whether the path is below the bag on any system.
  var isSafe: Bool {
    path.bytes.first != UInt8(ascii: "~") && EntryNames.fault(of: path.bytes) == nil
      && EntryNames.fault(of: literal.bytes) == nil
  }

  /// Whether the path is that of a payload file.
  var isPayload: Bool { path.isPayload }

  /// The path as a tag file writes it.
  package var encoded: String {
    let escaped = [UInt8(ascii: "%"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    guard path.bytes.contains(where: { escaped.contains($0) }) else { return path.displayText }
    return path.displayText.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "%": text += "%25"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
    var path: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let code =
        byte == UInt8(ascii: "%")
        ? Hex.bytes(of: String(decoding: rest.prefix(2), as: UTF8.self)) : nil
      if let code, [[0x25], [0x0D], [0x0A]].contains(code) {
        path += code
        rest = rest.dropFirst(2)
      } else {
        path.append(byte)
      }
    }
    return path
  }
}

extension PathBytes {
  /// Whether it is the path of a payload file in a bag.
  package var isPayload: Bool { Self.isPayload(bytes[...]) }

  /// Whether bytes are the path of a payload file in a bag.
  static func isPayload(_ path: ArraySlice<UInt8>) -> Bool { path.starts(with: "data/".utf8) }
}

/// A line of `fetch.txt` (RFC 8493, section 2.2.3): a payload file that is not in the bag.
package struct BagFetchLine: Sendable, Equatable {
  /// The name of the file.
  package static let name = "fetch.txt"

  /// The URL of the file, as written. It is untrusted input.
  package let url: String
  /// The size in bytes, if it is declared.
  package let size: Int64?
  /// The path in the bag.
  package let path: BagPath

  /// Creates a line.
  package init(_ path: PathBytes, url: String, size: Int64?) {
    self.path = BagPath(exact: path)
    self.url = url
    self.size = size
  }

  /// Parses a line: URL, size or `-`, path. Returns nil for any other line.
  package init?(_ line: Substring) {
    let columns = line.split(maxSplits: 2, omittingEmptySubsequences: true) {
      $0 == " " || $0 == "\t"
    }
    guard columns.count == 3 else { return nil }
    size = Int64(columns[1])
    guard columns[1] == "-" || (size ?? -1) >= 0 else { return nil }
    url = String(columns[0])
    path = BagPath(columns[2].trimmingBlanks)
  }

  /// The line as vmx writes it; blanks in the URL must be escaped.
  package var text: String { "\(url) \(size.map(String.init) ?? "-") \(path.encoded)\n" }
}
