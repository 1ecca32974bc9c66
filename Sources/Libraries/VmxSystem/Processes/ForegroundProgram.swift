import Glibc
import SystemPackage

/// Runs a program in the foreground of the terminal, such as an editor, until it ends.
///
/// It has the streams and the process group of this process. An interrupt or quit key on the
/// terminal reaches both; this process ignores it meanwhile, and the program decides.
///
/// - Throws: `ProcessError.notStarted`.
package func runInForeground(_ call: ProgramCall) throws(ProcessError) -> SpawnedProgram.Ending {
  // A handler is reset in the child, unlike an ignored signal.
  let handlers = [SIGINT, SIGQUIT].map { ($0, Glibc.signal($0) { _ in }) }
  defer {
    for (number, handler) in handlers { _ = Glibc.signal(number, handler) }
  }
  return try SpawnedProgram.start(call).wait()
}
