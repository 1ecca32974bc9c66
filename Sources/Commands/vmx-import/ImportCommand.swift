import ArgumentParser
import SystemPackage
import VmxArchive
import VmxBundling
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// Imports bundles: verifies each as a whole, then imports it episode by episode.
@main
struct ImportCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "import", usage: "vmx import [<options>] <bundle>...|-",
    discussion: """
      A bundle is a file that 'vmx export' wrote, a BagIt bag, or a folder with videos; its type \
      is detected by its content. '-' reads one bundle from standard input. Nothing is imported \
      before the whole bundle is verified. Episodes that the user has removed stay removed.

      vmx import girls.tar
      ssh nas vmx export --show girls -o - | vmx import - --json | vmx verify --json -
      vmx verify --json | vmx import --repair girls.tar
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var options: ImportOptions

  @Argument(help: "Bundles: files or folders; '-' reads one from standard input.")
  var bundles: [String] = []

  var dryRunOption: DryRunOption { options.dryRunOption }

  func validate() throws { try options.validate(bundles) }

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context, tally: Tally(waitingFails: true))
    let interruption = try Interruption.install()
    let store = try context.openStore(library.lock, until: interruption)
    let display = context.byteDisplay(
      of: bundles.joined(separator: " "), isOff: output.quiet || context.isJSON)
    defer { display.close() }
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      newFilesBelow: try library.rootFolder(in: context),
      shouldStop: { interruption.isRequested })
    let importer = BundleImporter(
      tools, operations: try operations(by: tools, in: context), options: options.choices)
    let rows = EpisodeRows(of: store, in: context)
    let given = try options.passphraseFd.map { descriptor in
      try context.passphrase(descriptor: descriptor, isNew: false, until: interruption)
    }
    let shouldContinue = context.waiting(for: "a bundle on standard input", until: interruption)
    var received: [EpisodeID: JSONObject] = [:]
    for bundle in bundles where !interruption.isRequested {
      do {
        let path = try path(of: bundle, in: context)
        let source = try BundleSource(path, bytes: given, while: shouldContinue) {
          try context.passphrase(descriptor: nil, isNew: false, until: interruption)
        }
        let task = try options.task(in: context, reporter, received: &received)
        try importer.run(
          source, task, progress: { display.add($0, of: source.size) }, note: context.messages.note
        ) { try reporter.report($0, rows, received: received[$0.id] ?? JSONObject()) }
      } catch  where error.isInterruption {
        break
      } catch let failure as any CodedError where !(failure is OutputError) {
        try reporter.reportFailure(Failure(failure), of: bundle)
      }
    }
    try reporter.finish(interruptedBy: interruption)
  }

  /// Returns the path of a bundle; nil for standard input.
  ///
  /// - Throws: `input-missing` for a URL.
  private func path(of bundle: String, in context: CommandContext) throws(Failure) -> FilePath? {
    if WebURL.isMeant(by: bundle), let hint = context.hint(forOperand: bundle) {
      throw Failure(
        .inputMissing, "'\(URLRedaction.redacted(operand: bundle))' is a URL, not a file",
        hint: hint)
    }
    return bundle == "-" ? nil : context.environment.absolute(argument: bundle)
  }

  private func operations(
    by tools: LibraryTools, in context: CommandContext
  ) throws -> BundleImporter.Operations {
    let intake = StagedPartPublisher(
      store: tools.store, finisher: PartFinisher(tools), clock: tools.clock)
    let remover = EpisodeRemover(tools, claimTimeout: try library.lock.milliseconds(in: context))
    return BundleImporter.Operations(
      publish: { files, id, root, claim in
        try intake.publish(files, of: id, root: root, under: claim)
      },
      remove: { id, successor in
        try remover.replace(id, by: successor, "replaced by an import")
      })
  }
}
