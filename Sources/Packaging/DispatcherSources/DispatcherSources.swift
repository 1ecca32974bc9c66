import FoundationEssentials
import PackagePlugin

/// Compiles files of other targets into the dispatcher as well: an Embedded Swift executable can
/// import no module written in Swift.
///
/// The files are copied in each build that finds them changed, and stay in their own targets. They
/// are no symbolic links, since a checkout or an archive need not keep those.
@main
struct DispatcherSources: BuildToolPlugin {
  /// The files, from the root of the package; each imports at most CLinux.
  private static let files = [
    "Sources/Commands/vmx--dispatch/ToolLauncher.swift",
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
