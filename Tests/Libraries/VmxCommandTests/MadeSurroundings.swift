import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxTestSupport

/// Surroundings whose streams can be read afterwards.
struct MadeSurroundings {
  let output = ByteBuffer()
  let errors = ByteBuffer()
  var input: any ByteSource = MadeSource()
  var variables: [String: String] = [:]
  var end = TerminalFacts.pipe

  var surroundings: Surroundings {
    Surroundings(
      output: output, errors: errors, input: input, clock: FixedClock(),
      environment: Environment(variables, workFolder: "/folder"), outputEnd: end, errorsEnd: end)
  }

  func context(_ manner: Manner = Manner()) -> CommandContext {
    CommandContext("vmx-test", manner, surroundings)
  }
}
