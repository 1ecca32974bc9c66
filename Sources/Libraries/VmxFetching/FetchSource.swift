import SystemPackage
import VmxDigest
import VmxEngine
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

/// Provides the bytes of parts from the network.
struct FetchSource: PartSource {
  private let engine: TransferEngine
  private let mediaRoots: MediaRoots
  let store: LibraryStore
  let finishing: PartFinisher
  private let places: TransferPlaces
  let watch: TransferMonitor
  private let policies: TransferPolicies
  private let dependencies: DependencyGate
  let reserve: ByteCount
  private let waitsForOthers: Bool

  /// Creates an instance that keeps `reserve` bytes free on the disk. `places` limits its
  /// simultaneous transfers.
  init(
    engine: TransferEngine, mediaRoots: MediaRoots, store: LibraryStore, places: TransferPlaces,
    watch: TransferMonitor, policies: TransferPolicies, dependencies: DependencyGate,
    reserve: ByteCount,
    clock: any WallClock, writesNFO: Bool, waitsForOthers: Bool
  ) {
    self.engine = engine
    self.mediaRoots = mediaRoots
    self.store = store
    self.places = places
    self.watch = watch
    self.policies = policies
    self.dependencies = dependencies
    self.reserve = reserve
    self.waitsForOthers = waitsForOthers
    finishing = PartFinisher(
      mediaRoots: mediaRoots, publisher: FilePublisher(), clock: clock,
      nfo: NFOSource(isWanted: writesNFO) { DigestHasher.sha256(of: $0) },
      digest: { try Self.digest(of: $0, watch) })
  }

  package func held(of part: FetchContext) throws -> HeldBytes {
    let location = try PartLocation(of: part.work, on: mediaRoots)
    if part.part.repairs == nil, try finishing.isWhole(part.work, at: location) { return .all }
    let bytes = try location.heldBytes(of: part)
    if part.part.repairs != nil || part.order.copy != nil {
      let held = try salvaged(part, at: location, held: bytes)
      if let held { return held == part.bytesToCome?.bytes ? .all : .some(held) }
    }
    // Unusable remains are removed: they occupy the space that the file needs.
    if bytes == 0 { try location.files.drop() }
    return .some(bytes)
  }

  package func admit(_ part: FetchContext) throws {
    try dependencies.check(part.episode)
    let location = try PartLocation(of: part.work, on: mediaRoots)
    let size = part.part.size ?? part.part.variant?.size
    let held = try part.heldBefore ?? location.heldBytes(of: part)
    let missing = size.map { max(0, $0.bytes - held) }
    if let refusal = try policies.refusal(
      of: PolicySubject(part), missing: missing, shouldStop: watch.shouldStop),
      !policies.waits(for: refusal, hasBegun: false)
    {
      throw Self.ending(by: refusal)
    }
    // The free space no longer includes the blocks that are allocated for the partial file.
    let allocated = held == 0 ? 0 : try location.allocatedBytes
    let unallocated = (missing ?? 0) - max(0, allocated - held)
    let needed = ByteCount(clamping: unallocated) + reserve
    let free = try freeSpace(at: location.root.folder)
    guard free >= needed else {
      throw Failure(
        .diskFull, "need \(needed.forPeople), \(free.forPeople) free: '\(location.root.folder)'")
    }
  }

  package func transfer(_ part: FetchContext) throws -> FoundBytes {
    let location = try PartLocation(of: part.work, on: mediaRoots)
    let job = try TransferJob(of: part, at: location, secrets: store.secrets)
    // Bytes that earlier runs held are not progress of this one: they would show as a burst.
    let held = try part.heldBefore ?? location.heldBytes(of: part)
    let subject = PolicySubject(part)
    watch.saw(part.episode.id)
    return try places.withPlace(at: subject.hosts.first, heed: { try checkStop(part.episode.id) }) {
      place in
      // An episode put on hold while it waited for a place does not begin.
      try checkStop(part.episode.id)
      let room = FreeSpaceMonitor(location.root.folder, reserve: reserve)
      let observer = watch.begin(subject, held: held, policies: policies, room: room, place: place)
      defer { observer.end() }
      do throws(TransferError) {
        let result = try engine.run(job, observer: observer)
        return FoundBytes(
          size: result.size, sha256: result.sha256, proof: result.proof,
          segments: result.segments, source: job.sources[result.sourceIndex].url,
          version: result.version, charset: result.charset)
      } catch {
        switch error {
        case .stopped(.interrupted): throw WorkEnded.interrupted
        case .stopped(.held(let refusal)): throw Self.ending(by: refusal)
        default: throw part.refusal(after: error) ?? error
        }
      }
    }
  }

  package func waitForPolicy(_ part: FetchContext) throws -> Bool {
    guard let code = part.part.code else { return false }
    if code == .predecessorFirst {
      return try dependencies.waitForPolicy(part.episode.id) { try pause(part.episode.id) }
    }
    var failure = Failure(code, part.part.message ?? "", retryAt: part.part.until)
    let subject = PolicySubject(part)
    let hasBegun = part.part.resumeState == .partial
    guard policies.waits(for: failure, hasBegun: hasBegun) else { return false }
    let location = try PartLocation(of: part.work, on: mediaRoots)
    let observer = watch.begin(subject, held: try location.heldBytes(of: part), policies: policies)
    defer { observer.end() }
    let start = Deadline(milliseconds: code == .offline ? policies.pause(afterLossOf: subject) : 0)
    while true {
      let refusal = policies.refusal(of: subject)
      if start.isPast, refusal?.code != code { return true }
      failure = refusal ?? failure
      guard policies.waits(for: failure, hasBegun: hasBegun) else { return false }
      observer.hold(by: failure)
      try pause(part.episode.id)
    }
  }

  package func waitForClaim() throws -> Bool {
    guard waitsForOthers else { return false }
    guard !watch.shouldStop() else { throw WorkEnded.interrupted }
    Deadline(milliseconds: 200).sleep(nanoseconds: .max)
    return true
  }

  /// Maps a refusal to the end of the work. A limit of the run and the user's hold leave the state
  /// unchanged; any other refusal sets `waiting`.
  private static func ending(by refusal: Failure) -> any Error {
    switch refusal.code {
    case .budgetSpent: WorkEnded.postponed(refusal)
    case .held: WorkEnded.wantChanged
    default: refusal
    }
  }

  /// Waits 200 ms: long enough to cost nothing, short enough for an interrupt or a hold.
  private func pause(_ id: EpisodeID) throws {
    try checkStop(id)
    Deadline(milliseconds: 200).sleep(nanoseconds: .max)
  }

  private func checkStop(_ id: EpisodeID) throws {
    guard !watch.shouldStop() else { throw WorkEnded.interrupted }
    guard watch.unwanted(id) == nil else { throw WorkEnded.wantChanged }
  }

  /// Returns the digest of a whole file; throws `WorkEnded.interrupted` if the process is asked to
  /// stop.
  var digest: @Sendable (FilePath) throws -> Digest {
    { [watch] path in try Self.digest(of: path, watch) }
  }

  private static func digest(of path: FilePath, _ watch: TransferMonitor) throws -> Digest {
    try withFile(path) { try FileDigest.of($0) { _ in watch.shouldStop() }.whole }
  }
}
