import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

// What is read back of a partial file: to believe what earlier runs wrote, and to digest it.

extension PartialFile {
  /// Believes what earlier runs wrote, after reading back all that has a digest.
  ///
  /// Segments with another digest than recorded are not held any more, nor is a wrong tail.
  ///
  /// - Parameter shouldStop: asked before each segment; what was not read is then not held.
  mutating func restore(
    _ data: ResumeData, boot: String, shouldStop: () -> Bool
  ) throws(FileError) {
    held = data.believed(fileSize: try size(), boot: boot)
    let recorded = data.segments.keys.sorted()
    for group in SegmentBacklog.groups(of: recorded) {
      try believe(group, of: data.segments, shouldStop: shouldStop)
    }
    if groupsSegments { backlog.wait(for: held, without: segments) }
    guard let tail = data.tail else { return }
    let range = SegmentMap.range(of: tail)
    guard !shouldStop(), held.contains(range), try sha256(range) == tail.sha256 else {
      held.remove(range)
      return
    }
  }

  /// Goes on holding those of a group of segments that have the digest that was recorded of them.
  private mutating func believe(
    _ indices: [Int], of recorded: [Int: Digest], shouldStop: () -> Bool
  ) throws(FileError) {
    let here = indices.filter { held.contains(SegmentMap.range($0)) }
    for index in indices where !here.contains(index) { held.remove(SegmentMap.range(index)) }
    let found = shouldStop() ? [] : try file.digests(ofSegments: here)
    for (place, index) in here.enumerated() {
      guard place < found.count, let digest = recorded[index] else {
        held.remove(SegmentMap.range(index))
        continue
      }
      var isIntact = digest == found[place]
      // What is to be given up is looked at by libcrypto first.
      if !isIntact { isIntact = try [digest] == file.digests(ofSegments: [index]) }
      if isIntact { segments[index] = digest } else { held.remove(SegmentMap.range(index)) }
    }
  }

  /// Digests what is held in front, so that the bytes to come are digested from memory.
  mutating func catchUp(shouldStop: () -> Bool) throws(TransferError) {
    let end = prefix
    do throws(DigestError) {
      try whole.catchUp(reading: file.descriptor, to: end, shouldStop: shouldStop)
    } catch {
      throw .unread(error)
    }
  }

  /// The digest of the whole and of its segments; all bytes up to `length` are held.
  ///
  /// What the file has beyond is cut off. Nothing may be written afterwards.
  ///
  /// - Parameters:
  ///   - desk: digests a file that fits into one segment beside others.
  ///   - shouldStop: asked several times a second.
  /// - Returns: nil if it was to stop.
  mutating func finish(
    length: Int64, at batcher: DigestBatcher = DigestBatcher(), shouldStop: () -> Bool
  ) throws(TransferError) -> (whole: Digest, segments: [Digest])? {
    do throws(FileError) {
      if try size() != length { try file.truncate(to: length) }
    } catch {
      throw .file(error)
    }
    sendToDisk()
    // Meanwhile the whole is digested by the thread that follows.
    guard let segments = try segments(upTo: length, shouldStop: shouldStop) else { return nil }
    let made: Digest?
    do throws(DigestError) {
      if groupsSegments, length <= SegmentMap.size, !whole.isBegun {
        if shouldStop() { return nil }
        let digest = try batcher.digest(of: FileText(file.descriptor.rawValue, length: length))
        return (digest, [digest])
      }
      made = try whole.finish(reading: file.descriptor, at: length, shouldStop: shouldStop)
    } catch {
      throw .unread(error)
    }
    return made.map { ($0, segments.isEmpty ? [$0] : segments) }
  }

  /// Digests the segments that are whole and were not digested yet.
  mutating func settle() throws(FileError) {
    _ = try digest(backlog.take()) { false }
  }

  /// Digests whole segments; false if it was to stop.
  private mutating func digest(
    _ indices: [Int], shouldStop: () -> Bool
  ) throws(FileError) -> Bool {
    for group in SegmentBacklog.groups(of: indices) {
      if shouldStop() { return false }
      for (index, digest) in zip(group, try file.digests(ofSegments: group)) {
        segments[index] = digest
      }
    }
    return true
  }

  /// The digests of all segments; none where the first holds the whole, nil if it was to stop.
  private mutating func segments(
    upTo length: Int64, shouldStop: () -> Bool
  ) throws(TransferError) -> [Digest]? {
    guard length > SegmentMap.size else { return [] }
    let end = Int(length / SegmentMap.size)
    let missing = (0..<end).filter { segments[$0] == nil }
    do throws(FileError) {
      guard try digest(missing, shouldStop: shouldStop) else { return nil }
      let last = SegmentMap.range(end).start..<length
      let rest = last.isEmpty ? [] : [try sha256(ByteRange(last))]
      return (0..<end).compactMap { segments[$0] } + rest
    } catch {
      throw .file(error)
    }
  }

  /// The digest of the whole file by another function; nil if it was to stop.
  func digest(
    _ algorithm: DigestAlgorithm, shouldStop: () -> Bool
  ) throws(TransferError) -> Digest? {
    var other = InOrderCursor(algorithm)
    do throws(DigestError) {
      try other.catchUp(reading: file.descriptor.rawValue, to: prefix, shouldStop: shouldStop)
      return other.offset < prefix ? nil : other.finish()
    } catch {
      throw .unread(error)
    }
  }
}
