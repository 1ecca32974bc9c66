import SystemPackage
import VmxArchive
import VmxBundling
import VmxCommand
import VmxLibrary
import VmxModel
import VmxSettings
import VmxStore
import VmxSystem

/// One export: from the chosen episodes to the bundle, and the record of its copies.
struct ExportTask {
  private let options: ExportOptions
  private let target: BundleTarget
  private let exporter: BundleExporter
  private let store: LibraryStore
  private let interruption: Interruption
  private let context: CommandContext

  init(
    _ options: ExportOptions, to target: BundleTarget, by exporter: BundleExporter,
    of store: LibraryStore, until interruption: Interruption, in context: CommandContext
  ) {
    self.options = options
    self.target = target
    self.exporter = exporter
    self.store = store
    self.interruption = interruption
    self.context = context
  }

  /// Opens the folder to update; nil for another target.
  ///
  /// - Throws: the errors of `ExportedFolder`; `CommandExit` after an interruption.
  func openFolder() throws -> ExportedFolder? {
    guard case .folder(let path) = target else { return nil }
    let snapshot = try store.snapshot()
    let wait = store.isDryRun ? nil : store.lockWait
    return try context.ending(by: interruption) {
      try ExportedFolder(
        at: path, wait: wait,
        readsAll: options.check || snapshot.hasFailedVerification(of: realPath(of: path) ?? path)
      ) { try snapshot.resolve($0) }
    }
  }

  /// Writes the bundle, or updates the folder, and records the copies; a dry run only plans.
  ///
  /// - Throws: the errors of `BundleExporter`; `WorkEnded.interrupted`.
  func write(
    _ chosen: ChosenEpisodes, _ content: BundleContent, over folder: ExportedFolder?
  ) throws -> [BundleExporter.End] {
    try exporter.check(target)
    let scratch = context.environment.scratch
    var info = BundleInfo(epoch: context.environment["SOURCE_DATE_EPOCH"])
    info.bases = options.bases
    let folder = try folder.map { try exporter.completed($0, info, scratch: scratch) }
    let deletion = options.deletion(in: context)
    let plan = try chosen.plan(
      content, context.imageCache.map { BundlePictures($0, scratch: scratch) },
      in: folder?.content(deleting: deletion) ?? .none
    ) { [interruption] in interruption.isRequested }
    guard !store.isDryRun, !plan.isEmpty else { return [BundleExporter.End(plan)] }
    let written: [BundleExporter.Written]
    if case .folder(let path) = target, let folder {
      written = [.init(path, try exporter.update(plan, info, in: folder, deleting: deletion))]
    } else {
      written = try write(plan, info)
    }
    try store.recordCopies(written, type: target.type, verified: context.clock.now)
    return written.map(\.end)
  }

  /// Writes the bundle to standard output, to a file or to volumes.
  private func write(
    _ plan: BundlePlan, _ info: BundleInfo
  ) throws -> [BundleExporter.Written] {
    let passphrase =
      options.encrypt
      ? try context.passphrase(
        descriptor: options.passphraseFd, isNew: true, until: interruption) : nil
    switch target {
    case .stream(let format):
      let form = BundleExporter.Form(format, info: info, passphrase: passphrase)
      return [.init(nil, try exporter.stream(plan, form, to: .standardOutput))]
    case .folder: fatalError("a folder is updated, not written")
    case .file(let file, let format):
      let form = BundleExporter.Form(format, info: info, passphrase: passphrase)
      guard let split = options.split else {
        return [.init(file, try exporter.write(plan, form, to: file, replacing: options.force))]
      }
      let limit = try SettingKind.size(split, of: "--split")
      return try exporter.write(plan, form, volumes: limit, to: file, replacing: options.force)
    }
  }
}
