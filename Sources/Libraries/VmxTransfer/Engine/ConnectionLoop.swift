import CCurl
import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// The one thread on which all bytes of this process flow, over one libcurl multi handle.
///
/// Connections, names and TLS sessions are shared by all requests. The thread does nothing but
/// pass bytes on: whoever takes them writes and digests them on a thread of their own.
final class ConnectionLoop: Sendable {
  /// The buffers of all requests.
  let stock = BufferPool()
  private let inbox = LoopInbox()
  private let multi: MultiHandle
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// - Throws: `ProcessError.noThread`, also where libcurl has no memory.
  init(_ settings: TransferSettings) throws(ProcessError) {
    guard vmx_curl_begin() == CURLE_OK, let multi = MultiHandle() else {
      throw .noThread("transfers", .noMemory)
    }
    // Without descriptors libcurl makes a handle that cannot be woken: the end of the engine would
    // wait up to a minute for its thread.
    guard multi.wake() else { throw .noThread("transfers", .tooManyOpenFiles) }
    self.multi = multi
    thread = try WorkerThread.start("transfers") { [inbox] in
      var flow = LoopFlow(multi, settings)
      while true {
        let orders = inbox.take()
        flow.begin(orders.arrived)
        if orders.isStopping { break }
        flow.turn()
      }
      flow.end()
    }
  }

  /// Begins a request; after `stop` it ends at once.
  func submit(_ transfer: HTTPTransfer) {
    if inbox.put(transfer) { wake() } else { transfer.finish(.cancelled) }
  }

  /// Makes the thread look after its exchanges now.
  func wake() {
    multi.wake()
  }

  /// Gives a request up.
  func abandon(_ transfer: HTTPTransfer) {
    transfer.cancel()
    wake()
  }

  /// Ends all requests, then the thread; may be called again.
  func stop() {
    inbox.stop()
    multi.wake()
    thread.join()
  }
}

/// What the loop is told from other threads.
private final class LoopInbox: Sendable {
  struct Orders {
    var arrived: [HTTPTransfer] = []
    var isStopping = false
  }

  private let orders = Mutex(Orders())

  /// Whether it was taken in.
  func put(_ transfer: HTTPTransfer) -> Bool {
    orders.withLock { orders in
      guard !orders.isStopping else { return false }
      orders.arrived.append(transfer)
      return true
    }
  }

  func stop() {
    orders.withLock { $0.isStopping = true }
  }

  func take() -> Orders {
    orders.withLock { orders in
      defer { orders.arrived = [] }
      return orders
    }
  }
}

/// libcurl's multi handle.
// Unchecked: everything but `wake` is called on the loop's thread alone, and curl_multi_wakeup is
// the one call that libcurl allows from others.
final class MultiHandle: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  init?() {
    guard let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
    // With HTTP/2 too each request has a connection of its own: on a shared one a transfer that is
    // paused would hold up the others, and one that is slow or cut would be so for all.
    vmx_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
  }

  deinit {
    curl_multi_cleanup(pointer)
  }

  /// Ends the wait of `curl_multi_poll`; false where this handle cannot be woken.
  @discardableResult
  func wake() -> Bool {
    curl_multi_wakeup(pointer) == CURLM_OK
  }
}
