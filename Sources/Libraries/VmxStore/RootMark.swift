package import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The content of the file that marks a folder as a root.
package struct RootMark: Sendable {
  /// The UUID of the root.
  package let root: String
  /// The UUID of the library.
  package let library: String
  /// The last declarations of the user about other roots, by their UUIDs.
  package let declarations: [String: LossDeclaration]

  /// Creates a mark.
  package init(
    root: String, library: String, declarations: [String: LossDeclaration] = [:]
  ) {
    self.root = root
    self.library = library
    self.declarations = declarations
  }

  /// Whether a text has the form of a UUID, so that it names no folder.
  package static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36 && text.allSatisfy { $0 == "-" || $0.isHexDigit }
  }

  /// Reads the mark in a file; nil if the file does not exist.
  ///
  /// - Parameter name: the path of the file in messages, if it is opened by another one.
  /// - Throws: `root-foreign` for a file that is not a mark of vmx, or that others can replace
  ///   (`checkOwner`), and errors of the file system.
  package init?(at path: FilePath, named name: FilePath? = nil) throws {
    guard let bytes = try RegularFile.prefixIfPresent(of: path, upTo: 4096) else { return nil }
    try Self.checkOwner(
      of: path.removingLastComponent(), named: name?.removingLastComponent())
    do throws(JSONSyntaxError) {
      let mark = try JSONParser().parse(bytes).object
      if let root = mark?["root"]?.string, let library = mark?["library"]?.string {
        self.init(
          root: root, library: library,
          declarations: Self.declarations(in: mark?["others"]?.array ?? []))
        return
      }
    } catch {
      throw Failure(
        .rootForeign, "cannot read the mark of the folder '\(path)': \(error.reason)")
    }
    throw Failure(.rootForeign, "the mark of the folder is not from vmx: '\(path)'")
  }

  /// The declarations in a list of the file; invalid entries are ignored.
  private static func declarations(in list: [JSONValue]) -> [String: LossDeclaration] {
    var found: [String: LossDeclaration] = [:]
    for entry in list.compactMap(\.object) {
      guard let root = entry["root"]?.string, isUUID(root), let isLost = entry["lost"]?.bool,
        let at = entry["at"]?.string.flatMap({ Timestamp($0) })
      else { continue }
      found[root] = LossDeclaration(isLost: isLost, at: at)
    }
    return found
  }

  /// The content of the file.
  package var bytes: [UInt8] {
    var object = JSONObject()
    object.append("root", root)
    object.append("library", library)
    let others = declarations.sorted { $0.key < $1.key }.map { uuid, declaration -> JSONValue in
      var other = JSONObject()
      other.append("root", uuid)
      other.append("lost", .bool(declaration.isLost))
      other.append("at", declaration.at.text)
      return .object(other)
    }
    object.append("others", others.isEmpty ? nil : .array(others))
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

// A store can be lost while the media folders remain: after a disk failure, or if the home was
// removed. An empty library would then seem valid, and the next write would start a second library
// beside the first. Each mark and each sidecar is evidence that a store existed.

extension LibraryHome {
  /// Returns the first root, at the default place or one of the given places, that has sidecars of
  /// episodes but no record in the store.
  ///
  /// - Parameter snapshot: the store; nil if it is absent or empty.
  package func lostRoot(
    among folders: [FilePath], unknownTo snapshot: StoreSnapshot? = nil
  ) -> (folder: FilePath, mark: RootMark)? {
    for folder in [defaultRoot] + folders {
      guard let mark = Self.mark(of: folder), snapshot?.record(.root, mark.root) == nil,
        Self.hasSidecars(folder)
      else { continue }
      return (folder, mark)
    }
    return nil
  }

  /// Returns the mark of a folder; nil if it has none that can be read.
  static func mark(of folder: FilePath) -> RootMark? {
    do {
      return try RootMark(at: folder.appending(LibraryLayout.mark))
    } catch {
      // A folder without a readable mark is not known to be a root.
      return nil
    }
  }

  private static func hasSidecars(_ folder: FilePath) -> Bool {
    do throws(FileError) {
      let records = try OpenFolder(
        folder.appending(LibraryLayout.Folder.records.path), followingLinks: true)
      while let entry = try records.next() {
        if LibraryLayout.episode(ofSidecar: PathBytes(entry.name)) != nil { return true }
      }
    } catch {
      // A folder that cannot be read proves nothing.
    }
    return false
  }
}

extension StoredRecord {
  /// The field of a root that is true if its file system can neither rename exclusively nor link.
  package static let renamesAfterLookField = "renames_after_look"

  /// Whether files in the root get their names by a look and a rename.
  package var renamesAfterLook: Bool { fields[Self.renamesAfterLookField]?.bool == true }
}

extension StoreSnapshot {
  /// The number of roots that cannot be used: on unplugged or dead disks, or of others.
  package var unusableRoots: Int {
    var count = 0
    records(of: .root) { record in
      guard let folder = record.path.map({ FilePath($0) }), !record.isLostRoot else { return true }
      do {
        let mark = try RootMark(at: folder.appending(LibraryLayout.mark))
        if mark?.root != record.id { count += 1 }
      } catch {
        count += 1
      }
      return true
    }
    return count
  }
}
