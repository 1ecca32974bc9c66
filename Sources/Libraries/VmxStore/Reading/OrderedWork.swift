import Glibc
import VmxJSON
import VmxSystem

/// Processes pieces of work on all cores and delivers the results in order.
enum OrderedWork {
  private struct State<Result: Sendable>: Sendable {
    var next = 0
    var taken = 0
    var isStopped = false
    var done: [Int: Result] = [:]
  }

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
    let state = Monitor(State<Result>())
    let threads = pieces < 2 ? [] : start(min(cores, pieces), state, pieces, make)
    defer {
      state.withLock { $0.isStopped = true }
      for thread in threads { thread.join() }
    }
    let parser = JSONParser()
    for piece in 0..<pieces {
      let result = threads.isEmpty ? make(piece, parser) : next(piece, state)
      guard let result, try take(result) else { return }
    }
  }

  /// The number of cores. The C library reads a file to determine it.
  private static var cores: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static func next<Result: Sendable>(
    _ piece: Int, _ state: Monitor<State<Result>>
  ) -> Result? {
    state.when { state in
      state.done[piece] != nil
    } _: { state in
      state.taken = piece + 1
      return state.done.removeValue(forKey: piece)
    }
  }

  private static func start<Result: Sendable>(
    _ count: Int, _ state: Monitor<State<Result>>, _ pieces: Int,
    _ make: @escaping @Sendable (Int, JSONParser) -> Result
  ) -> [WorkerThread] {
    var threads: [WorkerThread] = []
    for _ in 0..<count {
      do {
        threads.append(try WorkerThread.start("vmx-store") { work(state, pieces, make) })
      } catch {
        // If no thread can be started, the calling thread does the work itself.
        break
      }
    }
    return threads
  }

  private static func work<Result: Sendable>(
    _ state: Monitor<State<Result>>, _ pieces: Int, _ make: (Int, JSONParser) -> Result
  ) {
    let parser = JSONParser()
    // Limits the number of results that wait while the calling thread is busy.
    let ahead = 6
    while true {
      let piece: Int? = state.when { state in
        state.isStopped || state.next >= pieces || state.next < state.taken + ahead
      } _: { state in
        guard !state.isStopped, state.next < pieces else { return nil }
        state.next += 1
        return state.next - 1
      }
      guard let piece else { return }
      let result = make(piece, parser)
      state.withLock { $0.done[piece] = result }
    }
  }
}
