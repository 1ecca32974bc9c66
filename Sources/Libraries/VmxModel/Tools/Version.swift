// The dispatcher compiles this file too, by the plugin DispatcherSources: it can import no module
// written in Swift.

/// The version of vmx.
package enum Version {
  /// Three numbers joined by full stops.
  package static var text: String { "0.1.0" }
}
