package import VmxModel
import VmxPresentation

/// The commands that a person wants to be run after outcomes, from the settings files alone.
package struct HookCommands: Sendable, Equatable {
  /// Run when an episode has become ready.
  package let ready: String?
  /// Run when an episode has failed.
  package let failed: String?
  /// Milliseconds that one of them may run.
  package let timeout: Int64

  /// The commands as they stand in the settings.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    ready = try settings.text(.hookReady)
    failed = try settings.text(.hookFailed)
    timeout = try settings.milliseconds(.hookTimeout)
  }

  /// The setting that an outcome calls for, and its command; nil where there is none.
  func command(after outcome: Outcome) -> (key: SettingKey, text: String)? {
    switch outcome {
    case .done: ready.map { (.hookReady, $0) }
    case .failed: failed.map { (.hookFailed, $0) }
    case .unchanged, .waiting: nil
    }
  }

  /// Whether no outcome calls for anything.
  var isEmpty: Bool { ready == nil && failed == nil }
}
