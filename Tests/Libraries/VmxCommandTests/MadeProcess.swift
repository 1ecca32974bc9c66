import SystemPackage
import VmxCommand
import VmxCommandTestSupport
import VmxModel
import VmxPresentation
import VmxTestSupport

/// A fake process whose streams can be read afterwards.
struct MadeProcess {
  let output = ByteBuffer()
  let errors = ByteBuffer()
  var input: any ByteSource = MadeSource()
  var variables: [String: String] = [:]
  var terminal = TerminalFacts.pipe

  var process: ProcessContext {
    ProcessContext(
      output: output, errors: errors, input: input, clock: FixedClock(),
      environment: Environment(variables, workFolder: "/folder"), terminal: terminal)
  }

  func context(_ mode: OutputMode = OutputMode()) -> CommandContext {
    CommandContext("vmx-test", mode: mode, process: process)
  }
}

/// Provides pieces of text, one after another.
final class PieceSource: ByteSource {
  let isData = true
  private let sources: [MadeSource]

  convenience init(_ pieces: String...) { self.init(pieces) }

  init(_ pieces: [String]) { sources = pieces.map { MadeSource($0) } }

  func read() throws(Failure) -> [UInt8] {
    for source in sources {
      let bytes = try source.read()
      if !bytes.isEmpty { return bytes }
    }
    return []
  }
}
