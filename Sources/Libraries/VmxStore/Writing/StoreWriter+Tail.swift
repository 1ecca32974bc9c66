import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// Bytes behind the last line that counts were left by a crash, a failed write or an editor. A tail
// that is one whole JSON object lacks nothing but its line feed: an editor saved the file without
// one, or a write was torn just before it. The next writer appends the line feed, and the record
// counts. That is harmless where the write was torn, since a repeated command finds the change made.
// A line of a transaction without its commit line stays unfinished. All else goes to
// `store.damaged` before it is cut off; only a full disk does not hinder the cut, because what was
// cut was never promised, and a tool that makes room must go on.

extension StoreWriter {
  /// The store under the write lock, ending with a line that counts.
  func wholeImage(of file: StoreFile) throws(StoreError) -> StoreImage {
    let image = try cache.image(of: file)
    guard image.size > image.bound else { return image }
    if try image.tailIsRecord {
      try append([UInt8(ascii: "\n")], behindTailOf: file)
    } else {
      try keepTail(of: image)
      try cut(file, to: image.bound)
    }
    return try cache.image(of: file)
  }

  /// Completes or cuts off what stands behind the last line that counts, durably.
  ///
  /// - Throws: `StoreError`.
  func finishTail() throws {
    let file = try locks.whileWriting {
      let file = try writableFile()
      _ = try wholeImage(of: file)
      return file
    }
    try makeDurable([FlushTarget(file: file, upTo: try file.size())])
  }

  /// The file with its header read again, if the header was a tail without its line feed.
  func fileWithWholeHeader(_ file: StoreFile) throws -> StoreFile {
    guard file.header == nil, file.facts.size > 0 else { return file }
    return try locks.whileWriting {
      let image = try cache.image(of: file)
      guard file.isCurrent(at: home.store), image.lastNewline == 0, try image.tailIsRecord else {
        return file
      }
      try append([UInt8(ascii: "\n")], behindTailOf: file)
      cache.forget()
      return try current(writable: true) ?? file
    }
  }

  private func append(_ bytes: [UInt8], behindTailOf file: StoreFile) throws(StoreError) {
    do throws(Errno) {
      if try disk.append(bytes, to: file.file.descriptor) == bytes.count { return }
    } catch {
      throw error.isNoRoom ? .full(home.store, error) : .file(.failed(.write, home.store, error))
    }
    throw .full(home.store, .noSpace)
  }

  /// Copies what is about to be cut off to `store.damaged`, as far as there is room.
  private func keepTail(of image: StoreImage) throws(StoreError) {
    var offset = image.bound
    while offset < image.size {
      var bytes = try image.file.bytes(from: offset, count: min(image.size - offset, 4 << 20))
      if bytes.isEmpty { return }
      offset += bytes.count
      if offset == image.size, bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      do throws(FileError) {
        try DamagedFile.append(bytes, in: home)
      } catch {
        if error.isFull { return }
        throw .file(error)
      }
    }
  }

  /// Cuts the store behind what counts.
  func cut(_ file: StoreFile, to length: Int) throws(StoreError) {
    forgetReserve()
    do throws(Errno) {
      try disk.truncate(file.file.descriptor, to: length)
    } catch {
      throw .file(.failed(.truncate, home.store, error))
    }
  }
}

extension StoreImage {
  /// Whether the bytes behind the last line end are one record that lacks only its line end.
  var tailIsRecord: Bool {
    get throws(StoreError) {
      let count = size - lastNewline
      guard count > 0, count <= LineWriter.longest else { return false }
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
