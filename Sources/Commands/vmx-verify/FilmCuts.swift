import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore
import VmxSystem
import VmxVerifying

/// The cuts of one run of `vmx verify --repair`: one operation, which one undo takes back.
///
/// They follow the verification, which holds the claims on the episodes until it has ended.
struct FilmCuts {
  private let context: CommandContext
  private let cutter: FilmCutter
  private let undo: UndoService

  init(by tools: LibraryTools, in context: CommandContext) {
    self.context = context
    cutter = FilmCutter(EpisodeRemover(tools))
    var undoing = tools
    undoing.run = Operation(tool: "undo", at: context.clock.now)
    undo = UndoService(EpisodeRemover(undoing))
  }

  /// Undoes the cuts that a crash has interrupted, so that they begin anew, or completes them where
  /// only the journal entry is left. One that cannot be undone is reported.
  func undoInterrupted() throws {
    let entries = try cutter.interruptedEntries().filter { entry in
      guard let before = entry.before, context.parental.allows(before) else { return false }
      return try context.isDryRun || !cutter.complete(entry)
    }
    try undo.undo(entries) { _, result, _ in
      if let failure = result.failure { context.messages.report(failure) }
    }
  }

  /// Cuts a video whose structure is broken where its first film ends.
  ///
  /// - Returns: the result for the cut file; nil if it is not cut. A failure is reported.
  func cut(_ result: VerificationResult) throws -> VerificationResult? {
    let id = result.item.id
    guard context.parental.allows(id) else { return nil }
    do {
      guard let cut = try cutter.cut(id) else { return nil }
      let size = ByteCount(clamping: cut.removed).forPeople
      context.messages.note(
        context.isDryRun
          ? "'\(id)' would be cut after its first film: \(size)"
          : "'\(id)' was cut after its first film: \(size), which 'vmx undo' restores")
      return context.isDryRun ? nil : result.repaired(EpisodeSummary(cut.episode))
    } catch {
      context.messages.report(Failure(error))
      return nil
    }
  }
}
