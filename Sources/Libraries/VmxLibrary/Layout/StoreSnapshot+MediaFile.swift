package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

extension StoreSnapshot {
  /// Returns the absolute path of a part's file, after comparing the mark of its root.
  ///
  /// - Throws: `no-file` where the part has no file yet or has lost it, `root-away` or
  ///   `root-foreign` where its root is not the recorded one, `media-unwritable` where a folder of
  ///   the path may not be entered or the disk fails.
  package func mediaFile(of part: Part, of episode: Episode) throws -> FilePath {
    let subject = "'\(part.name)' of '\(episode.id)'"
    guard part.state == .ready || part.state == .damaged, let path = part.path,
      let uuid = part.root
    else {
      throw Failure(.noFile, "there is no file yet for \(subject)")
    }
    guard let folder = record(.root, uuid)?.fields["path"]?.string else {
      throw Failure(.rootAway, "the library does not know the folder that holds \(subject)")
    }
    let root = MediaRoot(uuid: uuid, folder: FilePath(folder))
    let hold = try VerifiedRoot(root)
    let file = root.folder.appending(path)
    do throws(FileError) {
      if try FileFacts.of(path, below: hold.descriptor) != nil { return file }
    } catch {
      // Only a missing folder means that the file is missing; any other error leaves it unknown.
      guard error.errno == .notDirectory else { throw error.about(file) }
    }
    throw Failure(
      .noFile, "the file of \(subject) is gone: '\(file)'",
      hint:
        "'vmx verify \(episode.id)' records that, and 'vmx fetch \(episode.id)' fetches it again")
  }
}
