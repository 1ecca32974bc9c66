import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The files that are named after an episode's id: unfinished parts, what is known of them, and
/// the sidecar. Media have names of their own and stay where they are.
struct EpisodeFiles {
  private let id: EpisodeID
  private let parts: [String]
  private let roots: [String]

  /// The files of an episode below some roots; roots that are away are passed over.
  init(of episode: Episode, below roots: [String]) {
    self.init(id: episode.id, parts: episode.parts.map(\.name), roots: roots)
  }

  private init(id: EpisodeID, parts: [String], roots: [String]) {
    self.id = id
    self.parts = parts
    self.roots = roots
  }

  /// The same files under another id.
  func renamed(to new: EpisodeID) -> EpisodeFiles {
    EpisodeFiles(id: new, parts: parts, roots: roots)
  }

  /// Gives the files that are there the names of another id; those that have them already stay.
  /// Durable on return, so that a record that follows never leads to bytes that are elsewhere.
  ///
  /// - Throws: `FileError`.
  func rename(to new: EpisodeID) throws {
    for root in roots {
      let folder = FilePath(root).appending(".vmx")
      let partial = folder.appending("partial")
      for part in parts {
        let (from, to) = (Self.stem(id, part), Self.stem(new, part))
        try Self.move(partial.appending(from), to: partial.appending(to))
        try Self.move(partial.appending(from + ".aside"), to: partial.appending(to + ".aside"))
        try Self.readdress(
          partial.appending(from + ".json"), to: partial.appending(to + ".json"),
          key: "episode", new)
      }
      let records = folder.appending("records")
      try Self.readdress(
        records.appending(Self.sidecar(id)), to: records.appending(Self.sidecar(new)),
        key: "id", new)
      if isFolder(partial) { try syncFolder(partial) }
    }
  }

  private static func stem(_ id: EpisodeID, _ part: String) -> String {
    let name = String(part.map { $0 == ":" ? "-" : $0 })
    return "\(Hex.text(of: UInt64(id.claimOffset)))-\(name).part"
  }

  private static func sidecar(_ id: EpisodeID) -> String { "\(id.show)~\(id.episode).json" }

  private static func move(_ old: FilePath, to new: FilePath) throws {
    do throws(FileError) {
      try renameReplacing(from: old, to: new)
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Writes a file anew under the other name, with the id within it changed too; one that cannot
  /// be read as JSON names nobody and is only moved.
  private static func readdress(
    _ old: FilePath, to new: FilePath, key: String, _ id: EpisodeID
  ) throws {
    guard let bytes = try contents(of: old) else { return }
    guard var object = object(in: bytes) else { return try move(old, to: new) }
    object[key] = .string(id.description)
    var text: [UInt8] = []
    JSONWriter.append(object, to: &text)
    text.append(UInt8(ascii: "\n"))
    try AtomicFile.replace(new, with: text, durable: false)
    try removeFile(old)
  }

  private static func object(in bytes: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes).object
    } catch {
      return nil
    }
  }

  private static func contents(of path: FilePath) throws -> [UInt8]? {
    do throws(FileError) {
      let file = try OpenFile(path, .readOnly)
      var bytes = [UInt8](repeating: 0, count: Int(try file.facts().size))
      let result = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in try file.read(into: buffer, at: 0) }
      }
      bytes.removeLast(bytes.count - (try result.get()))
      return bytes
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }
}
