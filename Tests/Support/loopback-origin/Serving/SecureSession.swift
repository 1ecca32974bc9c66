import COpenSSL
import Glibc

/// The certificate and key that a listener presents.
// Unchecked: an SSL_CTX may be used by several threads once it is set up.
final class SecureIdentity: @unchecked Sendable {
  fileprivate let context: OpaquePointer

  /// Reads PEM files.
  init(certificate: String, key: String, offersStreams: Bool) throws(OriginProblem) {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw OriginProblem("no memory for TLS")
    }
    self.context = context
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
    else { throw OriginProblem("'\(certificate)' and '\(key)' are no certificate and its key") }
    if offersStreams { SSL_CTX_set_alpn_select_cb(context, selectStreams, nil) }
  }

  deinit { SSL_CTX_free(context) }
}

/// TLS on one accepted connection; used by the one thread that serves it.
// Unchecked: no other thread ever sees it.
final class SecureSession: @unchecked Sendable {
  private let session: OpaquePointer

  /// Performs the handshake; returns nil if it fails.
  init?(_ descriptor: Int32, as identity: SecureIdentity) {
    guard let session = SSL_new(identity.context) else { return nil }
    self.session = session
    guard SSL_set_fd(session, descriptor) == 1, SSL_accept(session) == 1 else { return nil }
  }

  deinit { SSL_free(session) }

  /// Sends some bytes; the result is not positive if the peer has closed the connection.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    Int(SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count)))
  }

  /// Receives some bytes; the result is not positive at the end.
  func receive(into piece: inout [UInt8]) -> Int {
    Int(SSL_read(session, &piece, Int32(clamping: piece.count)))
  }

  /// Sends close_notify.
  func close() {
    _ = SSL_shutdown(session)
  }
}

/// Selects HTTP/2 if the client offers it, else HTTP/1.1 (RFC 7301).
private func selectStreams(
  _ session: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  var place = 0
  while let offered, place < count {
    let size = Int(offered[place])
    if size == 2, offered[place + 1] == UInt8(ascii: "h") {
      selected?.pointee = offered + place + 1
      length?.pointee = 2
      return SSL_TLSEXT_ERR_OK
    }
    place += 1 + size
  }
  return SSL_TLSEXT_ERR_NOACK
}
