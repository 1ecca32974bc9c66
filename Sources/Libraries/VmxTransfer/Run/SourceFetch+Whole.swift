import VmxLibrary
import VmxModel

// Some servers refuse ranges, or fail to answer them, while they deliver the whole file. Before a
// source is given up while bytes are held, the whole is requested once. If only ranges fail, the
// bytes of the whole replace the held ones, which are kept aside as for a changed source.
//
// A server that was merely overloaded must not cost the held bytes. A source that has answered a
// range is therefore never asked for the whole. After a failure that may pass, a response of the
// version held is broken off and the range is requested again, twice.
extension SourceFetch {
  /// The number of broken off responses after which only the range can be the reason of failures.
  private static let minBrokenOff = 2

  /// Plans the request of the whole after a failed range, unless it was sent before.
  ///
  /// - Returns: whether it is the next request.
  func requestsWhole(after error: TransferError) -> Bool {
    guard sent.condition != .fullFile, !hasServedRange, error.mayConcernRange else { return false }
    switch wholeRequest {
    case .unsent: return requestWhole(as: error.isTransient ? .probing : .last)
    case .rangeAgain:
      brokenOff += 1
      let isSure = !error.isTransient || brokenOff >= Self.minBrokenOff
      return requestWhole(as: isSure ? .last : .probing)
    case .probing, .last: return false
    }
  }

  /// Plans the request of the whole; returns whether bytes are held.
  func requestWhole(as request: WholeRequest) -> Bool {
    guard part.isResumable, part.completedBytes > 0 else { return false }
    wholeRequest = request
    keepsHeldAside = true
    if request == .last {
      support = .none
      connections.bar()
    } else {
      connections.endAll()
    }
    plans = [.fullFile]
    return true
  }

  /// Whether a response of the whole is broken off because its version is held.
  func breaksOff(_ response: Response, _ plan: RangePlan) -> Bool {
    guard wholeRequest == .probing, plan.condition == .fullFile,
      known.agreement(with: response.head.sourceVersion) == .same
    else { return false }
    wholeRequest = .rangeAgain
    return true
  }
}

extension TransferError {
  /// Whether the server may fail in this way because of the requested range alone.
  fileprivate var mayConcernRange: Bool {
    switch self {
    case .status, .signatureRefused, .reset, .stalled, .cut, .protocolBroken, .rangeBroken,
      .emptyBody, .notMedia, .typeMismatch, .undecodable:
      true
    case .rateLimited(_, _, nil), .busy: true
    default: false
    }
  }
}
