package import SystemPackage
package import VmxArchive
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

// The records, the manifest and the other tag files come first, so that a reader of a stream knows
// which files follow. They list only intact files. If a file proves damaged while it is copied, the
// tag files already list it. The exporter then rewrites the temporary file from the start without
// its episode. A pipe cannot be rewritten, so all files are verified before the first byte, and
// again while they are copied.

/// Writes bundles.
///
///     let exporter = BundleExporter(tools)
///     let form = BundleExporter.Form(.tar, info: BundleInfo())
///     let end = try exporter.write(plan, form, to: "travel.tar")
package struct BundleExporter: Sendable {
  /// The result of one export.
  package struct End: Sendable {
    /// The content of the bundle.
    package let plan: BundlePlan
    /// The failure of each episode that the bundle lacks.
    package let failures: [EpisodeID: Failure]
    /// The episodes of earlier exports that the folder still holds, with their videos.
    var kept: [EpisodeID: BundleCopy.Video] = [:]
    /// Whether the folder holds files that this export has neither copied nor digested.
    var hasUnread = false

    /// Creates the result of an export that packs the whole plan.
    package init(_ plan: BundlePlan) { self.init(plan, failures: plan.failures) }

    init(_ plan: BundlePlan, failures: [EpisodeID: Failure]) {
      self.plan = plan
      self.failures = failures
    }
  }

  /// A bundle that was written.
  package struct Written: Sendable {
    /// The file or folder; nil for a stream.
    package let file: FilePath?
    /// The result of the export.
    package let end: End

    /// Creates the description of a written bundle.
    package init(_ file: FilePath?, _ end: End) {
      self.file = file
      self.end = end
    }
  }

  /// The archive format of a bundle, with its passphrase and information.
  package struct Form: Sendable {
    /// The format.
    package var format: ArchiveFormat
    /// The passphrase of an encrypted bundle, whose format must be zip; nil for no encryption.
    package var passphrase: [UInt8]?
    /// The content of `bag-info.txt`.
    package var info: BundleInfo

    /// Creates a form; without a passphrase the bundle is not encrypted.
    package init(_ format: ArchiveFormat, info: BundleInfo, passphrase: [UInt8]? = nil) {
      self.format = format
      self.info = info
      self.passphrase = passphrase
    }
  }

  let tools: LibraryTools
  var store: LibraryStore { tools.store }
  var mediaRoots: MediaRoots { tools.mediaRoots }
  var shouldStop: @Sendable () -> Bool { tools.shouldStop }
  let progress: @Sendable (_ bytes: Int, _ total: Int64) -> Void

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - tools: the library. Once its run is to stop, an export throws `WorkEnded.interrupted` and
  ///     creates no file under the final name.
  ///   - progress: called after each write with the number of bytes written by it, and the total.
  ///     The number is negative when an attempt is discarded.
  package init(
    _ tools: LibraryTools, progress: @escaping @Sendable (Int, Int64) -> Void = { _, _ in }
  ) {
    self.tools = tools
    self.progress = progress
  }

  /// Writes a bundle to a file, which receives its final name only when it is complete and flushed.
  ///
  /// - Parameter replacing: whether an existing file of that name is replaced.
  /// - Throws: `name-taken`, `bundle-too-large`, `disk-full`, `file-too-large`, `lock-busy`,
  ///   `output-failed`, `WorkEnded.interrupted`. Damaged sources are not errors; `End.failures`
  ///   lists their episodes.
  package func write(
    _ plan: BundlePlan, _ form: Form, to target: FilePath, replacing: Bool = false
  ) throws -> End {
    try Self.checkName(target, replacing: replacing)
    try plan.check(for: form.format)
    try BundleSpace(of: target.folder).check(plan, needsScratch: !form.format.streams)
    let draft = try TemporaryArchive(of: target, wait: store.lockWait)
    var end = End(plan)
    do {
      // Another export may have published its file during the wait.
      try Self.checkName(target, replacing: replacing)
      while let lost = try attempt(end.plan, form, to: draft.descriptor, beside: target) {
        let isFirst = end.failures.count == plan.failures.count
        end = end.without([lost.episode: lost.failure])
        // Otherwise each of many failures, as after a disk was unmounted, would restart the export.
        if !isFirst { end = try verified(end) }
        if end.plan.isEmpty {
          draft.discard()
          return end
        }
        try draft.rewind()
      }
      try draft.publish(replacing: replacing)
    } catch {
      draft.discard()
      if (error as? FileError)?.errno == .fileExists { throw Self.nameTaken(target) }
      throw error
    }
    return end
  }

  /// Writes volumes. Each is a complete bundle, and lists the episodes of the other volumes. The
  /// volume number is inserted before the suffix of the file name.
  ///
  /// - Throws: as `write(_:_:to:replacing:)`, `usage` for an episode that does not fit. Volumes
  ///   that were already written are kept.
  package func write(
    _ plan: BundlePlan, _ form: Form, volumes limit: ByteCount, to target: FilePath,
    replacing: Bool = false
  ) throws -> [Written] {
    let volumes = try plan.volumes(below: limit.bytes)
    let numbers = Dictionary(
      volumes.enumerated().flatMap { number, volume in
        volume.entries.map { ($0.id, number + 1) }
      }
    ) { first, _ in first }
    let name = target.lastComponent?.string ?? ""
    let suffix = ".\(form.format.rawValue)"
    let stem = name.lowercased().hasSuffix(suffix) ? name.dropLast(suffix.count) : name[...]
    let files = volumes.indices.map { target.folder.appending("\(stem).\($0 + 1)\(suffix)") }
    for file in files { try Self.checkName(file, replacing: replacing) }
    for volume in volumes { try volume.check(for: form.format) }
    try BundleSpace(of: target.folder).check(plan.size)
    return try volumes.enumerated().map { number, volume in
      var form = form
      form.info.volume = (number + 1, volumes.count)
      form.info.elsewhere = numbers.filter { $0.value != number + 1 }
      return Written(
        files[number], try write(volume, form, to: files[number], replacing: replacing))
    }
  }

  /// Writes a bundle to a pipe or a device. All files are verified before the first byte is
  /// written.
  ///
  /// - Throws: `needs-file` for 7z, `bundle-too-large`, `output-failed`, `WorkEnded.interrupted`.
  ///   If a file changes between its verification and its copy, its failure is thrown and the
  ///   stream is truncated.
  package func stream(
    _ plan: BundlePlan, _ form: Form, to descriptor: FileDescriptor
  ) throws -> End {
    guard form.format.streams else {
      throw Failure(.needsFile, "\(form.format.rawValue) cannot be written to a pipe")
    }
    try plan.check(for: form.format)
    let end = try verified(End(plan))
    guard !end.plan.isEmpty else { return end }
    do {
      if let lost = try attempt(end.plan, form, to: descriptor, beside: nil) { throw lost.failure }
    } catch let error as ArchiveError where error.code == .diskFull {
      // No other disk can be chosen for a stream: its failed write is that of any output.
      throw Failure(.outputFailed, error.summary)
    }
    return end
  }

  /// Returns the result without the episodes whose files differ from their records.
  private func verified(_ end: End) throws -> End {
    // A document is generated for the bundle, and has no source file.
    var check = Verification(files: end.plan.files.chosen { $0.file.content != .document })
    try source(of: check.files).read(to: &check)
    return end.without(check.failures)
  }

  func source(of files: PlannedFiles) -> SourceFiles {
    SourceFiles(files, store: store, mediaRoots: mediaRoots, shouldStop: shouldStop)
  }

  /// Writes one archive of the plan.
  ///
  /// - Returns: the source failure that ended the attempt; nil if the archive is complete.
  private func attempt(
    _ plan: BundlePlan, _ form: Form, to descriptor: FileDescriptor, beside target: FilePath?
  ) throws -> SourceFailure? {
    let writer = try ArchiveWriter(
      form.format, to: descriptor, passphrase: form.passphrase, scratch: target?.folder
    ) { [tools] _ in !tools.shouldStop() }
    let tags = try BundleTags(plan, info: form.info)
    for tag in tags.files {
      try writer.begin("\(tags.folder)/\(tag.path)", size: tag.size)
      try tag.write { try writer.write($0) }
      try writer.end()
    }
    let total = plan.size
    var packing = Packing(
      files: plan.files, folder: tags.folder, writer: writer, progress: { progress($0, total) })
    do {
      try source(of: packing.files).read(to: &packing)
    } catch let failure as SourceFailure {
      progress(-packing.written, total)
      return failure
    }
    try writer.finish()
    return nil
  }

  /// Refuses a name that exists, unless it is a regular file and `replacing` is true.
  ///
  /// - Throws: `name-taken`, errors of the file system.
  private static func checkName(_ target: FilePath, replacing: Bool) throws {
    guard try FileFacts.of(target) != nil else { return }
    guard let real = realPath(of: target), try FileFacts.of(real)?.isRegular == true else {
      throw Failure(
        .nameTaken, "not a file: '\(target)'", hint: "choose another name, or '-o -' for a pipe")
    }
    if !replacing { throw nameTaken(target) }
  }

  private static func nameTaken(_ target: FilePath) -> Failure {
    Failure(.nameTaken, "the file exists: '\(target)'", hint: "'--force' replaces it")
  }
}

