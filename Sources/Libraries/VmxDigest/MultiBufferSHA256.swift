import CSHA256
import VmxModel

/// Multi-buffer SHA-256: digests eight texts in parallel.
///
/// One SHA-256 is sequential, but eight fit side by side into SIMD registers. With wide registers
/// and without instructions for SHA-256, eight texts take little longer than one.
package enum MultiBufferSHA256 {
  /// The maximum number of texts.
  package static let count = Int(sha256x8_count)

  /// The minimum number of texts of equal length for which this is faster than libcrypto, one text
  /// after another; more than `count` if it never is.
  package static let minCount = Int(sha256x8_fewest())

  /// Whether eight texts are faster on this processor in parallel.
  package static let isFaster = minCount <= count

  /// The compiled forms of the same function, from the narrowest registers to the widest.
  enum Path: UInt32, CaseIterable {
    case scalar, avx2, avx512

    /// The widest path that this processor can execute.
    static let widest = Path(rawValue: sha256x8_widest()) ?? .scalar
  }

  private static let block = Int(sha256x8_block)
  /// The bytes that end each text (FIPS 180-4, section 5.1.1): a mark and the length.
  private static let ending: Int64 = 9

  /// Computes the digests of texts of any lengths; the longest one determines the time.
  ///
  /// - Parameters:
  ///   - lengths: the bytes of each text; at most `count` texts.
  ///   - buffer: at least 8 blocks of 64 bytes; each text gets an eighth of it at a time.
  ///   - fill: reads bytes of the text of this number at this offset into all of the memory given.
  /// - Returns: the results in the order of the texts; an error of one does not affect the others.
  static func digests<Problem: Error>(
    of lengths: [Int64], through buffer: UnsafeMutableRawBufferPointer, by path: Path = .widest,
    fill: (Int, UnsafeMutableRawBufferPointer, Int64) throws(Problem) -> Void
  ) -> [Result<Digest, Problem>] {
    let piece = buffer.count / count / block * block
    let blocks = Int64(block)
    let ends = lengths.map { ($0 + ending + blocks - 1) / blocks * blocks }
    var results = [Result<Digest, Problem>?](repeating: nil, count: lengths.count)
    var open = Array(lengths.indices)
    var state = sha256x8_state()
    sha256x8_begin(&state)
    for offset in stride(from: 0, to: ends.max() ?? 0, by: piece) {
      for text in open {
        let room = UnsafeMutableRawBufferPointer(
          rebasing: buffer[text * piece..<(text + 1) * piece])
        do throws(Problem) {
          let count = Int(min(Int64(piece), max(0, lengths[text] - offset)))
          if count > 0 {
            try fill(text, UnsafeMutableRawBufferPointer(rebasing: room[..<count]), offset)
          }
          if count < piece { pad(room, from: count, at: offset, lengths[text], end: ends[text]) }
        } catch {
          results[text] = .failure(error)
        }
      }
      open.removeAll { results[$0] != nil }
      // A shorter text ends within the piece; its digest is the state at that point. An ended text
      // continues with arbitrary bytes.
      var done = 0
      for end in Set(open.map { Int(min(Int64(piece), ends[$0] - offset)) }).sorted() {
        let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        sha256x8_update(&state, path.rawValue, start.map { $0 + done }, piece, end - done)
        done = end
        for text in open where ends[text] == offset + Int64(end) {
          results[text] = .success(digest(of: text, in: state))
        }
      }
      open.removeAll { results[$0] != nil }
      if open.isEmpty { break }
    }
    return results.compactMap { $0 }
  }

  /// Writes the end of a text into its memory: a mark, zeros, and the length in bits at the end of
  /// the last block.
  private static func pad(
    _ room: UnsafeMutableRawBufferPointer, from count: Int, at offset: Int64, _ length: Int64,
    end: Int64
  ) {
    for index in count..<room.count { room[index] = 0 }
    if length >= offset { room[Int(length - offset)] = 0x80 }
    guard end - offset <= Int64(room.count) else { return }
    room.storeBytes(
      of: (UInt64(length) * 8).bigEndian, toByteOffset: Int(end - offset) - 8, as: UInt64.self)
  }

  private static func digest(of text: Int, in state: sha256x8_state) -> Digest {
    let bytes = withUnsafeBytes(of: state.words) { words in
      (0..<8).flatMap { word -> [UInt8] in
        let value = words.load(fromByteOffset: 4 * (word * count + text), as: UInt32.self)
        return withUnsafeBytes(of: value.bigEndian) { Array($0) }
      }
    }
    guard let digest = Digest(.sha256, bytes: bytes) else { fatalError("SHA-256 has 32 bytes") }
    return digest
  }
}
