import VmxModel
import VmxPlugins

extension DispatcherCompanion {
  /// Returns the version; with `--verbose` also the folder of the tools, the libraries that they
  /// load, and what depends on these.
  func versionText(isVerbose: Bool) -> String {
    var text = "\(Self.name) \(Version.text)\n"
    guard isVerbose else { return text }
    let folder = finder.launcher.ownFolder
    text += Self.line("tools", folder)
    let libraries = LinkedLibrary.all(of: Toolbox.tools.map { "\(folder)/vmx-\($0.name)" })
    for library in libraries {
      text += Self.line(
        library.name, library.file == nil ? "not found" : library.version ?? "of unknown version")
    }
    let features = libraries.flatMap(\.features)
    if !features.isEmpty { text += Self.line("features", features.joined(separator: " ")) }
    return text
  }

  private static func line(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(1, 12 - name.count)) + value + "\n"
  }
}
