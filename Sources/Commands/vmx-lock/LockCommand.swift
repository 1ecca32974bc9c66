import ArgumentParser
import VmxCommand
import VmxDesktop
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxSettings
import VmxStore
import VmxSystem

/// Hides and refuses episodes above an age limit until the PIN is given.
@main
struct LockCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "lock", usage: "vmx lock set|remove|status|unlock|now|rate [<options>] [<id>]...",
    discussion: """
      The PIN is read from the terminal or a file descriptor. It only controls what vmx shows and \
      plays: every program of the same user can still read the files of the library. See the \
      manual for details.

      vmx lock set --limit 12
      vmx lock unlock --for 2h
      vmx lock rate FSK-16 --show girls
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup var pins: PINOptions

  @Option(
    help: ArgumentHelp(
      "With 'set': the highest age or rating to show without the PIN.",
      valueName: "age"))
  var limit: String?

  @Option(help: "With 'set': show or hide episodes without a rating; initially hide.")
  var unrated: ParentalRule.Unrated?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("With 'unlock': the duration; default: 5m.", valueName: "time"))
  var span: String?

  @Option(help: ArgumentHelp("With 'rate': rate this show, by slug or title.", valueName: "show"))
  var show: [String] = []

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(
    help: ArgumentHelp(
      "The request; for 'rate', a rating or 'none', then ids or shows.", valueName: "request"),
    completion: .list(LockRequest.allCases.map(\.rawValue)))
  var words: [String] = ["status"]

  func perform(in context: CommandContext) throws {
    guard let request = words.first.flatMap(LockRequest.init) else {
      throw Failure(
        .usage, "unknown request '\(words[0])'",
        hint: "available requests: \(LockRequest.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    try check(request)
    if request == .rate { return try rate(in: context) }
    let reporter = RowReporter<LockRow>(try form.form(output), in: context)
    let session = try LockSession(
      pins, interruption: try Interruption.install(), lock: lock, in: context)
    if isDryRun {
      let row = try session.plan(
        request, limit: try age(), unrated: unrated, milliseconds: try milliseconds())
      try reporter.print(row)
      return try reporter.finish(notes: [])
    }
    switch request {
    case .set: try session.set(limit: try age(), unrated: unrated)
    case .remove: try session.remove()
    case .unlock: try session.unlock(for: try milliseconds())
    case .now: try session.lockNow()
    case .status, .rate: break
    }
    try reporter.print(try session.row())
    try reporter.finish(notes: [])
  }

  /// Sets the rating of episodes or shows.
  private func rate(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(try form.form(output), in: context)
    guard words.count > 1 else {
      throw Failure(
        .usage, "'rate' requires a rating", hint: "give FSK-12, PG-13, 16 or 'none' first")
    }
    let rating = words[1] == "none" ? nil : try Self.rating(words[1])
    let store = try context.openStore(lock)
    let editor = QueueEditor(
      try LibraryTools(store, context.settings.files(), clock: context.clock, tool: context.stage))
    // A show is rated itself, so that the rating holds for its future episodes too.
    let (shows, ids) = try context.separatingShows(in: Array(words.dropFirst(2)))
    for name in show + shows {
      let slugs = try store.snapshot().slugs(ofShow: name)
      if slugs.isEmpty {
        let failure = Failure(.noSuchEpisode, "no episodes of the show '\(name)'")
        try reporter.reportFailure(failure, of: name)
      }
      for slug in slugs {
        let isChanged = try editor.rate(show: slug, rating)
        try reporter.report(OperationResult(isChanged: isChanged), of: slug)
      }
    }
    if !ids.isEmpty || show.isEmpty && shows.isEmpty {
      let input = try InputSelection(required: ids, in: context)
      let rows = EpisodeRows(of: store, in: context)
      try input.forEachBatch(largest: QueueEditor.maxBatchSize) { batch in
        try reporter.report(batch, rows) {
          try editor.perform(.rate(rating), on: $0)
        }
        return true
      }
    }
    try reporter.finish()
  }
}

/// The requests of `vmx lock`.
enum LockRequest: String, CaseIterable {
  case set, remove, status, unlock, now, rate

  /// Whether the PIN is needed for the request.
  var readsPIN: Bool { [.set, .remove, .unlock].contains(self) }
}

extension LockCommand {
  /// The milliseconds of `--for`.
  private func milliseconds() throws(Failure) -> Int64 {
    guard let span else { return 300_000 }
    let milliseconds = try SettingKind.duration(span, of: "--for")
    guard (1000...86_400_000).contains(milliseconds) else {
      throw Failure(.usage, "'--for' must be from 1s to 1d", hint: "give a duration such as 2h")
    }
    return milliseconds
  }

  /// The age of `--limit`.
  private func age() throws(Failure) -> Int64? {
    guard let limit else { return nil }
    return try Self.rating(limit).age
  }

  /// Parses a rating that has an age.
  private static func rating(_ text: String) throws(Failure) -> AgeRating {
    guard let rating = AgeRating(text), rating.age != nil else {
      throw Failure(
        .usage, "unknown age rating '\(text)'",
        hint: "give an age, or a rating such as FSK-12, PG-13, TV-14")
    }
    return rating
  }

  /// Rejects options and operands of other requests.
  private func check(_ request: LockRequest) throws(Failure) {
    try checkOptions(
      of: request.rawValue, readOnly: "status",
      [
        ("--limit", limit != nil, "set"), ("--unrated", unrated != nil, "set"),
        ("--new-pin", pins.newPin, "set"), ("--new-pin-fd", pins.newPinFd != nil, "set"),
        ("--for", span != nil, "unlock"), ("--show", !show.isEmpty, "rate"),
      ])
    guard pins.pinFd == nil || request.readsPIN else {
      throw Failure(
        .usage, "--pin-fd is not valid with '\(request.rawValue)', which reads no PIN",
        hint: request == .rate ? "if the lock is on, run 'vmx lock unlock --pin-fd FD' first" : nil)
    }
    guard request == .rate || words.count == 1 else {
      throw Failure(
        .usage, "'\(request.rawValue)' takes no operands",
        hint: request == .set ? "give the age with --limit" : nil)
    }
  }
}

extension ParentalRule.Unrated: ExpressibleByArgument {}
