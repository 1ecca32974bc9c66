import Synchronization
import SystemPackage

@testable import VmxStore

/// A disk whose calls fail as planned, and otherwise work as usual.
final class FaultyDisk: StoreDisk {
  struct Plan {
    /// The number of bytes that the next append writes before it reports a short write.
    var shortAppend: Int?
    /// The error of the next append.
    var appendError: Errno?
    /// The errors of the next flushes, in order.
    var flushErrors: [Errno?] = []
    /// The error of hard links.
    var linkError: Errno?
    /// The error of truncations.
    var truncateError: Errno?
    /// The error of reservations.
    var reserveError: Errno?
    /// The flushed descriptors.
    var flushed: [Int32] = []
    /// The number of requested reservations.
    var reservations = 0
  }

  let plan = Mutex(Plan())
  private let disk = KernelDisk()

  func append(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) -> Int {
    let (short, error) = plan.withLock { plan in
      defer { (plan.shortAppend, plan.appendError) = (nil, nil) }
      return (plan.shortAppend, plan.appendError)
    }
    if let short {
      let written = try disk.append(Array(bytes.prefix(short)), to: file)
      if error == nil { return written }
    }
    if let error { throw error }
    return try disk.append(bytes, to: file)
  }

  func truncate(_ file: FileDescriptor, to length: Int) throws(Errno) {
    if let error = plan.withLock({ $0.truncateError }) { throw error }
    try disk.truncate(file, to: length)
  }

  func link(_ file: FilePath, to link: FilePath) throws(Errno) {
    if let error = plan.withLock({ $0.linkError }) { throw error }
    try disk.link(file, to: link)
  }

  func flush(_ file: FileDescriptor) throws(Errno) {
    let error = plan.withLock { plan in
      plan.flushed.append(file.rawValue)
      return plan.flushErrors.isEmpty ? nil : plan.flushErrors.removeFirst()
    }
    if let error { throw error }
    try disk.flush(file)
  }

  func reserve(_ file: FileDescriptor, from offset: Int, _ count: Int) throws(Errno) {
    let error = plan.withLock { plan in
      plan.reservations += 1
      return plan.reserveError
    }
    if let error { throw error }
    try disk.reserve(file, from: offset, count)
  }
}
