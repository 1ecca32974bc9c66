import CLinux
import SystemPackage
import VmxModel
import VmxSystem

/// Lists the executables `vmx-NAME`; nothing is executed.
package struct ToolFinder {
  /// A file with a tool's name.
  package struct Candidate: Equatable {
    /// The name without `vmx-`.
    package let name: String
    /// The path of the file.
    package let path: String
    /// The path of the executable that precedes it; nil for the first hit.
    package let hiddenBy: String?

    /// Creates a candidate.
    package init(name: String, path: String, hiddenBy: String? = nil) {
      self.name = name
      self.path = path
      self.hiddenBy = hiddenBy
    }
  }

  /// The launcher, whose folders are searched.
  package let launcher: ToolLauncher

  /// Creates a finder.
  package init(launcher: ToolLauncher) {
    self.launcher = launcher
  }

  /// Returns the executable for an alias of vmx whose link is not installed.
  package func path(ofLink name: String) -> String? {
    Toolbox.link(named: name)?.target.flatMap { launcher.path(of: $0) }
  }

  /// Whether a name is that of a tool: of an executable, of an alias that vmx brings, or `help`.
  package func isTool(_ name: String) -> Bool {
    name == "help" || launcher.path(of: name) != nil || path(ofLink: name) != nil
  }

  /// Returns every executable with a tool's name, sorted by name; a shadowed one follows the one
  /// that shadows it.
  package func all() -> [Candidate] { search().tools }

  /// Returns the executables as `all` does, and the files with a tool's name that this user cannot
  /// execute, sorted by name. A file that is found again by another path, such as in `/bin` and
  /// `/usr/bin`, counts once.
  package func search() -> (tools: [Candidate], broken: [Candidate]) {
    var tools: [Candidate] = []
    var broken: [Candidate] = []
    var first: [String: String] = [:]
    var seen: [String: [PluginFile.Identity]] = [:]
    for folder in launcher.folders {
      for (name, isProgram) in Self.names(in: folder) {
        let path = "\(folder)/vmx-\(name)"
        guard let identity = PluginFile.identity(of: path),
          seen[name]?.contains(identity) != true
        else { continue }
        seen[name, default: []].append(identity)
        let hit = Candidate(name: name, path: path, hiddenBy: first[name])
        guard isProgram else {
          broken.append(hit)
          continue
        }
        tools.append(hit)
        if first[name] == nil { first[name] = path }
      }
    }
    return (Self.sorted(tools), Self.sorted(broken))
  }

  private static func sorted(_ hits: [Candidate]) -> [Candidate] {
    hits.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }

  /// Returns the tool names of the files in a folder, with whether each can be executed; a missing
  /// or unreadable folder has none.
  private static func names(in folder: String) -> [(name: String, isProgram: Bool)] {
    var names: [(name: String, isProgram: Bool)] = []
    do throws(FileError) {
      let open = try OpenFolder(FilePath(folder), followingLinks: true)
      while let entry = try open.next() {
        guard entry.name.starts(with: "vmx-".utf8) else { continue }
        let name = String(decoding: entry.name.dropFirst(4), as: UTF8.self)
        guard ToolLauncher.isName(name) else { continue }
        let path = "\(folder)/vmx-\(name)"
        if linux_is_program(path) != 0 {
          names.append((name, true))
        } else if PluginFile.isRegular(path) {
          names.append((name, false))
        }
      }
    } catch {}
    return names
  }
}
