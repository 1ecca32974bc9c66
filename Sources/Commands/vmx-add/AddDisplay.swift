import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem
import VmxTerminal

/// Shows the progress of the local files among the operands on standard error.
final class AddDisplay {
  /// The function that tells how much of a file was read, from any thread.
  let progress: @Sendable (FilePath, ByteCount) -> Void
  private let display: FileDisplay
  private let messages: Messages
  private var rest = WorkAmount.zero

  /// Creates the display of a run.
  ///
  /// - Parameter operands: the operands, of which those count that are files.
  init(_ operands: [String], isOff: Bool, in context: CommandContext) {
    let messages = context.messages
    let display = FileDisplay(
      isOff: isOff, on: messages.sink, terminal: { messages.terminal })
    self.display = display
    self.messages = messages
    progress = { file, read in
      display.update(Self.name(of: file), read: read.bytes, of: Self.size(of: file))
    }
    messages.share(with: Messages.LiveView(suspend: display.suspend, resume: display.resume))
    guard !display.isSilent else { return }
    for operand in operands where !WebURL.isMeant(by: operand) {
      rest.add(fileOf: Self.size(of: context.environment.absolute(argument: operand)))
    }
  }

  /// Performs the work on a file.
  func during<R>(_ file: FilePath, _ body: () throws -> R) rethrows -> R {
    guard !display.isSilent else { return try body() }
    let size = Self.size(of: file)
    rest.subtract(fileOf: size)
    display.begin(Self.name(of: file), size: size, rest: rest)
    defer { display.end(Self.name(of: file)) }
    return try body()
  }

  /// Clears the display.
  func close() {
    messages.share(with: nil)
    display.close()
  }

  private static func name(of file: FilePath) -> String {
    file.lastComponent?.string ?? file.string
  }

  /// The size of a file; nil if it cannot be inspected, which reading it reports.
  private static func size(of file: FilePath) -> Int64? {
    guard let facts = try? FileFacts.of(file), facts.isRegular else { return nil }
    return facts.size
  }
}
