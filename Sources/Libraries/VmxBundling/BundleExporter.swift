package import SystemPackage
package import VmxArchive
package import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// The records, the manifest and the other tag files come first, so that a program that reads a stream
// knows what follows. They name only what is intact. A file that turns out to be damaged while it is
// copied has therefore come too far: the draft is begun again without its episode. A pipe cannot be
// begun again, so for a pipe all files are verified first, and once more while they are copied.

/// Writes bundles.
///
///     let exporter = BundleExporter(store: store, mediaRoots: mediaRoots, shouldStop: { false })
///     let form = BundleExporter.Form(.tar, info: BundleInfo())
///     let end = try exporter.write(plan, form, to: "travel.tar")
package struct BundleExporter: Sendable {
  /// The end of an export.
  package struct End: Sendable {
    /// The content of the bundle.
    package let plan: BundlePlan
    /// The failure of each episode that it lacks.
    package let failures: [EpisodeID: Failure]
    /// The episodes that a folder holds by earlier exports, with the digests of their videos.
    var kept: [EpisodeID: Digest?] = [:]

    /// Creates the end of an export that has packed the whole plan, or is to.
    package init(_ plan: BundlePlan, failures: [EpisodeID: Failure] = [:]) {
      self.plan = plan
      self.failures = failures
    }
  }

  /// A bundle that was written.
  package struct Written: Sendable {
    /// The file or folder; nil for a stream.
    package let file: FilePath?
    /// The end of the export.
    package let end: End

    /// Creates the result of an export.
    package init(_ file: FilePath?, _ end: End) {
      self.file = file
      self.end = end
    }
  }

  /// A serialised bundle.
  package struct Form: Sendable {
    /// The format.
    package var format: ArchiveFormat
    /// The passphrase of an encrypted bundle, which is of format zip.
    package var passphrase: [UInt8]?
    /// The text of `bag-info.txt`.
    package var info: BundleInfo

    /// Creates a form without encryption.
    package init(_ format: ArchiveFormat, info: BundleInfo, passphrase: [UInt8]? = nil) {
      self.format = format
      self.info = info
      self.passphrase = passphrase
    }
  }

  let store: LibraryStore
  let mediaRoots: MediaRoots
  let progress: @Sendable (_ bytes: Int, _ total: Int64) -> Void
  let shouldStop: @Sendable () -> Bool

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - progress: called with each number of bytes that were written, of the total.
  ///   - shouldStop: called often. Once it returns true the export throws `WorkEnded.interrupted` and
  ///     leaves nothing under the final name.
  package init(
    store: LibraryStore, mediaRoots: MediaRoots,
    progress: @escaping @Sendable (Int, Int64) -> Void = { _, _ in },
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.store = store
    self.mediaRoots = mediaRoots
    self.progress = progress
    self.shouldStop = shouldStop
  }

  /// Writes a bundle to a file, which gets its name only when it is whole and flushed.
  ///
  /// - Parameter replacing: whether an existing file of that name is replaced.
  /// - Throws: `name-taken`, `bundle-too-large`, `disk-full`, `file-too-large`, `lock-busy`,
  ///   `output-failed`, `WorkEnded.interrupted`; damaged sources are no error.
  package func write(
    _ plan: BundlePlan, _ form: Form, to target: FilePath, replacing: Bool = false
  ) throws -> End {
    try Self.checkName(target, replacing: replacing)
    try plan.check(for: form.format)
    try BundleSpace(of: target.folder).check(plan, needsScratch: !form.format.streams)
    let draft = try BundleDraft(of: target)
    var end = End(plan)
    do {
      while let lost = try attempt(end.plan, form, to: draft.descriptor, beside: target) {
        let isFirst = end.failures.isEmpty
        end = end.without([lost.episode: lost.failure])
        // Many failures, such as those of a disk that went away, would begin as many drafts.
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
      if (error as? FileError)?.errno == .fileExists { throw Self.taken(target) }
      throw error
    }
    return end
  }

  /// Writes volumes, each a bundle of its own with the list of what is in the others. Their names have
  /// their number before the suffix.
  ///
  /// - Throws: as `write(_:_:to:replacing:)`, `usage` for an episode that does not fit. Volumes that
  ///   were written before stay.
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

  /// Writes a bundle to a pipe or a device. All files are verified before the first byte.
  ///
  /// - Throws: `needs-file` for 7z, `bundle-too-large`, `output-failed`, `WorkEnded.interrupted`. A file that changes
  ///   between its verification and its copy ends the stream with its failure.
  package func stream(
    _ plan: BundlePlan, _ form: Form, to descriptor: FileDescriptor
  ) throws -> End {
    guard form.format.streams else {
      throw Failure(.needsFile, "\(form.format.rawValue) cannot be written to a pipe")
    }
    try plan.check(for: form.format)
    let end = try verified(End(plan))
    guard !end.plan.isEmpty else { return end }
    if let lost = try attempt(end.plan, form, to: descriptor, beside: nil) { throw lost.failure }
    return end
  }

  /// Returns the plan without the episodes whose files are not as recorded.
  private func verified(_ end: End) throws -> End {
    // A document is made for the bundle, and has no file.
    var check = Verification(files: end.plan.files.chosen { $0.file.content != .document })
    try source(of: check.files).read(to: &check)
    return end.without(check.failures)
  }

  func source(of files: PlannedFiles) -> SourceFiles {
    SourceFiles(files, store: store, mediaRoots: mediaRoots, shouldStop: shouldStop)
  }

  /// Writes the plan.
  ///
  /// - Returns: the failure of a source, with which the attempt has ended; nil for a whole bundle.
  private func attempt(
    _ plan: BundlePlan, _ form: Form, to descriptor: FileDescriptor, beside target: FilePath?
  ) throws -> SourceFailure? {
    let writer = try ArchiveWriter(
      form.format, to: descriptor, passphrase: form.passphrase, scratch: target?.folder
    ) { [shouldStop] _ in !shouldStop() }
    let tags = try BundleTags(plan, form.info)
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

  /// Refuses a name that is in use. Only a file is ever replaced.
  ///
  /// - Throws: `name-taken`, errors of the file system.
  private static func checkName(_ target: FilePath, replacing: Bool) throws {
    guard try FileFacts.of(target) != nil else { return }
    guard let real = realPath(of: target), try FileFacts.of(real)?.isRegular == true else {
      throw Failure(
        .nameTaken, "not a file: '\(target)'", hint: "choose another name, or '-o -' for a pipe")
    }
    if !replacing { throw taken(target) }
  }

  private static func taken(_ target: FilePath) -> Failure {
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

/// The failure of an episode's file in an export.
struct SourceFailure: Error {
  let episode: EpisodeID
  let failure: Failure
}

/// Collects the failures of files whose bytes are not needed.
private struct Verification: SourceConsumer {
  let files: PlannedFiles
  var failures: [EpisodeID: Failure] = [:]

  mutating func begin(_ place: Int) {}
  mutating func write(_ bytes: UnsafeRawBufferPointer) {}
  mutating func end() {}
  mutating func fail(_ place: Int, _ failure: Failure) {
    failures[files[place].episode] = failures[files[place].episode] ?? failure
  }
}

/// Packs the files into an archive.
private struct Packing: SourceConsumer {
  let files: PlannedFiles
  let folder: String
  let writer: ArchiveWriter
  let progress: (Int) -> Void
  /// The number of bytes that were written.
  private(set) var written = 0

  mutating func begin(_ place: Int) throws {
    let file = files[place].file
    try writer.begin("\(folder)/\(file.path)", size: file.size.bytes)
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    try writer.write(bytes)
    written += bytes.count
    progress(bytes.count)
  }

  mutating func end() throws { try writer.end() }

  mutating func fail(_ place: Int, _ failure: Failure) throws {
    throw SourceFailure(episode: files[place].episode, failure: failure)
  }
}
