import Glibc
import SystemPackage
import VmxSystem

/// A read-only memory mapping of bytes of a file.
///
/// Unchecked, because a pointer is not Sendable; the mapped bytes never change. The store never
/// changes bytes before a newline, and only those are ever mapped.
final class Mapping: @unchecked Sendable {
  /// The offset in the file of the first byte; a multiple of the page size.
  let start: Int
  /// The offset after the last byte.
  let end: Int
  private let base: UnsafeRawPointer

  /// Maps a range of a file, which must not be empty.
  init(_ file: borrowing OpenFile, from start: Int, to end: Int) throws(StoreError) {
    let pages = mmap(nil, end - start, PROT_READ, MAP_SHARED, file.descriptor.rawValue, start)
    guard let pages, pages != MAP_FAILED else {
      throw .file(.failed(.map, file.path, .last))
    }
    Self.endWhereCut
    base = UnsafeRawPointer(pages)
    self.start = start
    self.end = end
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), end - start) }

  /// Returns the bytes from an offset in the file up to the end of the mapping.
  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + (offset - start), count: end - offset)
  }

  /// Returns the number of bytes after an offset that can be read safely, up to the end of the last
  /// page.
  func readable(after offset: Int) -> Int {
    (end - start + Self.pageSize - 1) / Self.pageSize * Self.pageSize - (offset - start)
  }

  /// Installs a SIGBUS handler that ends the process with a message.
  ///
  /// The kernel sends SIGBUS when another program truncates the store under a mapping. Records on
  /// the disk are not affected.
  private static let endWhereCut: Void = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let message: StaticString = """
        vmx: error[store-damaged]: another program cut the store while it was read
        hint: run the command again

        """
      _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
      _exit(65)
    }
    _ = sigaction(SIGBUS, &action, nil)
  }()

  static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}
