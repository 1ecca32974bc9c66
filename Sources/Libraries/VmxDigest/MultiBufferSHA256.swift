import CCrypto
import CSHA256
package import VmxModel

// One SHA-256 is sequential, but several fit side by side into SIMD registers. On a processor
// without SHA-256 instructions eight segments take little longer than one.

/// Multi-buffer SHA-256: digests eight texts of equal length in parallel.
package struct MultiBufferSHA256: ~Copyable {
  /// The number of texts.
  package static let count = Int(sha256x8_count)

  /// The minimum number of texts for which this is faster than one after another.
  package static let fewest = Int(sha256x8_fewest())

  /// Whether this is faster on this processor than one after another.
  package static let isWorthwhile = sha256x8_worthwhile() != 0

  private var state = sha256x8_state()
  private var length = 0

  /// Creates eight empty texts; only if `isWorthwhile`.
  package init() {
    sha256x8_begin(&state)
  }

  /// Appends the next bytes of each text.
  ///
  /// - Parameter bytes: one piece of equal length for each text, concatenated; each a multiple of
  ///   64 bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let piece = bytes.count / Self.count
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, piece > 0 else { return }
    sha256x8_update(&state, start, piece, piece)
    length += piece
  }

  /// Returns the state of each text to continue it alone, and resets this one.
  mutating func part() -> [LoneText] {
    defer {
      sha256x8_begin(&state)
      length = 0
    }
    return withUnsafeBytes(of: state.words) { words in
      let words = words.bindMemory(to: UInt32.self)
      return (0..<Self.count).map { lane in
        LoneText(after: length, (0..<8).map { words[$0 * Self.count + lane] })
      }
    }
  }

  /// Returns the digests of the texts, and resets the state.
  package mutating func finish() -> [Digest] {
    var bytes = [UInt8](repeating: 0, count: 32 * Self.count)
    sha256x8_finish(&state, UInt64(length), &bytes)
    sha256x8_begin(&state)
    length = 0
    return (0..<Self.count).compactMap { lane in
      Digest(.sha256, bytes: Array(bytes[lane * 32..<(lane + 1) * 32]))
    }
  }
}

/// A text that continues alone after its first blocks were digested in parallel.
struct LoneText {
  private var context = SHA256_CTX()

  /// - Parameters:
  ///   - length: the number of digested bytes, a multiple of the block size.
  ///   - words: the hash state after these bytes.
  init(after length: Int, _ words: [UInt32]) {
    SHA256_Init(&context)
    withUnsafeMutableBytes(of: &context.h) { state in
      words.withUnsafeBytes { state.copyMemory(from: $0) }
    }
    let bits = UInt64(length) * 8
    context.Nl = UInt32(truncatingIfNeeded: bits)
    context.Nh = UInt32(truncatingIfNeeded: bits >> 32)
  }

  /// Appends bytes to the input.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// Returns the digest; no input may follow.
  mutating func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: DigestAlgorithm.sha256.length)
    guard SHA256_Final(&bytes, &context) == 1, let digest = Digest(.sha256, bytes: bytes) else {
      fatalError("libcrypto cannot end a digest that was begun")
    }
    return digest
  }
}
