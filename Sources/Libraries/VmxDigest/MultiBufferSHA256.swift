import CCrypto
import CSHA256
package import VmxModel

// One SHA-256 cannot be divided, but several at once fit into the wide registers of a processor:
// where it has no instructions for SHA-256, eight segments take little longer than one.

/// SHA-256 of eight texts of one length, side by side.
package struct MultiBufferSHA256: ~Copyable {
  /// How many texts there are.
  package static let count = Int(sha256x8_count)

  /// With fewer than these one after another is no slower.
  package static let fewest = Int(sha256x8_fewest())

  /// Whether that is faster here than one after another.
  package static let isWorthwhile = sha256x8_worthwhile() != 0

  private var state = sha256x8_state()
  private var length = 0

  /// Eight texts of nothing so far; only where it is worthwhile.
  package init() {
    sha256x8_begin(&state)
  }

  /// Feeds the next bytes of each text.
  ///
  /// - Parameter bytes: one equal piece for each text, one behind another; each of whole blocks of
  ///   64 bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let piece = bytes.count / Self.count
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, piece > 0 else { return }
    sha256x8_update(&state, start, piece, piece)
    length += piece
  }

  /// Lets each text go on alone; begins anew.
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

  /// The digests of the texts; begins anew.
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

/// A text whose first blocks were digested beside others.
struct LoneText {
  private var context = SHA256_CTX()

  /// - Parameters:
  ///   - length: bytes digested, whole blocks all.
  ///   - words: what was made of them.
  init(after length: Int, _ words: [UInt32]) {
    SHA256_Init(&context)
    withUnsafeMutableBytes(of: &context.h) { state in
      words.withUnsafeBytes { state.copyMemory(from: $0) }
    }
    let bits = UInt64(length) * 8
    context.Nl = UInt32(truncatingIfNeeded: bits)
    context.Nh = UInt32(truncatingIfNeeded: bits >> 32)
  }

  /// Feeds bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// The digest; nothing may be fed afterwards.
  mutating func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: DigestAlgorithm.sha256.length)
    guard SHA256_Final(&bytes, &context) == 1, let digest = Digest(.sha256, bytes: bytes) else {
      fatalError("libcrypto cannot end a digest that was begun")
    }
    return digest
  }
}
