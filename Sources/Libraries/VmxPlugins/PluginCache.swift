import SystemPackage
import VmxModel
import VmxSystem

/// The descriptions of plugins by the path, size and modification time of the executable and of its
/// JSON file.
///
/// The cache is one file below the user's cache folder, replaced atomically: fields that end with
/// NUL, five for each plugin. If it is missing, malformed or unwritable, the descriptions are read
/// from the plugins again.
struct PluginCache {
  private struct Entry: Equatable {
    let version: String
    let description: PluginDescription
  }

  /// The first field of the file.
  private static let format = "vmx-plugins-1"
  private static let file = "descriptions"
  private static let fieldsPerEntry = 5
  private static let maxSize = ByteCount(clamping: 1 << 20)

  private let folder: CacheFolder?
  private var entries: [String: Entry] = [:]
  private var isChanged = false

  /// Reads the cache in a folder; nil for a cache that is not stored.
  init(folder: FilePath?) {
    self.folder = folder.map { CacheFolder(path: $0, capacity: Self.maxSize) }
    guard let folder else { return }
    do throws(FileError) {
      let bytes = try readFile(folder.appending(Self.file), limit: Self.maxSize)
      decode(bytes ?? [])
    } catch {}
  }

  /// Returns the description of a plugin; reads the head of the file only if it has changed.
  mutating func description(
    of path: String, _ file: PluginFile, head: @autoclosure () -> [UInt8]
  ) -> PluginDescription {
    let json = PluginFile.version(of: PluginDescription.file(of: path))
    let version = "\(file.version) \(json)"
    if let entry = entries[path], entry.version == version { return entry.description }
    let description = PluginDescription(ofPluginAt: path, head: head())
    entries[path] = Entry(version: version, description: description)
    isChanged = true
    return description
  }

  /// Writes the cache if it has changed. The entries of files that no longer exist are dropped.
  mutating func save() {
    guard isChanged, let folder else { return }
    entries = entries.filter { !PluginFile.version(of: $0.key).isEmpty }
    var fields = [Self.format]
    for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
      let text = entry.description
      fields += [
        path, entry.version, text.isMalformed ? "malformed" : "", text.summary ?? "",
        text.version ?? "",
      ]
    }
    // A cache that cannot be written costs the next run some time, and this one nothing.
    do throws(FileError) {
      try folder.keep(Array(fields.map { $0 + "\0" }.joined().utf8), as: Self.file)
    } catch {}
  }

  private mutating func decode(_ bytes: [UInt8]) {
    guard bytes.last == 0, let text = String(validating: bytes, as: UTF8.self) else { return }
    let fields = text.utf8.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(Substring($0)) }
    guard fields.first == Self.format, fields.count % Self.fieldsPerEntry == 1 else { return }
    for start in stride(from: 1, to: fields.count, by: Self.fieldsPerEntry) {
      entries[fields[start]] = Entry(
        version: fields[start + 1],
        description: PluginDescription(
          summary: Self.text(fields[start + 3]), version: Self.text(fields[start + 4]),
          isMalformed: !fields[start + 2].isEmpty))
    }
  }

  private static func text(_ field: String) -> String? { field.isEmpty ? nil : field }
}
