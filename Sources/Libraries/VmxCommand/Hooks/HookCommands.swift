package import VmxModel
import VmxPresentation

/// The commands that the user configured to run after outcomes; read only from the settings files.
package struct HookCommands: Sendable, Equatable {
  /// Run when an episode has become ready.
  package let ready: String?
  /// Run when an episode has failed.
  package let failed: String?
  /// The timeout of one command, in milliseconds.
  package let timeout: Int64

  /// Reads the commands from the settings.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    ready = try settings.text(.hookReady)
    failed = try settings.text(.hookFailed)
    timeout = try settings.milliseconds(.hookTimeout)
  }

  /// Returns the setting for the hook of an outcome, and its command; nil if there is none.
  func command(after outcome: Outcome) -> (key: SettingKey, text: String)? {
    switch outcome {
    case .done: ready.map { (.hookReady, $0) }
    case .failed: failed.map { (.hookFailed, $0) }
    case .unchanged, .waiting: nil
    }
  }

  /// Whether no hook is configured.
  var isEmpty: Bool { ready == nil && failed == nil }
}
