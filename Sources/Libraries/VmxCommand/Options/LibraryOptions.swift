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

/// The option of tools that write to the store.
package struct LockOptions: ParsableArguments, Sendable {
  /// The lock timeout as typed.
  @Option(
    help: ArgumentHelp("Wait at most so long for a lock, such as 10s or 500ms.", valueName: "time"))
  package var lockTimeout: String?

  package init() {}

  /// Returns the lock timeout in milliseconds: the option, else `core.lock-timeout`.
  ///
  /// - Throws: `usage` for an invalid option, `bad-setting` for an invalid setting.
  package func milliseconds(in context: CommandContext) throws(Failure) -> Int64 {
    var settings = context.settings
    guard let lockTimeout else { return try settings.milliseconds(.lockTimeout) }
    settings.set(.lockTimeout, to: lockTimeout, option: "--lock-timeout")
    do throws(Failure) {
      return try settings.milliseconds(.lockTimeout)
    } catch {
      throw Failure(.usage, error.summary, hint: "write a duration such as 10s or 500ms")
    }
  }
}
