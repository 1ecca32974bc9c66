import SystemPackage
import VmxModel
import VmxJSON
import VmxSystem

/// The statements of a plugin about itself, read without running it.
///
/// They are in `vmx-NAME.json` beside the executable, `{"summary": "…", "version": "…"}`, or in
/// comments among the first lines of a script: `# vmx: SUMMARY` and `# vmx-version: VERSION`.
package struct PluginDescription: Sendable, Equatable {
  /// The purpose, as one phrase; nil if the plugin does not describe itself.
  package var summary: String?
  /// The version; nil if it is not stated.
  package var version: String?
  /// Whether the JSON file exists and is no object with texts.
  package var isMalformed = false

  /// The maximum number of characters of a statement; the rest is ignored.
  static let maxLength = 200
  /// The maximum size of the JSON file.
  private static let maxSize = ByteCount(clamping: 64 << 10)
  /// The number of lines of a script that are searched.
  private static let headLines = 30

  /// Creates a description.
  package init(summary: String? = nil, version: String? = nil, isMalformed: Bool = false) {
    self.summary = summary
    self.version = version
    self.isMalformed = isMalformed
  }

  /// Reads the description of the plugin at a path. The JSON file overrides the comments.
  init(ofPluginAt path: String, head: [UInt8]) {
    self.init(script: head)
    do throws(FileError) {
      guard let bytes = try readFile(FilePath(Self.file(of: path)), limit: Self.maxSize) else {
        return
      }
      guard let object = JSONParser().object(in: bytes) else {
        isMalformed = true
        return
      }
      for (key, field) in [("summary", \PluginDescription.summary), ("version", \.version)] {
        guard let value = object[key] else { continue }
        guard let text = value.string else {
          isMalformed = true
          continue
        }
        self[keyPath: field] = Self.phrase(text) ?? self[keyPath: field]
      }
    } catch {
      isMalformed = true
    }
  }

  /// Reads the comments at the head of a script. A file with a NUL there is no script.
  init(script head: [UInt8]) {
    guard !head.contains(0) else { return }
    for line in head.split(separator: 0x0A, omittingEmptySubsequences: false)
      .prefix(Self.headLines)
    {
      guard let text = String(validating: line, as: UTF8.self) else { continue }
      let statement = text.drop { "#/-;".contains($0) }
      guard statement.startIndex > text.startIndex else { continue }
      let words = statement.trimmed
      if words.hasPrefix("vmx:") {
        summary = summary ?? Self.phrase(String(words.dropFirst("vmx:".count)))
      } else if words.hasPrefix("vmx-version:") {
        version = version ?? Self.phrase(String(words.dropFirst("vmx-version:".count)))
      }
    }
  }

  /// Returns the path of the JSON file of the plugin at a path.
  static func file(of path: String) -> String { "\(path).json" }

  /// Returns the first line of a text, cut to the maximum length; nil if it is empty.
  private static func phrase(_ text: String) -> String? {
    let line = text.trimmed.prefix { !$0.isNewline && $0 != "\0" }
    let phrase = String(line.prefix(maxLength)).trimmed
    return phrase.isEmpty ? nil : phrase
  }
}
