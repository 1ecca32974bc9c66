package import ArgumentParser
package import SystemPackage
package import VmxModel

/// The options of tools that put files into the library; each stands for a setting.
package struct LibraryOptions: ParsableArguments, Sendable {
  /// The folder for new media.
  @Option(help: ArgumentHelp("Put new media below this folder.", valueName: "dir"))
  package var root: String?

  /// The lock options.
  @OptionGroup package var lock: LockOptions

  package init() {}

  /// The folder for new media: the option, else `library.root`, else `library` in the library's
  /// home; always absolute.
  ///
  /// - Throws: `bad-setting`.
  package func rootFolder(in context: CommandContext) throws(Failure) -> FilePath {
    if let root { return context.environment.absolute(root) }
    let person = context.environment["HOME"] ?? "/"
    if let path = try context.settings.path(.libraryRoot, home: person) { return FilePath(path) }
    return try context.home().appending("library")
  }
}
