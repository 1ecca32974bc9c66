import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem
import VmxVerifying

/// Reports the results of a verification. A video that may be cut is reported after the run, since
/// the run holds the claims on the episodes.
struct VerificationReport {
  private let input: VerifyInput
  private let settings: VerificationSettings
  private let cuts: FilmCuts?
  private let reporter: RowReporter<VerificationRow>
  private let context: CommandContext
  private var broken: [VerificationResult] = []

  /// - Parameter cuts: the cuts of `--repair`; nil without it.
  init(
    of input: VerifyInput, settings: VerificationSettings, cuts: FilmCuts?,
    to reporter: RowReporter<VerificationRow>, in context: CommandContext
  ) {
    self.input = input
    self.settings = settings
    self.cuts = cuts
    self.reporter = reporter
    self.context = context
  }

  /// Reports the result for a file.
  ///
  /// - Throws: `output-failed`.
  mutating func report(_ result: VerificationResult) throws {
    guard cuts == nil || result.failure?.code != .mediaBroken else { return broken.append(result) }
    try reporter.report(result, settings: settings, in: input.snapshot, in: context)
  }

  /// Cuts and reports the broken videos, and ends the output with its notes.
  ///
  /// - Parameter end: the end of the run; nil if it was interrupted before.
  /// - Throws: `output-failed`, errors of the input, of the store and of cutting.
  func finish(after end: VerificationRun.End?, _ interruption: Interruption) throws {
    for result in broken {
      let cut = try interruption.isRequested ? nil : cuts?.cut(result)
      try reporter.report(cut ?? result, settings: settings, in: input.snapshot, in: context)
    }
    reporter.count(.done, as: Verdict.intact.rawValue, times: end?.intact ?? 0)
    try input.reportSubmitError()
    if let failure = end?.unsaved {
      context.messages.note("cannot write a sidecar or NFO file: \(failure.summary)")
    }
    var notes = end == nil && reporter.tally.isEmpty ? [] : [reporter.tally.text]
    if interruption.isRequested {
      notes.append("interrupted; run the same command to continue")
    } else if end?.isBudgetExhausted == true {
      notes.append("the budget is spent; run the same command to continue")
    }
    try reporter.finish(notes: notes, signal: interruption.signal)
  }
}
