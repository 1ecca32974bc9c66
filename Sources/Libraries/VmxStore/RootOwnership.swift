package import SystemPackage
import VmxModel
import VmxSystem

// A user who can write to the folder of vmx in a root can replace a part between its check and its
// publication, or have files written elsewhere by a link. In a folder that several users may write,
// another one may even have created it first. So vmx refuses such a root, as git refuses such a
// repository (safe.directory).

extension RootMark {
  /// Checks that only this user and root can change the folder of vmx in a root: that neither the
  /// folder nor its subfolders are links, belong to another user, or are writable for all.
  ///
  /// For root, the owner of the media folder counts as well. On file systems without owners, only
  /// links are refused. A missing folder passes.
  ///
  /// - Parameters:
  ///   - folder: the folder of vmx.
  ///   - name: its path in messages, if it is reached by another one.
  /// - Throws: `root-foreign`, with the command that mends it; errors of the file system.
  package static func checkOwner(of folder: FilePath, named name: FilePath? = nil) throws {
    for component in [""] + LibraryLayout.Folder.allCases.map(\.rawValue) {
      guard let facts = try FileFacts.of(folder.appending(component)) else { continue }
      let path = (name ?? folder).appending(component)
      if facts.isLink {
        throw Failure(
          .rootForeign, "a symbolic link is in place of a folder of vmx: '\(path)'",
          hint: "replace it with the folder to which it leads, if that is yours")
      }
      let isForeign = try !isTrusted(facts, in: folder.removingLastComponent())
      guard isForeign || facts.permissions.contains(.otherWrite),
        try keepsOwners(folder.removingLastComponent())
      else { continue }
      throw isForeign
        ? Failure(
          .rootForeign, "the folder belongs to another user: '\(path)'",
          hint:
            "if you trust its files, run 'chown -R \(currentUser()) \(ShellWord.quoted(path.string))' "
            + "as root; else give another folder")
        : Failure(
          .rootForeign, "every user may change the folder: '\(path)'",
          hint: "run 'chmod o-w \(ShellWord.quoted(path.string))'")
    }
  }

  private static func isTrusted(_ facts: FileFacts, in folder: FilePath) throws -> Bool {
    if facts.isOfUser { return true }
    guard currentUser() == 0 else { return false }
    return try FileFacts.of(realPath(of: folder) ?? folder)?.owner == facts.owner
  }
}

extension LibraryHome {
  /// Returns the owner of the library, or of the folder where it will be made, if this is a run by
  /// root in the library of another user: what root writes there, that user cannot change. Nil in
  /// all other cases.
  ///
  /// - Throws: errors of the file system.
  package func otherOwner() throws -> UInt32? {
    guard currentUser() == 0 else { return nil }
    // The home may be a link of root to the library of another user.
    let nearest = nearestFolder(realPath(of: folder) ?? folder)
    guard let owner = try FileFacts.of(nearest)?.owner, owner != 0, try keepsOwners(nearest) else {
      return nil
    }
    return owner
  }
}
