package import VmxCommand
package import VmxModel
package import VmxPresentation
package import VmxStore

/// The library as a reader sees it at one moment: what was typed becomes episodes, and episodes
/// become what presenters want to know of them.
///
/// It belongs to one thread, and creates nothing on disk.
package final class LibraryView {
  /// The store at that moment.
  package let snapshot: StoreSnapshot
  private let due: DueRule
  private var folders: [String: String] = [:]

  /// The library of the context's home, as it is now.
  ///
  /// - Throws: `bad-setting` where nothing says where it is, and what the store throws.
  package convenience init(in context: CommandContext) throws {
    self.init(try context.openStore().snapshot(), try context.dueRule())
  }

  /// A view of a snapshot.
  ///
  /// - Parameter due: decides what is due, and for which moment episodes are shown.
  package init(_ snapshot: StoreSnapshot, _ due: DueRule) {
    self.snapshot = snapshot
    self.due = due
  }

  /// Tells that the store is damaged, if reading has met damage so far: records may be missing
  /// from the result, or older than they were.
  ///
  /// - Parameter asRow: whether a row among the results says so too, where these are JSON.
  /// - Throws: `output-failed`.
  package func warnOfDamage(in context: CommandContext, asRow: Bool = false) throws(OutputError) {
    guard let code = snapshot.damageMet else { return }
    let failure = Failure(
      code,
      code == .storeDamaged
        ? "the first line of the store is not a header, records may be missing"
        : "lines of the store cannot be read, records may be missing or older than they were",
      hint: "run 'vmx doctor', which tells what is damaged, and 'vmx doctor --mend'")
    context.messages.warn(failure)
    guard asRow, context.isJSON else { return }
    let row = FailureText.warning(failure, of: context.tool)
    try context.output.write(JSONText.line(row, escaping: context.terminal.isTerminal))
  }

  /// The episode of an id as typed, aliases followed.
  ///
  /// - Throws: `no-such-episode`, also for a text that can be no id.
  package func episode(named text: String) throws -> Episode {
    if let id = EpisodeID(valid: text), let episode = try snapshot.episode(id) { return episode }
    throw Failure.noSuchEpisode(text)
  }

  /// An episode with what the store knows beside its record: where its roots are, and how much is
  /// here of what is on its way.
  package func row(of episode: Episode) -> EpisodeRow {
    EpisodeRow(episode, facts(of: episode))
  }

  /// What the store knows of an episode beside its record.
  package func facts(of episode: Episode) -> EpisodeFacts {
    var facts = EpisodeFacts(due)
    if episode.want == .fetch { facts.predecessor = predecessor(of: episode) }
    for part in episode.parts {
      if let root = part.root, facts.folders[root] == nil {
        facts.folders[root] = folder(of: root)
      }
    }
    if let moving = episode.parts.first(where: { ($0.resumeState ?? $0.state) == .partial }),
      let progress = snapshot.record(.progress, episode.id.description)
    {
      let part = progress.fields["part"]?.string ?? moving.name
      facts.held[part] = progress.fields["bytes"]?.integer
    }
    return facts
  }

  private func predecessor(of episode: Episode) -> EpisodeID? {
    for id in episode.after {
      do throws(StoreError) {
        if let other = try snapshot.episode(id), other.holdsOthers { return other.id }
      } catch {
        // Aliases that lead in a circle lead to nothing that could be waited for.
      }
    }
    return nil
  }

  private func folder(of root: String) -> String? {
    if let folder = folders[root] { return folder }
    let folder = snapshot.record(.root, root)?.fields["path"]?.string
    folders[root] = folder
    return folder
  }
}
