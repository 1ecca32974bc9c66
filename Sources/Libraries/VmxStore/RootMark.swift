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

  /// Creates a mark.
  package init(root: String, library: String) {
    self.root = root
    self.library = library
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
        self.init(root: root, library: library)
        return
      }
    } catch {
      throw Failure(
        .rootForeign, "cannot read the mark of the folder '\(path)': \(error.reason)")
    }
    throw Failure(.rootForeign, "the mark of the folder is not from vmx: '\(path)'")
  }

  /// The content of the file.
  package var bytes: [UInt8] {
    var object = JSONObject()
    object.append("root", root)
    object.append("library", library)
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
    among places: [FilePath], unknownTo snapshot: StoreSnapshot? = nil
  ) -> (folder: FilePath, mark: RootMark)? {
    for folder in [defaultRoot] + places {
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
  /// The field of a root that is true if the user has said that it will not come back.
  package static let lostField = "lost"

  /// Whether it is the record of a root that will not come back, as the user has said.
  package var isLostRoot: Bool { kind == .root && fields[Self.lostField]?.bool == true }
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
