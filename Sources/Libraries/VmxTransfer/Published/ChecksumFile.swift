import VmxModel

/// A list of digests as written by `sha256sum`, `shasum`, BSD's `sha256` and `openssl dgst`.
///
/// Its lines are `HASH  name`, `HASH *name`, `SHA256 (name) = HASH` or a hash alone. The length of
/// a hash determines its function. Other lines, such as comments and signatures, are ignored.
struct ChecksumFile {
  private struct Entry {
    /// The last component of the name; nil for a hash alone.
    let name: String?
    let digest: Digest
  }

  private let entries: [Entry]

  /// Parses a text; nil if none of its lines has a known form.
  init?(_ bytes: [UInt8]) {
    var text = String(decoding: bytes, as: UTF8.self)[...]
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    entries = text.split(whereSeparator: \.isNewline).compactMap { Self.entry($0) }
    if entries.isEmpty { return nil }
  }

  /// The digest of a file of that name: from the entry with that name, otherwise the only hash
  /// without a name. Nil if there is none, or if two entries of one function disagree.
  func digest(of name: String) -> Digest? {
    let named = entries.filter { $0.name == name }
    let counting = named.isEmpty ? entries.filter { $0.name == nil } : named
    for algorithm in DigestAlgorithm.allCases {
      let digests = Set(counting.map(\.digest).filter { $0.algorithm == algorithm })
      if let digest = digests.first { return digests.count == 1 ? digest : nil }
    }
    return nil
  }

  private static func entry(_ line: Substring) -> Entry? {
    var line = line.trimmed
    // A leading backslash marks an escaped name (coreutils).
    let isEscaped = line.hasPrefix("\\")
    if isEscaped { line.removeFirst() }
    let name: Substring?
    let digest: Digest?
    if line.last.map(isHex) == true, let open = line.firstIndex(of: "("),
      let close = line.lastIndex(of: ")"), open < close
    {
      name = line[line.index(after: open)..<close]
      digest = tagged(line[..<open], line[line.index(after: close)...])
    } else {
      let hash = line.prefix { isHex($0) }
      let rest = line[hash.endIndex...]
      guard rest.isEmpty || rest.first?.isWhitespace == true else { return nil }
      let text = rest.trimmed
      name = text.isEmpty ? nil : text.hasPrefix("*") ? text.dropFirst() : text
      digest = untagged(hash)
    }
    guard let digest else { return nil }
    let plain = name.map { isEscaped ? unescaped($0) : String($0) }
    return Entry(name: plain.map { lastComponent($0) }, digest: digest)
  }

  /// Parses `SHA256 (name) = HASH`, given the text before and after the name.
  private static func tagged(_ function: Substring, _ value: Substring) -> Digest? {
    let value = value.trimmed
    guard value.hasPrefix("=") else { return nil }
    let hash = value.dropFirst().trimmed
    switch function.trimmed.uppercased() {
    case "SHA256", "SHA2-256", "SHA-256": return Digest(.sha256, hex: hash)
    case "SHA512", "SHA2-512", "SHA-512": return Digest(.sha512, hex: hash)
    default: return nil
    }
  }

  private static func untagged(_ hash: Substring) -> Digest? {
    DigestAlgorithm.allCases.lazy.compactMap { Digest($0, hex: hash) }.first
  }

  private static func lastComponent(_ name: String) -> String {
    name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
  }

  private static func unescaped(_ name: Substring) -> String {
    var text = ""
    var isEscape = false
    for character in name {
      if isEscape {
        text.append(character == "n" ? "\n" : character == "r" ? "\r" : character)
      } else if character != "\\" {
        text.append(character)
      }
      isEscape = !isEscape && character == "\\"
    }
    return text
  }

  private static func isHex(_ character: Character) -> Bool {
    character.isASCII && character.isHexDigit
  }
}

// The lookup of a digest that is published beside a file.
//
// It requests `NAME.sha256`, then `SHA256SUMS` in the same folder, after the bytes have arrived. A
// source that fails therefore costs no extra request, and a file replaced during the transfer is
// compared with the current digest. A missing file is not a failure. Neither is a text without the
// file's name, but the observer receives a note. A server that requests a wait or cannot be reached
// has given no answer: that is a failure like any other.

/// Fetches the digest that is published beside a source.
struct ChecksumLookup {
  /// The maximum size of such a text.
  private static let limit = ByteCount(clamping: 64 << 10)

  private let source: TransferSource
  private let session: TransferSession
  private let name: String
  private let candidates: [RequestURL]

  /// Creates a lookup beside a source.
  init(_ source: TransferSource, url: RequestURL, session: TransferSession) {
    self.source = source
    self.session = session
    let (folder, name, query) = url.pieces
    self.name = name
    let texts = name.isEmpty ? [] : ["\(folder)\(name).sha256", "\(folder)SHA256SUMS"]
    candidates = texts.compactMap { RequestURL($0 + query) }
  }

  /// The digest published for the file; nil if there is no usable one.
  ///
  /// - Throws: the failure that ends the transfer: a stop, or a server that did not answer.
  func digest() throws(TransferError) -> Digest? {
    for candidate in candidates {
      guard let bytes = try text(at: candidate) else { continue }
      let plain = PercentCoding.decoded(name) ?? name
      if let digest = ChecksumFile(bytes)?.digest(of: plain) { return digest }
      session.observer.noted("'\(candidate.redacted)' has no digest for '\(plain)'")
    }
    return nil
  }

  /// Fetches the text at a URL with retries; nil if it does not exist or cannot be fetched.
  private func text(at candidate: RequestURL) throws(TransferError) -> [UInt8]? {
    var request = source.request
    (request.url, request.limit) = (candidate.text, Self.limit)
    do throws(TransferError) {
      return try DocumentFetch(request, session).perform().bytes
    } catch {
      switch error {
      case .rateLimited, .unreachable: throw error
      case .status(_, let status) where !StatusClassification(status).isTransient: return nil
      case .signatureRefused: return nil
      case let error where error.isSourceIndependent: throw error
      default:
        session.observer.noted(error.summary)
        return nil
      }
    }
  }
}
