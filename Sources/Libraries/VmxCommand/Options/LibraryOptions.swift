package import ArgumentParser
package import SystemPackage
package import VmxModel

/// The options of tools that change the library; each stands for a setting.
package struct LibraryOptions: ParsableArguments, Sendable {
  /// The folder for new media.
  @Option(help: ArgumentHelp("Put new media below this folder.", valueName: "dir"))
  package var root: String?

  /// How long to wait for the lock.
  @Option(
    help: ArgumentHelp("Wait at most so long for a lock, such as 10s or 500ms.", valueName: "time"))
  package var lockTimeout: String?

  package init() {}

  /// How long to wait for a lock, in milliseconds: the option, else `core.lock-timeout`.
  ///
  /// - Throws: `usage` for a wrong option, `bad-setting` for a wrong setting.
  package func lockTimeoutMilliseconds(in context: CommandContext) throws(Failure) -> Int64 {
    try Self.lockTimeout(lockTimeout, in: context)
  }

  /// The same for a tool that has this option alone.
  ///
  /// - Throws: as above.
  package static func lockTimeout(
    _ option: String?, in context: CommandContext
  ) throws(Failure) -> Int64 {
    var settings = context.settings
    guard let option else { return try settings.milliseconds(.lockTimeout) }
    settings.set(.lockTimeout, to: option, option: "--lock-timeout")
    do throws(Failure) {
      return try settings.milliseconds(.lockTimeout)
    } catch {
      throw Failure(.usage, error.summary, hint: "write a duration such as 10s or 500ms")
    }
  }

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
