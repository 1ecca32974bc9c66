import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension BundleExporter {
  /// Refuses a target inside the library: a folder below a root, or any path in the home or in the
  /// `.vmx` folder of a root. `vmx verify` might mistake the files of a folder below a root for
  /// moved media files.
  ///
  /// - Throws: `usage`, errors of the file system and the store.
  package func check(_ target: BundleTarget) throws {
    let path: FilePath
    var isFolder = false
    switch target {
    case .stream: return
    case .file(let file, _): path = file.folder
    case .folder(let folder): (path, isFolder) = (folder, true)
    }
    let folder = nearestFolder(path)
    let realFolder = realPath(of: folder) ?? folder
    let roots = try mediaRoots.presentRoots().compactMap { realPath(of: $0.folder) }
    if let root = roots.first(where: { realFolder.starts(with: $0) }) {
      guard isFolder || realFolder.components.contains(where: { $0.string == LibraryLayout.hidden })
      else { return }
      throw Self.inside(path, root)
    }
    if let home = realPath(of: store.home.folder), realFolder.starts(with: home) {
      throw Self.inside(path, home)
    }
  }

  private static func inside(_ path: FilePath, _ folder: FilePath) -> Failure {
    Failure(
      .usage, "'\(path)' is among the files of the library in '\(folder)'",
      hint: "choose a folder outside")
  }
}
