import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// The record of a root has the absolute path that the root had when it was made. A home that was
// moved or copied has its default root inside: that root is where its mark stands, and not at the
// recorded path, which in a copy is that of the original. Any other root is at its path, since a
// mark may be copied.

extension LibraryHome {
  /// Bytes of a mark that are read.
  private static let longestMark = 4096

  /// The field that says of a root that it was made as the default one of its home.
  package static let defaultRootField = "default"

  /// The record of a root with the path at which it is now: for one that was made as the default
  /// root, the default root of this home where that has its mark; else the recorded path.
  func located(_ record: StoredRecord) -> StoredRecord {
    guard record.kind == .root, record.fields[Self.defaultRootField]?.bool == true,
      record.fields["path"]?.string != defaultRoot.string, markedRoot == record.id
    else { return record }
    var located = record
    located.fields["path"] = .string(defaultRoot.string)
    return located
  }

  /// The UUID in the mark of the default root; nil where none can be read.
  private var markedRoot: String? {
    let path = defaultRoot.appending(".vmx").appending("root.json")
    do {
      guard try FileFacts.of(path)?.isRegular == true else { return nil }
      let file = try OpenFile(path, .readOnly)
      var bytes = [UInt8](repeating: 0, count: Self.longestMark)
      let outcome = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in try file.read(into: buffer, at: 0) }
      }
      return try JSONParser().parse(Array(bytes.prefix(try outcome.get()))).object?["root"]?.string
    } catch {
      // A mark that cannot be read tells nothing; the recorded path stays.
      return nil
    }
  }
}
