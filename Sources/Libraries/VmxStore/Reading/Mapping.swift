import Glibc
import SystemPackage
import VmxSystem

/// Bytes of a file in memory, read-only.
///
/// Unchecked, because the pointer alone is no Sendable: what it leads to never changes. The store
/// never changes bytes before a newline, and no more than that is ever mapped.
final class Mapping: @unchecked Sendable {
  /// Offset in the file of the first byte; a multiple of the page size.
  let start: Int
  /// Offset after the last byte.
  let end: Int
  private let base: UnsafeRawPointer

  /// Maps a part of a file, which must not be empty.
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

  /// The bytes from an offset in the file up to the end.
  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + (offset - start), count: end - offset)
  }

  /// Bytes after an offset in the file that can be read without harm: the last page is whole.
  func readable(after offset: Int) -> Int {
    (end - start + Self.pageSize - 1) / Self.pageSize * Self.pageSize - (offset - start)
  }

  /// Ends the process with a message where another program cuts the store under a mapping: the
  /// kernel then sends SIGBUS for the pages that are gone, and no state of a record is at stake.
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
