import Glibc

// Keys arrive without Enter and without echo. Ctrl-C and Ctrl-Z remain signals. A process in the
// background must neither change the modes of its terminal nor read from it: it would be stopped.

/// Reads single keys from the terminal on standard input.
package struct TerminalKeys {
  private let descriptor: CInt = STDIN_FILENO
  private var modes: termios?

  /// Creates a reader that has not changed the terminal.
  package init() {}

  /// Returns the keys typed since the last call; never blocks. Without a terminal, or in its
  /// background, there are none.
  package mutating func typed() -> [UInt8] {
    guard isatty(descriptor) == 1, JobControl.isInForeground(of: descriptor), begin() else {
      return []
    }
    var keys: [UInt8] = []
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var key: UInt8 = 0
    while poll(&watched, 1, 0) > 0, read(descriptor, &key, 1) == 1 { keys.append(key) }
    return keys
  }

  /// Gives the terminal its former modes; the next call of `typed` changes them again.
  package mutating func restore() {
    guard var modes else { return }
    self.modes = nil
    if JobControl.isInForeground(of: descriptor) { tcsetattr(descriptor, TCSADRAIN, &modes) }
  }

  private mutating func begin() -> Bool {
    guard modes == nil else { return true }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return false }
    var single = before
    single.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &single.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
    guard tcsetattr(descriptor, TCSADRAIN, &single) == 0 else { return false }
    modes = before
    return true
  }
}
