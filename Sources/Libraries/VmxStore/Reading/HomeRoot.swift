import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// The record of a root has the absolute path that the root had when it was made. A home that was
// moved or copied contains its default root. The path of that root is then the place of its mark.
// The recorded path is outdated, and in a copy it is that of the original. Any other root is at its
// recorded path, since a mark may be copied.

extension LibraryHome {
  /// The number of bytes of a mark that are read.
  private static let longestMark = 4096

  /// The field whose value `true` means that the root was made as the default root of its home.
  package static let defaultRootField = "default"

  /// Returns the record of a root with the root's current path. For the default root this is the
  /// default path of this home if the mark is there; else it is the recorded path.
  func located(_ record: StoredRecord) -> StoredRecord {
    guard record.kind == .root, record.fields[Self.defaultRootField]?.bool == true,
      record.fields["path"]?.string != defaultRoot.string, markedRoot == record.id
    else { return record }
    var located = record
    located.fields["path"] = .string(defaultRoot.string)
    return located
  }

  /// The UUID in the mark of the default root; nil if no mark can be read.
  private var markedRoot: String? {
    let path = defaultRoot.appending(LibraryLayout.mark)
    do {
      guard try FileFacts.of(path)?.isRegular == true else { return nil }
      let bytes = try OpenFile(path, .readOnly).read(Self.longestMark, at: 0)
      return try JSONParser().parse(bytes).object?["root"]?.string
    } catch {
      // Without a readable mark the recorded path stays.
      return nil
    }
  }
}
