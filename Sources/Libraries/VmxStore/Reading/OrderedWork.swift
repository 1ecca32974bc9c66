import Glibc
import VmxJSON
import VmxModel
import VmxSystem

/// Processes pieces of work on all cores and delivers the results in order.
enum OrderedWork {
  /// Processes all pieces.
  ///
  /// - Parameters:
  ///   - pieces: the number of pieces.
  ///   - make: processes one piece, on any thread, with a parser of that thread.
  ///   - take: receives the results one by one, in order, on the calling thread. It ends the run by
  ///     returning false or by throwing.
  static func run<Result: Sendable>(
    pieces: Int, make: @escaping @Sendable (Int, JSONParser) -> Result,
    take: (Result) throws -> Bool
  ) rethrows {
    // The C library reads a file to determine the number of cores, which one piece does not need.
    let cores = pieces < 2 ? 1 : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    try WorkerThread.forEachInOrder(
      pieces, threads: cores, named: "vmx-store", context: { JSONParser() }, make: make, take: take)
  }
}
