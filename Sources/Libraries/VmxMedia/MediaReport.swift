package import SystemPackage
package import VmxModel
package import VmxSystem

/// The facts about a media file that one walk of its container shows.
///
///     let report = try MediaReport(of: OpenFile(path, .readOnly))
///     if let fault = report.fault { … }
package struct MediaReport: Sendable, Equatable {
  /// The result of the check of the structure.
  package internal(set) var structure = MediaStructure.unknown
  /// The playing time by the container, in milliseconds; nil if it cannot be determined.
  package internal(set) var duration: Int64?
  /// Whether the structure itself states where the file ends, and the file ends there: boxes with
  /// an index of all samples, or a segment with its length. Other containers may end after any of
  /// their parts.
  package internal(set) var isClosed = false

  /// Walks the container of an open file to its end.
  ///
  /// - Throws: `FileError.failed`, usually of `.read`.
  package init(of file: borrowing OpenFile) throws(FileError) {
    try self.init(of: file.descriptor, named: file.path, size: file.facts().size)
  }

  /// Walks the container of a file whose descriptor stays open during the call.
  ///
  /// - Parameters:
  ///   - path: the name of the file in messages.
  ///   - size: the size of the file in bytes; data beyond it are not read.
  /// - Throws: `FileError.failed`, usually of `.read`.
  package init(
    of descriptor: FileDescriptor, named path: FilePath, size: Int64
  ) throws(FileError) {
    do throws(WalkError) {
      try walk(MediaBytes(descriptor, path, size: size))
      structure = .intact
    } catch {
      switch error {
      case .broken(let kind, let offset): structure = .broken(StructureFault(kind, at: offset))
      case .failed(let error): throw error
      case .tooManyParts, .unsupported: structure = .unknown
      }
    }
  }

  /// The fault of the structure, as other libraries report it; nil if none was found.
  package var fault: ContainerFault? {
    guard case .broken(let fault) = structure else { return nil }
    return ContainerFault(fault.text, isIncomplete: fault.isIncomplete)
  }

  private mutating func walk(_ bytes: MediaBytes) throws(WalkError) {
    guard bytes.size > 0 else { throw .broken(.incomplete(.bytes), at: 0) }
    if try bytes.isZero(from: 0) { throw .broken(.zeros, at: 0) }
    let kind = MediaKind.sniff(try bytes.piece(at: 0, count: MediaKind.sniffLength))
    duration = try bytes.duration(of: kind)
    switch kind {
    case .mp4, .quicktime, .threeGP, .m4a:
      var walk = BoxWalk(bytes)
      try walk.run()
      (duration, isClosed) = (walk.duration, walk.isClosed)
    case .matroska, .webm:
      var walk = ElementWalk(bytes)
      try walk.run()
      (duration, isClosed) = (walk.duration, walk.isClosed)
    case .avi: try bytes.walkChunks()
    case .flv: try bytes.walkTags()
    case .oggVideo, .oggAudio: try bytes.walkPages()
    case .html: throw .broken(.page, at: 0)
    default: try bytes.walkPackets()
    }
  }
}
