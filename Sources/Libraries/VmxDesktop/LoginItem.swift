package import SystemPackage
import VmxModel
import VmxSystem

// Without systemd, a desktop starts the programs in its autostart folder, and a login shell runs
// the lines of its profile. Both run at each login instead of once a day, and a shell must not
// wait. So the program is started in the background, without output.

/// A program that runs at login without systemd, started by a desktop's autostart file or a line in
/// a shell profile.
package struct LoginItem: Sendable {
  /// The mark that identifies the lines and files that vmx wrote.
  static let mark = "# Written by 'vmx clean --install-login'"

  /// The location of the login item.
  package enum Location: Sendable, Equatable {
    /// A file in the autostart folder of a desktop.
    case autostart(FilePath)
    /// A line in the profile of a login shell.
    case profile(FilePath)
  }

  private let program: String
  private let environment: [String: String]

  /// Creates an item that starts `vmx-clean`.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-clean`.
  ///   - environment: the environment variables of the installing process.
  package init(program: String, environment: [String: String]) {
    self.program = program
    self.environment = environment
  }

  /// Installs the item; idempotent.
  ///
  /// - Returns: whether anything had to be changed.
  /// - Throws: `name-taken` for an autostart file that vmx did not write, `bad-setting` for a
  ///   variable that does not fit on one line, and errors of the file system.
  package func install(in location: Location, isDryRun: Bool) throws -> Bool {
    try InheritedVariables(environment).check()
    guard try !isInstalled(in: location) else { return false }
    if !isDryRun {
      switch location {
      case .autostart(let file):
        try makeFolders(file.folder)
        try write(Array(desktopFile.utf8), to: file)
      case .profile(let file):
        let others = try lines(of: file).filter { !$0.isOwnFile }
        try write(Self.joined(others + [Array(profileLine.utf8)]), to: file)
      }
    }
    return true
  }

  /// Removes the item.
  ///
  /// - Returns: whether anything had to be changed.
  /// - Throws: `name-taken` for an autostart file that vmx did not write, and errors of the file
  ///   system.
  package func uninstall(in location: Location, isDryRun: Bool) throws -> Bool {
    switch location {
    case .autostart(let file):
      guard try ownText(of: file) != nil else { return false }
      if !isDryRun { try RegularFile.remove(file) }
    case .profile(let file):
      let before = try lines(of: file)
      let others = before.filter { !$0.isOwnFile }
      guard others.count < before.count else { return false }
      if !isDryRun { try write(Self.joined(others), to: file) }
    }
    return true
  }

  /// Whether the item is installed with the content that `install` would write now.
  ///
  /// - Throws: as `install`.
  package func isInstalled(in location: Location) throws -> Bool {
    switch location {
    case .autostart(let file): try ownText(of: file) == Array(desktopFile.utf8)
    case .profile(let file): try lines(of: file).filter(\.isOwnFile) == [Array(profileLine.utf8)]
    }
  }

  private func ownText(of file: FilePath) throws -> [UInt8]? {
    guard let bytes = try RegularFile.prefixIfPresent(of: file, upTo: 64 << 10) else { return nil }
    guard bytes.starts(with: Self.mark.utf8) else {
      throw Failure(
        .nameTaken, "the file was not written by vmx: '\(file)'",
        hint: "move or rename it")
    }
    return bytes
  }

  /// Writes a file. A profile may be a symbolic link into a folder of configuration files; the
  /// target of the link is then written.
  private func write(_ bytes: [UInt8], to file: FilePath) throws {
    let target = realPath(of: file) ?? file
    let mode = try FileFacts.of(target)?.permissions ?? [.ownerReadWrite, .groupRead, .otherRead]
    try AtomicFile.replace(target, with: bytes, mode: mode, durable: true)
  }

  private func lines(of file: FilePath) throws -> [[UInt8]] {
    let path = realPath(of: file) ?? file
    guard let bytes = try RegularFile.prefixIfPresent(of: path, upTo: 16 << 20) else { return [] }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map(Array.init)
  }

  private static func joined(_ lines: [[UInt8]]) -> [UInt8] {
    lines.flatMap { $0 + [UInt8(ascii: "\n")] }
  }
}

extension LoginItem {
  private var inheritedVariables: [(name: String, value: String)] {
    InheritedVariables(environment).all
  }

  /// The autostart file (Desktop Entry Specification). A quoted word is escaped twice, once for the
  /// command line and once for the file.
  private var desktopFile: String {
    func quoted(_ word: String) -> String {
      let command = word.flatMap { character -> String in
        switch character {
        case "\"", "`", "$", "\\": "\\\(character)"
        case "%": "%%"
        default: String(character)
        }
      }
      return "\"\(String(command.flatMap { $0 == "\\" ? "\\\\" : String($0) }))\""
    }
    let words =
      (inheritedVariables.isEmpty
        ? [] : ["/usr/bin/env"] + inheritedVariables.map { quoted("\($0.name)=\($0.value)") })
      + [quoted(program), "--login"]
    return """
      \(Self.mark), which rewrites it; '--uninstall' removes it.
      [Desktop Entry]
      Type=Application
      Name=vmx clean
      Comment=Tidy the vmx library
      Exec=\(words.joined(separator: " "))
      Terminal=false
      NoDisplay=true
      X-GNOME-Autostart-enabled=true

      """
  }

  private var profileLine: String {
    let command = InheritedVariables(environment).command(program, "--login")
    return "[ -x \(ShellWord.quoted(program)) ] && (\(command) </dev/null >/dev/null 2>&1 &) "
      + Self.mark
  }
}

extension [UInt8] {
  fileprivate var isOwnFile: Bool {
    let mark = Array(LoginItem.mark.utf8)
    return count >= mark.count && suffix(mark.count).elementsEqual(mark)
  }
}
