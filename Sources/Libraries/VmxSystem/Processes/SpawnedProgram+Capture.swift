import Glibc
package import SystemPackage

extension SpawnedProgram {
  /// What a program printed, and how it ended.
  package struct Printed: Sendable, Equatable {
    /// How it ended; by SIGKILL if it was stopped.
    package let ending: Ending
    /// The first bytes of its standard output.
    package let output: [UInt8]
  }

  /// Runs a program without input to its end and keeps what it prints.
  ///
  /// It is killed when it prints more than the limit or the time is up; what it started itself is
  /// not waited for then.
  ///
  /// - Parameters:
  ///   - limit: most bytes kept.
  ///   - deadline: when it is killed; nil means never.
  /// - Throws: `ProcessError.notStarted`.
  package static func capture(
    _ path: FilePath, _ arguments: [String], environment: [String], limit: Int,
    deadline: Deadline? = nil
  ) throws(ProcessError) -> Printed {
    let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
    do {
      ends = try FileDescriptor.pipe(options: .closeOnExec)
    } catch {
      throw .notStarted(path, error)
    }
    defer { _ = Glibc.close(ends.readEnd.rawValue) }
    let program: SpawnedProgram
    do {
      // Our own copy of the end it writes to must go, or the output would never end.
      defer { _ = Glibc.close(ends.writeEnd.rawValue) }
      program = try start(path, arguments, environment: environment, output: ends.writeEnd)
    }
    var output: [UInt8] = []
    if !read(ends.readEnd, into: &output, limit: limit, deadline: deadline) {
      program.send(SIGKILL)
    }
    return Printed(ending: program.wait(), output: output)
  }

  /// Whether the end was reached in time and below the limit.
  private static func read(
    _ end: FileDescriptor, into output: inout [UInt8], limit: Int, deadline: Deadline?
  ) -> Bool {
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      var asked = pollfd(fd: end.rawValue, events: Int16(POLLIN), revents: 0)
      let left = deadline.map { ($0.remaining + 999_999) / 1_000_000 } ?? -1
      let ready = poll(&asked, 1, Int32(clamping: left))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return false }
      let before = output.count
      let count = Glibc.read(end.rawValue, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 }
      output += piece.prefix(min(count, limit - output.count))
      if count > limit - before { return false }
    }
  }
}
