import Glibc
import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct CurlFailureTests {
  private func error(_ code: UInt32, errno: Int32 = 0, hasHead: Bool = false) -> TransferError {
    CurlFailure(code: code, errno: errno, message: "")
      .error("u", hasHead: hasHead, held: (0, nil))
  }

  // The numbers are libcurl's codes, as fixed in its manual.
  @Test(arguments: [
    (1, ErrorCode.protocolBroken, true), (3, .sourceUnsupported, false),
    (5, .hostUnreachable, true), (6, .hostUnreachable, true), (7, .hostUnreachable, true),
    (8, .protocolBroken, true), (16, .netReset, true), (18, .bodyCut, true),
    (28, .hostUnreachable, true), (35, .tlsFailed, true), (52, .netReset, true),
    (55, .netReset, true), (56, .netReset, true), (60, .tlsFailed, false),
    (61, .encodedBody, true), (77, .tlsFailed, false), (92, .netReset, true),
  ])
  func `each failure of libcurl has its code`(_ code: UInt32, _ expected: ErrorCode, _ passes: Bool)
  {
    #expect(error(code).code == expected)
    #expect(error(code).isTransient == passes)
  }

  @Test func `only a missing route is offline`() {
    #expect(error(7, errno: ENETUNREACH).code == .offline)
    #expect(error(7, errno: ECONNREFUSED).code == .hostUnreachable)
  }
}
