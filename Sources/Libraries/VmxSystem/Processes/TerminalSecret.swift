import Glibc
import SystemPackage
import VmxModel

/// Reads a secret from the controlling terminal without echo.
///
/// - Parameters:
///   - prompt: the prompt, written to the terminal.
///   - interruption: the stop request that ends the wait.
/// - Returns: the line without its end; nil if the process has no terminal or its input has ended.
/// - Throws: `WorkEnded.interrupted`; the terminal then echoes input again.
package func readSecret(prompt: String, until interruption: Interruption) throws -> [UInt8]? {
  let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
  guard terminal >= 0 else { return nil }
  defer { close(terminal) }
  var before = termios()
  guard tcgetattr(terminal, &before) == 0 else { return nil }
  var hidden = before
  hidden.c_lflag &= ~tcflag_t(ECHO)
  // Ctrl-Z would leave a shell without echo.
  withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VSUSP)] = 0 }
  guard tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 else { return nil }
  defer {
    _ = tcsetattr(terminal, TCSAFLUSH, &before)
    _ = write(terminal, "\n", 1)
  }
  _ = Array(prompt.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
  return try readLine(from: terminal, until: interruption)
}

/// Reads a line from an open descriptor byte by byte, so that the bytes after it remain for other
/// readers.
///
/// - Parameter interruption: the stop request that ends the wait.
/// - Returns: the line without its end; nil at the end of the input.
/// - Throws: `WorkEnded.interrupted`, `input-missing`.
package func readLine(
  from descriptor: Int32, until interruption: Interruption
) throws -> [UInt8]? {
  var line: [UInt8] = []
  while true {
    // A signal that arrives before the call to read would not interrupt it.
    var watched = [descriptor, interruption.descriptor.rawValue].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&watched, 2, -1)
    if interruption.isRequested { throw WorkEnded.interrupted }
    if watched[0].revents == 0 { continue }
    var byte: UInt8 = 0
    let count = read(descriptor, &byte, 1)
    if count < 0 {
      if errno == EINTR { continue }
      throw Failure(.inputMissing, "cannot read descriptor \(descriptor): \(Errno.last.message)")
    }
    if count == 0 { return line.isEmpty ? nil : line }
    if byte == UInt8(ascii: "\n") { return line }
    line.append(byte)
  }
}
