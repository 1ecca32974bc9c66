import FoundationEssentials
import PackagePlugin

/// Compiles files of other targets into the dispatcher too, since an Embedded Swift executable
/// cannot import a module written in Swift.
///
/// A build copies the files if they have changed; they remain in their own targets. They are not
/// symbolic links, since a checkout or an archive need not preserve those.
@main
struct DispatcherSources: BuildToolPlugin {
  /// The paths of the files in the package; each file imports at most CLinux.
  private static let files = [
    "Sources/Libraries/VmxPlugins/ToolLauncher.swift",
    "Sources/Libraries/VmxSystem/Caching/BasePath.swift",
    "Sources/Libraries/VmxModel/Tools/Version.swift",
  ]

  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    Self.files.map { file in
      let source = context.package.directoryURL.appending(path: file)
      let copy = context.pluginWorkDirectoryURL.appending(path: source.lastPathComponent)
      return .buildCommand(
        displayName: "Copying \(file)", executable: URL(filePath: "/bin/cp"),
        arguments: ["-f", "--", source.path, copy.path], inputFiles: [source],
        outputFiles: [copy])
    }
  }
}
