import Glibc
import SystemPackage
import VmxModel
import VmxSystem

@testable import VmxTransfer

/// A server that answers one request with given bytes, for responses that the origin does not make.
final class RawServer: Sendable {
  private let listener: Int32
  private let url: RequestURL

  /// Starts a server for one request.
  init(_ response: String) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound, let url = RequestURL("http://127.0.0.1:\(address.sin_port.byteSwapped)/a") else {
      throw Errno(rawValue: errno)
    }
    self.listener = listener
    self.url = url
    _ = try WorkerThread.start("raw-server") {
      let connection = accept(listener, nil, nil)
      var request = [UInt8](repeating: 0, count: 4096)
      _ = recv(connection, &request, request.count, 0)
      _ = send(connection, response, response.utf8.count, Int32(MSG_NOSIGNAL))
      shutdown(connection, Int32(SHUT_WR))
      // Reads until the client closes, so that no reset overtakes the response.
      while recv(connection, &request, request.count, 0) > 0 {}
      close(connection)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Sends a request and returns the complete head of its response.
  func head() throws -> ResponseHead {
    let (transfer, _) = try finished(headerLimit: 65_536)
    guard let head = transfer.head else { throw Failure(.internalError, "no head") }
    return head
  }

  /// Sends a request and returns its end.
  func end(headerLimit: Int = 65_536) throws -> RequestEnd {
    try finished(headerLimit: headerLimit).1
  }

  private func finished(headerLimit: Int) throws -> (HTTPTransfer, RequestEnd) {
    let loop = try ConnectionLoop(TransferSettings())
    defer { loop.stop() }
    let counter = ChangeSignal()
    let transfer = HTTPTransfer(.get(url), headerLimit: headerLimit, changes: counter)
    loop.submit(transfer)
    while true {
      let seen = counter.count
      while let event = transfer.nextEvent(partly: true) {
        if case .end(let end) = event { return (transfer, end) }
      }
      guard counter.wait(since: seen, milliseconds: 10_000) else {
        throw Failure(.internalError, "no answer")
      }
    }
  }
}

extension CurlRequest {
  /// Returns a GET of a URL at any address.
  static func get(_ url: RequestURL) -> CurlRequest {
    CurlRequest(TransferSource(url: url.text).request, to: url)
  }
}
