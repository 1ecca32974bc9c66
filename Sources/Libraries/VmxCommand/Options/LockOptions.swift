package import ArgumentParser
package import VmxModel

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
