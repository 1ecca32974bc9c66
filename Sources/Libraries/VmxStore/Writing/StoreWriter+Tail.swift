import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// Bytes after the bound were left by a crash, a failed write or an editor. A tail that is one
// complete JSON object lacks only its line feed. An editor saved the file without one, or a write
// was torn just before it. The next writer appends the line feed, and the record takes effect. That
// is harmless if the write was torn, since a repeated command finds the change made. A line of a
// transaction without its commit line stays unfinished. All other bytes are copied to
// `store.damaged` before they are cut off. If the disk is full, they are cut off without a copy.
// They were never acknowledged, and a command that frees space must be able to continue.

extension StoreWriter {
  /// Returns an image of the store that ends with a complete line. The caller holds the write lock.
  func completeImage(of file: StoreFile) throws(StoreError) -> StoreImage {
    let image = try cache.image(of: file)
    guard image.size > image.bound else { return image }
    if try image.tailIsRecord {
      try append([UInt8(ascii: "\n")], behindTailOf: file)
    } else {
      try saveTail(of: image)
      try truncate(file, to: image.bound)
    }
    return try cache.image(of: file)
  }

  /// Completes or cuts off the bytes after the bound, durably.
  ///
  /// - Throws: `StoreError`.
  func finishTail() throws {
    let file = try locks.withWriteLock {
      let file = try writableFile()
      _ = try completeImage(of: file)
      return file
    }
    try makeDurable([FlushTarget(file: file, endOffset: try file.size())])
  }

  /// Returns the file; if its header lacked only the line feed, completes the line and opens the
  /// file again.
  func fileWithCompleteHeader(_ file: StoreFile) throws -> StoreFile {
    guard file.header == nil, file.facts.size > 0 else { return file }
    return try locks.withWriteLock {
      let image = try cache.image(of: file)
      guard file.isCurrent(at: home.store), image.lastNewline == 0, try image.tailIsRecord else {
        return file
      }
      try append([UInt8(ascii: "\n")], behindTailOf: file)
      cache.invalidate()
      return try current(writable: true) ?? file
    }
  }

  private func append(_ bytes: [UInt8], behindTailOf file: StoreFile) throws(StoreError) {
    do throws(Errno) {
      if try disk.append(bytes, to: file.file.descriptor) == bytes.count { return }
    } catch {
      throw error.isOutOfSpace
        ? .outOfSpace(home.store, error, needed: bytes.count)
        : .file(.failed(.write, home.store, error))
    }
    throw .outOfSpace(home.store, .noSpace, needed: bytes.count)
  }

  /// Copies the bytes that are about to be cut off to `store.damaged`, as far as there is space.
  private func saveTail(of image: StoreImage) throws(StoreError) {
    var offset = image.bound
    while offset < image.size {
      var bytes = try image.file.bytes(from: offset, count: min(image.size - offset, 4 << 20))
      if bytes.isEmpty { return }
      offset += bytes.count
      if offset == image.size, bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      do throws(FileError) {
        try home.appendDamaged(bytes)
      } catch {
        if error.isFull { return }
        throw .file(error)
      }
    }
  }

  /// Truncates the store to the given length.
  func truncate(_ file: StoreFile, to length: Int) throws(StoreError) {
    invalidateReserve()
    do throws(Errno) {
      try disk.truncate(file.file.descriptor, to: length)
    } catch {
      throw .file(.failed(.truncate, home.store, error))
    }
  }
}

extension StoreImage {
  /// Whether the bytes after the last line end are one record that lacks only its line end.
  var tailIsRecord: Bool {
    get throws(StoreError) {
      let count = size - lastNewline
      guard count > 0, count <= LineWriter.maxLineLength else { return false }
      let tail = try file.bytes(from: lastNewline, count: count)
      let isRecord = tail.withUnsafeBytes { tail in
        JSONParser().withTape(copying: tail) { tape in
          LineFacts(tape).map { $0.transaction == nil || $0.commits }
        }
      }
      return isRecord ?? false
    }
  }
}
