import SystemPackage
package import VmxModel
package import VmxPresentation
package import VmxStore
import VmxSystem

/// The disk space of the roots of a library, from the records and the disks. It changes nothing.
package struct DiskUsage {
  /// One row for each root, in the order in which the roots were created.
  package private(set) var rows: [DiskRow] = []

  /// Reads the disk space of all roots. A root that is away has only recorded values.
  ///
  /// - Parameters:
  ///   - quota: the maximum number of bytes of the whole library; nil for no limit.
  ///   - reserve: the number of bytes that stay free on each disk.
  /// - Throws: errors of the file system, except for absent folders.
  package init(of snapshot: StoreSnapshot, quota: ByteCount?, reserve: ByteCount) throws {
    var used: [String: Int64] = [:]
    snapshot.summaries(.paths) { episode in
      for part in episode.parts where part.path != nil && part.state != .removed {
        guard let root = part.root, let size = part.size else { continue }
        used[root] = (used[root] ?? 0).addingClamped(size.bytes)
      }
      return true
    }
    try snapshot.records(of: .root) { record in
      let path = record.fields["path"]?.string ?? ""
      var row = DiskRow(id: record.id, path: path)
      row.used = used[record.id] ?? 0
      row.quota = quota?.bytes
      row.reserve = reserve.bytes
      let folder = FilePath(path)
      if try RootMark(at: folder.appending(LibraryLayout.mark))?.root == record.id {
        row.free = try freeSpace(at: folder).bytes
        row.trash = try Self.bytes(in: .trash, of: folder, \.size)
        row.unfinished = try Self.bytes(in: .partial, of: folder, \.allocated)
      }
      rows.append(row)
      return true
    }
  }

  private static func bytes(
    in place: LibraryLayout.Folder, of root: FilePath, _ size: (FileFacts) -> Int64
  ) throws(FileError) -> Int64 {
    var sum: Int64 = 0
    let errors = forEachFile(below: root.appending(place.path)) { _, facts in
      sum = sum.addingClamped(size(facts))
      return true
    }
    if let error = errors.first(where: { !$0.isOfVanished }) { throw error }
    return sum
  }
}
