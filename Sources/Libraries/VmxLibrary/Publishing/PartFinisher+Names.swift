import SystemPackage
import VmxModel
import VmxNaming
import VmxSystem

// The name of a file is chosen during its check and recorded before the file is renamed. So after a
// crash the record names the file, and no two episodes publish under one name. A power cut may lose
// that record and leave the file. Therefore a file with the right bytes under an intended name is
// adopted, unless another record names it: two episodes with the same bytes and the same title have
// two files.

extension PartFinisher {
  /// The number of names whose files are compared with the bytes: the plain one, ` (2)`, ` (3)`, …
  /// Episodes of one show may all have one title.
  private static let copies = 1000

  /// Finds the bytes of a complete part: the partial file, or after a crash the published one.
  ///
  /// - Returns: the file, and its path below the root if it is published or to be repaired.
  /// - Throws: `part-lost` if there is no such file.
  func completeFile(
    of work: EpisodePart, at location: PartLocation
  ) throws -> (file: FilePath, published: String?) {
    if work.part.repairs != nil, let path = work.part.path {
      return (try location.completeFile(), path)
    }
    let partial = location.files.partial
    if try RegularFile.size(of: partial) != nil { return (partial, nil) }
    guard let path = try publishedPath(of: work, at: location) else {
      throw location.partLost
    }
    return (location.root.folder.appending(path), path)
  }

  /// Returns the path below the root of the file that a process published before a crash; nil if
  /// there is none. Tries the recorded name first.
  func publishedPath(of work: EpisodePart, at location: PartLocation) throws -> String? {
    guard let path = work.part.path else { return nil }
    let fileExtension = FilePath(path).extension ?? ""
    if try contains(path, work, at: location) { return path }
    for copy in 1...Self.copies {
      let other = name(of: work.part, in: work.episode, fileExtension, copy: copy)
      if try other != path && contains(other, work, at: location) { return other }
    }
    return nil
  }

  /// Returns the first unused path below the root, or one whose file already has these bytes and
  /// belongs to no other record.
  ///
  /// - Throws: errors of reading the files.
  func freePath(
    for work: EpisodePart, _ found: FoundBytes, _ fileExtension: String,
    at location: PartLocation
  ) throws -> String {
    var checked = work
    (checked.part.size, checked.part.sha256) = (found.size, found.sha256)
    let work = checked
    func path(_ copy: Int) -> String {
      name(of: work.part, in: work.episode, fileExtension, copy: copy)
    }
    func isFree(_ path: String) throws -> Bool {
      try FileFacts.of(location.root.folder.appending(path)) == nil
    }
    for copy in 1...Self.copies {
      let path = path(copy)
      if try isFree(path) || contains(path, work, at: location) { return path }
    }
    return path(try freeNumber(above: Self.copies) { try !isFree(path($0)) })
  }

  /// Whether the file at a path below the root has the recorded size and digest of the part, and
  /// no other part has it.
  func contains(_ path: String, _ work: EpisodePart, at location: PartLocation) throws -> Bool {
    guard let size = work.part.size, let sha256 = work.part.sha256 else { return false }
    let file = location.root.folder.appending(path)
    guard let facts = try FileFacts.of(file), facts.isRegular, facts.size == size.bytes,
      try digest(file) == sha256
    else { return false }
    // While this part has a partial file, it has published none, so each record counts.
    let isHeld = try RegularFile.size(of: location.files.partial) != nil
    return try !mediaRoots.isNamed(
      path, in: location.root, byOtherThan: work.episode.id, part: work.part.name,
      ignoringUnpublished: !isHeld)
  }

  /// Returns the name that a part tries in the given attempt. The first name is beside a published
  /// video, where players search; the others are derived from the episode.
  private func name(
    of part: Part, in episode: Episode, _ fileExtension: String, copy: Int = 1
  ) -> String {
    let video = episode.readyVideo?.path
    if part.role != .video, copy == 1, let video {
      return MediaName.path(beside: video, part: part, fileExtension: fileExtension)
    }
    return MediaName.path(
      for: episode, part: part, fileExtension: fileExtension, copy: copy, by: naming)
  }
}
