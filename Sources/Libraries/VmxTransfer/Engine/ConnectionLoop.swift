import CCurl
import Glibc
import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// The one thread that performs all transfers of this process, over one libcurl multi handle.
///
/// All requests share connections, name lookups and TLS sessions. The thread only passes bytes on;
/// the receivers write and hash them on their own threads.
final class ConnectionLoop: Sendable {
  /// The buffer pool of all requests.
  let bufferPool = BufferPool()
  private let inbox = LoopInbox()
  private let multi: MultiHandle
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// - Throws: `ProcessError.noThread`, also if libcurl has no memory.
  init(_ settings: TransferSettings) throws(ProcessError) {
    // libcurl converts names such as bücher.example (IDN) from the encoding of the locale.
    setlocale(LC_CTYPE, "C.UTF-8")
    guard vmx_curl_begin() == CURLE_OK, let multi = MultiHandle() else {
      throw .noThread("transfers", .noMemory)
    }
    // Without free descriptors libcurl makes a handle that cannot be woken. Stopping the engine
    // would then wait up to a minute for its thread.
    guard multi.wake() else { throw .noThread("transfers", .tooManyOpenFiles) }
    self.multi = multi
    thread = try WorkerThread.start("transfers") { [inbox] in
      var flow = LoopFlow(multi, settings)
      while true {
        let orders = inbox.drain()
        flow.begin(orders.arrived)
        if orders.isStopping { break }
        flow.poll()
      }
      flow.end()
    }
  }

  /// Begins a request; after `stop` the request ends at once.
  func submit(_ transfer: HTTPTransfer) {
    if inbox.enqueue(transfer) { wake() } else { transfer.finish(.cancelled) }
  }

  /// Wakes the thread, which then checks all its transfers.
  func wake() {
    multi.wake()
  }

  /// Cancels a request.
  func cancel(_ transfer: HTTPTransfer) {
    transfer.cancel()
    wake()
  }

  /// Cancels all requests, then ends the thread; may be called again.
  func stop() {
    inbox.stop()
    multi.wake()
    thread.join()
  }
}

/// The new requests and the stop flag, passed to the loop from other threads.
private final class LoopInbox: Sendable {
  private let orders = Mutex((arrived: [HTTPTransfer](), isStopping: false))

  /// Adds a request; returns false after `stop`.
  func enqueue(_ transfer: HTTPTransfer) -> Bool {
    orders.withLock { orders in
      guard !orders.isStopping else { return false }
      orders.arrived.append(transfer)
      return true
    }
  }

  func stop() {
    orders.withLock { $0.isStopping = true }
  }

  func drain() -> (arrived: [HTTPTransfer], isStopping: Bool) {
    orders.withLock { orders in
      defer { orders.arrived = [] }
      return orders
    }
  }
}

/// libcurl's multi handle.
// Unchecked: everything but `wake` is called only on the loop's thread. curl_multi_wakeup is the
// one call that libcurl allows from other threads.
final class MultiHandle: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  init?() {
    guard let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
    // Each request has its own connection with HTTP/2, too. On a shared one a paused transfer would
    // hold up the others, and a slow or broken connection would affect all of them.
    vmx_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
  }

  deinit {
    curl_multi_cleanup(pointer)
  }

  /// Ends the wait of `curl_multi_poll`; returns false if this handle cannot be woken.
  @discardableResult
  func wake() -> Bool {
    curl_multi_wakeup(pointer) == CURLM_OK
  }
}
