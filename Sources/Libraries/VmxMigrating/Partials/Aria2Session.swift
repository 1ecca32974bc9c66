import VmxModel

/// The downloads of a session file of aria2 (`--save-session`), or of a list for `--input-file`.
/// Each has a line of URIs, separated by tabs, and then indented lines with options.
struct Aria2Session {
  /// The maximum size of a session file, 4 MiB.
  static let maxBytes: Int64 = 4 << 20

  /// A download.
  struct Entry: Equatable {
    /// The number of its line, from 1.
    let line: Int
    /// The URLs of one file.
    let urls: [WebURL]
    /// The base name of its file.
    let fileName: String
  }

  /// The downloads with a file name.
  private(set) var entries: [Entry] = []
  /// The lines that are not downloads of a file, with the reasons.
  private(set) var failures: [(line: Int, failure: Failure)] = []

  /// Parses a file. Returns nil unless it begins with a URI, after comments, and has options: a
  /// plain list of URLs is not a record of downloads.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var open: (line: Int, uris: Substring, name: String?)?
    var (isSession, hasOptions) = (false, false)
    for (index, line) in lines.enumerated() {
      let line = line.last == "\r" ? line.dropLast() : line
      guard let first = line.first, first != "#" else { continue }
      if first == " " || first == "\t" {
        guard isSession else { return nil }
        let option = line.drop { $0 == " " || $0 == "\t" }
        hasOptions = hasOptions || option.contains("=")
        if option.hasPrefix("out=") { open?.name = String(option.dropFirst(4)) }
      } else {
        guard isSession || Self.isURI(line) else { return nil }
        isSession = true
        if let open { add(open) }
        open = (index + 1, line, nil)
      }
    }
    guard hasOptions else { return nil }
    if let open { add(open) }
  }

  private static func isURI(_ line: Substring) -> Bool {
    ["http://", "https://", "ftp://", "sftp://", "magnet:"].contains { line.hasPrefix($0) }
  }

  private mutating func add(_ open: (line: Int, uris: Substring, name: String?)) {
    var urls: [WebURL] = []
    for uri in open.uris.split(separator: "\t") {
      do throws(Failure) {
        let url = try WebURL(String(uri))
        if !urls.contains(url) { urls.append(url) }
      } catch {
        if open.uris == uri || open.uris.dropLast() == uri { failures.append((open.line, error)) }
      }
    }
    guard let first = urls.first else { return }
    // The option `out` names the file, possibly with folders below the download folder; otherwise
    // the URL does.
    let name = LegacyName(open.name ?? first.lastPathComponent).last
    guard !name.isEmpty else { return }
    entries.append(Entry(line: open.line, urls: urls, fileName: name))
  }
}
