import Glibc
import VmxModel

/// Files that look like videos: an MP4 file with an empty index and pseudo-random bytes as media.
enum Film {
  /// Creates a video from `NAME=BYTES`; the same name and size result in the same bytes.
  ///
  /// Its modification time is years in the past, so that Last-Modified is a strong validator.
  static func make(_ text: String, in root: String) throws(OriginProblem) {
    let sides = text.split(separator: "=")
    guard sides.count == 2, let size = Int(sides[1]), size >= 0 else {
      throw OriginProblem("'--film' needs NAME=BYTES, not '\(text)'")
    }
    let path = "\(root)/\(sides[0])"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("open", path) }
    defer { close(descriptor) }
    let bytes = bytes(name: String(sides[0]), size: size)
    var written = 0
    while written < size {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .system("write", path) }
      written += count
    }
    let moment = timespec(tv_sec: 1_600_000_000, tv_nsec: 0)
    guard futimens(descriptor, [moment, moment]) == 0 else { throw .system("futimens", path) }
  }

  private static func bytes(name: String, size: Int) -> [UInt8] {
    var bytes = Array("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41\0\0\0\u{8}moov".utf8)
    let rest = UInt32(clamping: max(8, size - bytes.count))
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: rest >> (24 - 8 * $0)) }
    bytes += "mdat".utf8
    bytes.reserveCapacity(size + 8)
    // Pseudo-random numbers without short cycles (Marsaglia's xorshift), seeded with the name.
    var state = StableHash.of(name) | 1
    while bytes.count < size {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes += $0 }
    }
    return Array(bytes.prefix(size))
  }
}
