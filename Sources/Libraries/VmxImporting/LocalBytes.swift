import VmxModel
import VmxJobs

/// The operations on a file that was copied into the library: only verification and publication
/// remain.
struct LocalBytes: PartBytes {
  let finishing: FinishingBytes

  func held(of part: PartContext) throws -> HeldBytes { .all }

  func admit(_ part: PartContext) throws {}

  func transfer(_ part: PartContext) throws -> FoundBytes {
    throw Failure(.sourceUnsupported, "'\(part.episode.id)' came from a file and has no source")
  }

  func damage(of part: PartContext) throws -> DamagedFile? { try finishing.damage(of: part) }

  func check(_ part: PartContext) throws -> CheckedBytes { try finishing.check(part) }

  func place(_ part: PartContext) throws -> PlacedFile? { try finishing.place(part) }

  func remember(_ episode: Episode, found: [String: FoundBytes]) -> Failure? {
    finishing.remember(episode, found: found)
  }
}
