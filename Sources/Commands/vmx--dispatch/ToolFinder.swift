import CLinux
import SystemPackage
import VmxModel
import VmxSystem

/// Lists the executables `vmx-NAME`; nothing is executed.
struct ToolFinder {
  /// An executable with a tool's name.
  struct Candidate: Equatable {
    let name: String
    let path: String
    /// The path of the executable that precedes it; nil for the first hit.
    var hiddenBy: String?
  }

  let launcher: ToolLauncher

  /// Returns the executable for an alias of vmx whose link is not installed.
  func path(ofLink name: String) -> String? {
    Toolbox.link(named: name)?.target.flatMap { launcher.path(of: $0) }
  }

  /// Returns every executable with a tool's name, sorted by name; a shadowed one follows the one
  /// that shadows it.
  func all() -> [Candidate] {
    var hits: [Candidate] = []
    for folder in launcher.folders {
      for name in Self.names(in: folder) {
        let first = hits.first { $0.name == name }
        hits.append(Candidate(name: name, path: "\(folder)/vmx-\(name)", hiddenBy: first?.path))
      }
    }
    return hits.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }

  /// Returns the tool names in a folder; a missing or unreadable folder has none.
  private static func names(in folder: String) -> [String] {
    var names: [String] = []
    do throws(FileError) {
      let open = try OpenFolder(FilePath(folder), followingLinks: true)
      while let entry = try open.next() {
        let file = String(decoding: entry.name, as: UTF8.self)
        guard file.hasPrefix("vmx-"), ToolLauncher.isName(String(file.dropFirst(4))),
          linux_is_program("\(folder)/\(file)") != 0
        else { continue }
        names.append(String(file.dropFirst(4)))
      }
    } catch {}
    return names
  }
}
