import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

// Reading back a partial file: to verify the bytes of earlier runs, and to hash them.

extension PartialFile {
  /// Restores the bytes of earlier runs after verifying all those that have a digest.
  ///
  /// Segments whose digest differs from the recorded one are no longer held; neither are a wrong
  /// tail and runs of bytes whose rolling digest differs.
  ///
  /// - Parameter shouldStop: called before each segment; bytes not yet read then are not held.
  mutating func restore(
    _ data: ResumeData, boot: String, shouldStop: () -> Bool
  ) throws(FileError) {
    completedRanges = data.trustedRanges(fileSize: try size(), boot: boot)
    let recorded = data.segments.keys.sorted()
    for group in SegmentBacklog.groups(of: recorded) {
      try verify(group, of: data.segments, shouldStop: shouldStop)
    }
    var unproven = completedRanges
    for index in segments.keys { unproven.remove(SegmentMap.range(index)) }
    if let tail = data.tail {
      let range = tail.range
      unproven.remove(range)
      let found = shouldStop() || !completedRanges.contains(range) ? nil : try sha256(range)
      if found != tail.sha256 { completedRanges.remove(range) }
    }
    if !data.rolling.isEmpty { try verify(data.rolling, unproven, shouldStop: shouldStop) }
    backlog.wait(for: completedRanges, without: segments)
    try roll()
  }

  /// Verifies the runs of bytes that have a rolling digest; drops the bytes without a matching
  /// digest.
  private mutating func verify(
    _ recorded: [Int64: ResumeData.Rolling], _ unproven: ByteRangeSet, shouldStop: () -> Bool
  ) throws(FileError) {
    var unproven = unproven
    for (start, run) in recorded where !shouldStop() {
      let range = ByteRange(start..<run.end)
      guard unproven.contains(range), range.count <= SegmentMap.size else { continue }
      var digest = RollingDigest()
      try read(range).withUnsafeBytes { digest.update($0) }
      if digest.value == run.hash { unproven.remove(range) }
    }
    for range in unproven.ranges { completedRanges.remove(range) }
  }

  /// Computes the rolling digests of the held bytes outside complete segments.
  private mutating func roll() throws(FileError) {
    for range in completedRanges.ranges {
      let first = Int(range.start / SegmentMap.size)
      let last = Int((range.end - 1) / SegmentMap.size)
      for index in Set([first, last]) where segments[index] == nil {
        let segment = SegmentMap.range(index)
        let part = ByteRange(max(range.start, segment.start)..<min(range.end, segment.end))
        let bytes = try read(part)
        bytes.withUnsafeBytes { rolling.didWrite($0, at: part.start) }
      }
    }
  }

  /// Verifies a group of segments; drops those whose digest differs from the recorded one.
  private mutating func verify(
    _ indices: [Int], of recorded: [Int: Digest], shouldStop: () -> Bool
  ) throws(FileError) {
    let here = indices.filter { completedRanges.contains(SegmentMap.range($0)) }
    for index in indices where !here.contains(index) {
      completedRanges.remove(SegmentMap.range(index))
    }
    let found = shouldStop() ? [] : try file.digests(ofSegments: here)
    for (position, index) in here.enumerated() {
      guard position < found.count, let digest = recorded[index] else {
        completedRanges.remove(SegmentMap.range(index))
        continue
      }
      var isIntact = digest == found[position]
      // Libcrypto recomputes a mismatching digest before its segment is dropped.
      if !isIntact { isIntact = try [digest] == file.digests(ofSegments: [index]) }
      if isIntact {
        segments[index] = digest
      } else {
        completedRanges.remove(SegmentMap.range(index))
      }
    }
  }

  /// Hashes the held bytes from the first on, so that the following ones are hashed from memory.
  mutating func catchUp(shouldStop: () -> Bool) throws(TransferError) {
    let end = prefix
    do throws(DigestError) {
      try runningDigest.catchUp(reading: file.descriptor, to: end, shouldStop: shouldStop)
    } catch {
      throw .unread(error)
    }
  }

  /// Returns the digests of the whole and of its segments; all bytes up to `length` are held.
  ///
  /// Truncates the file to `length`. No bytes may be written afterwards.
  ///
  /// - Parameters:
  ///   - batcher: hashes a file that fits into one segment together with others.
  ///   - shouldStop: called several times a second.
  /// - Returns: nil if `shouldStop` returned true.
  mutating func finish(
    length: Int64, at batcher: DigestBatcher = DigestBatcher(), shouldStop: () -> Bool
  ) throws(TransferError) -> (whole: Digest, segments: [Digest])? {
    do throws(FileError) {
      if try size() != length { try file.truncate(to: length) }
    } catch {
      throw .file(error)
    }
    sendToDisk()
    // The read-back thread hashes the whole at the same time.
    guard let segments = try segments(upTo: length, shouldStop: shouldStop) else { return nil }
    let made: Digest?
    do throws(DigestError) {
      if batchesSmallFiles, length <= SegmentMap.size, !runningDigest.hasStarted {
        if shouldStop() { return nil }
        let digest = try batcher.digest(of: FileRange(file.descriptor.rawValue, length: length))
        return (digest, [digest])
      }
      made = try runningDigest.finish(reading: file.descriptor, at: length, shouldStop: shouldStop)
    } catch {
      throw .unread(error)
    }
    return made.map { ($0, segments.isEmpty ? [$0] : segments) }
  }

  /// Hashes the complete segments that have no digest yet.
  mutating func digestPending() throws(FileError) {
    _ = try digest(backlog.removeAll()) { false }
  }

  /// Hashes complete segments; returns false if `shouldStop` returned true.
  private mutating func digest(
    _ indices: [Int], shouldStop: () -> Bool
  ) throws(FileError) -> Bool {
    for group in SegmentBacklog.groups(of: indices) {
      if shouldStop() { return false }
      for (index, digest) in zip(group, try file.digests(ofSegments: group)) {
        segments[index] = digest
      }
    }
    rolling.discard(segments: segments)
    return true
  }

  /// The digests of all segments. Empty if the first holds the whole, nil if `shouldStop` returned
  /// true.
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

  /// Returns the digest of the whole file by another function; nil if `shouldStop` returned true.
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
