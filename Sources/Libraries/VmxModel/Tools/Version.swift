// The plugin DispatcherSources also compiles this file into the dispatcher, which can import no
// Swift module.

/// The version of vmx, stated only here. `describe.sh` writes it into the manual pages.
package enum Version {
  /// Three numbers joined by full stops.
  package static var text: String { "0.2.0" }
}
