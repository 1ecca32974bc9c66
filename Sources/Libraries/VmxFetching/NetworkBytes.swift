package import VmxModel
package import VmxJobs
package import VmxStore
package import VmxTransfer
import SystemPackage
import VmxDigest
import VmxSystem

/// The machines' door to the bytes of parts that come over the network.
package struct NetworkBytes: PartBytes {
  private let engine: TransferEngine
  private let shelf: RootShelf
  private let secrets: SecretStore
  private let finishing: FinishingBytes
  private let slots: Slots
  private let watch: TransferWatch
  private let reserve: ByteCount

  /// A door that keeps `reserve` free on the disk and transfers as many parts at once as there
  /// are slots.
  package init(
    engine: TransferEngine, shelf: RootShelf, secrets: SecretStore, slots: Slots,
    watch: TransferWatch, reserve: ByteCount
  ) {
    self.engine = engine
    self.shelf = shelf
    self.secrets = secrets
    self.slots = slots
    self.watch = watch
    self.reserve = reserve
    finishing = FinishingBytes(
      shelf: shelf, desk: PlacementDesk(), digest: { try Self.digest(of: $0, watch) })
  }

  package func held(of part: PartContext) throws -> HeldBytes {
    let location = try PartLocation(of: part, on: shelf)
    if try finishing.isWhole(part, at: location) { return .all }
    return .some(try heldBytes(of: part, at: location))
  }

  package func admit(_ part: PartContext) throws {
    guard let size = part.part.size ?? part.part.variants.first?.size else { return }
    let location = try PartLocation(of: part, on: shelf)
    let missing = ByteCount(clamping: size.bytes - (try heldBytes(of: part, at: location)))
    let needed = missing + reserve
    let free = try freeSpace(at: location.root.folder)
    guard free >= needed else {
      throw Failure(
        .diskFull, "need \(needed.forPeople), \(free.forPeople) free: '\(location.root.folder)'")
    }
  }

  package func transfer(_ part: PartContext) throws -> FoundBytes {
    let location = try PartLocation(of: part, on: shelf)
    try makeFolders(PartFiles.folder(below: location.root.folder))
    let job = try TransferJob(of: part, at: location, secrets: secrets)
    // What earlier runs held is no progress of this one: it would show as a burst.
    let held = try heldBytes(of: part, at: location)
    return try slots.withSlot {
      let observer = watch.begin(part, held: held)
      defer { observer.end() }
      do throws(TransferError) {
        let result = try engine.run(job, observer: observer)
        return FoundBytes(
          size: result.size, sha256: result.sha256, proof: result.proof,
          segments: result.segments)
      } catch {
        if case .stopped(.interrupted) = error { throw WorkEnded.interrupted }
        throw error
      }
    }
  }

  package func check(_ part: PartContext) throws -> CheckedBytes { try finishing.check(part) }

  package func place(_ part: PartContext) throws -> PlacedFile { try finishing.place(part) }

  package func remember(_ episode: Episode, segments: [String: [Digest]]) {
    finishing.remember(episode, segments: segments)
  }

  private func heldBytes(
    of part: PartContext, at location: PartLocation
  ) throws(FileError) -> Int64 {
    try ResumeData.heldBytes(
      partial: location.files.partial, resume: location.files.resume, episode: part.episode.id,
      part: part.part.name)
  }

  private static func digest(of path: FilePath, _ watch: TransferWatch) throws -> Digest {
    let file = try OpenFile(path, .readOnly)
    let digest = try FileDigest.of(
      file.descriptor.rawValue, shouldStop: { _ in watch.shouldStop() })
    guard let digest else { throw WorkEnded.interrupted }
    return digest.whole
  }
}