extension BundleExporter.End {
  func without(_ lost: [EpisodeID: Failure]) -> BundleExporter.End {
    var plan = plan
    plan.remove(Set(lost.keys))
    var end = BundleExporter.End(plan, failures: failures.merging(lost) { first, _ in first })
    end.kept = kept
    return end
  }
}

/// The failure to read a file of an episode during an export.
struct SourceFailure: Error {
  let episode: EpisodeID
  let failure: Failure
}

/// Collects the failures of files and discards their bytes.
private struct Verification: SourceConsumer {
  let files: PlannedFiles
  var failures: [EpisodeID: Failure] = [:]

  mutating func begin(_ index: Int) {}
  mutating func write(_ bytes: UnsafeRawBufferPointer) {}
  mutating func end() {}
  mutating func fail(_ index: Int, _ failure: Failure) {
    failures[files[index].episode] = failures[files[index].episode] ?? failure
  }
}

/// Packs the files into an archive.
private struct Packing: SourceConsumer {
  let files: PlannedFiles
  let folder: String
  let writer: ArchiveWriter
  let progress: (Int) -> Void
  /// The number of bytes written.
  private(set) var written = 0

  mutating func begin(_ index: Int) throws {
    let file = files[index].file
    try writer.begin("\(folder)/\(file.path)", size: file.size.bytes)
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    try writer.write(bytes)
    written += bytes.count
    progress(bytes.count)
  }

  mutating func end() throws { try writer.end() }

  mutating func fail(_ index: Int, _ failure: Failure) throws {
    throw SourceFailure(episode: files[index].episode, failure: failure)
  }
}
