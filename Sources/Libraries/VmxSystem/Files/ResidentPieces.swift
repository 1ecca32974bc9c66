import Glibc
package import SystemPackage

// A check of a whole library would push everything else out of memory. So what was not in the page
// cache before is let go of behind the reader; what was there belongs to somebody and stays.

/// Which pieces of an open file lay in the page cache before somebody read it.
package struct ResidentPieces: Sendable {
  private let pieceSize: Int64
  private let resident: [Bool]

  /// Looks at an open file.
  ///
  /// Where the kernel does not tell, every piece counts as having been there.
  ///
  /// - Parameters:
  ///   - size: bytes of the file.
  ///   - pieceSize: bytes in every piece but the last; a multiple of a page.
  package init(of file: borrowing OpenFile, size: Int64, pieceSize: Int64) {
    self.pieceSize = pieceSize
    let count = Int((size + pieceSize - 1) / pieceSize)
    var resident = [Bool](repeating: true, count: count)
    let map = size == 0 ? MAP_FAILED : Self.map(file.descriptor, Int(size))
    if map != MAP_FAILED, let map {
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      var pages = [UInt8](repeating: 0, count: (Int(pieceSize) + page - 1) / page)
      for piece in 0..<count {
        let start = Int64(piece) * pieceSize
        let length = Int(min(pieceSize, size - start))
        guard mincore(map + Int(start), length, &pages) == 0 else { break }
        let total = (length + page - 1) / page
        let here = pages.prefix(total).reduce(0) { $0 + Int($1 & 1) }
        resident[piece] = here * 2 > total
      }
      munmap(map, Int(size))
    }
    self.resident = resident
  }

  /// Lets the kernel forget the pieces of a range that were not there before.
  ///
  /// Advice: what others have changed and the disk has not yet stays.
  package func release(_ range: Range<Int>, of descriptor: FileDescriptor) {
    for piece in range where piece < resident.count && !resident[piece] {
      _ = posix_fadvise(
        descriptor.rawValue, off_t(Int64(piece) * pieceSize), off_t(pieceSize),
        POSIX_FADV_DONTNEED)
    }
  }

  private static func map(_ descriptor: FileDescriptor, _ size: Int) -> UnsafeMutableRawPointer? {
    mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
  }
}

/// Lets the kernel begin to read a range of a file that is wanted next; advice.
package func beginReading(_ descriptor: FileDescriptor, from offset: Int64, _ length: Int64) {
  _ = posix_fadvise(descriptor.rawValue, off_t(offset), off_t(length), POSIX_FADV_WILLNEED)
}
