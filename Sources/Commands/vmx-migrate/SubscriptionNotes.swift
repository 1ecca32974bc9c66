import SystemPackage
import VmxCatalogue
import VmxCommand
import VmxMigrating
import VmxModel
import VmxStore

/// The notes about subscriptions of other programs. A migration adds no feeds, since `vmx undo`
/// takes it back as a whole; the note names the command that does.
struct SubscriptionNotes {
  private let context: CommandContext
  private let known: [Subscription]

  /// - Throws: errors of reading the store.
  init(_ store: LibraryStore, in context: CommandContext) throws {
    self.context = context
    known = Subscriptions.all(in: try store.snapshot()).feeds
  }

  /// Prints a note for each list with feeds that the library does not follow.
  func print(_ findings: [LegacyFinding]) {
    for case .subscriptions(let path, let urls) in findings {
      let count = urls.count { !isKnown($0) }
      guard count > 0 else { continue }
      context.messages.note(
        "'\(path)' has \(count == 1 ? "a feed" : "\(count) feeds") that the library does not "
          + "follow; run 'vmx feed import \(ShellWord.quoted(path.string))'")
    }
  }

  private func isKnown(_ url: String) -> Bool {
    // A URL that is not valid is reported by the import.
    guard let text = WebURL(valid: FeedAddress.fetched(url))?.text else { return false }
    return known.contains { $0.hasURL(text) }
  }
}
