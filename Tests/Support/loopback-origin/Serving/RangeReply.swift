/// Converts the response for a whole file to the response for a range.
struct RangeReply {
  private let request: RequestHead
  private let behaviour: Behaviour
  private let validators: Validators

  init(_ request: RequestHead, _ behaviour: Behaviour, _ validators: Validators) {
    self.request = request
    self.behaviour = behaviour
    self.validators = validators
  }

  func answer(_ whole: Reply) -> Reply {
    var reply = whole
    reply.range = 0..<whole.content.size
    if let coding = behaviour.body.coding?.name ?? behaviour.body.claimedCoding {
      reply.fields.append(("Content-Encoding", coding))
      if behaviour.body.coding != nil { return reply }
    }
    switch asked(of: whole.content.size) {
    case .whole: return reply
    case .bytes(let range): return partial(reply, range)
    case .unsatisfiable:
      var refusal = Reply.text(416, "nothing there")
      refusal.fields += validators.fields
      refusal.fields.append(("Content-Range", "bytes */\(whole.content.size)"))
      return refusal
    }
  }

  private func asked(of size: Int64) -> RangeRequest {
    let faults = behaviour.ranges
    if request["range"] == nil, faults.isUnasked { return .bytes(0..<size) }
    guard let field = request["range"], faults.ignored != .range, !behaviour.body.isPage else {
      return .whole
    }
    if faults.refused { return .unsatisfiable }
    guard faults.ignored == .ifRange || validators.allowRange(for: request) else { return .whole }
    return RangeRequest(field, size: size)
  }

  private func partial(_ whole: Reply, _ asked: Range<Int64>) -> Reply {
    let faults = behaviour.ranges
    let size = whole.content.size
    let start = min(max(0, asked.lowerBound + faults.shift), size)
    let told = start..<max(start, asked.upperBound - max(0, faults.missing))
    let from = min(max(0, told.lowerBound + faults.hiddenShift), size)
    var reply = whole
    reply.status = faults.isDisguised ? 200 : 206
    reply.range = from..<min(size, from + Int64(told.count))
    let total = faults.unknownTotal ? "*" : "\(size + faults.totalError)"
    let usual = "bytes \(told.lowerBound)-\(told.upperBound - 1)/\(total)"
    if faults.multipart { return multipart(reply, usual) }
    let field = faults.contentRange ?? usual
    if !field.isEmpty { reply.fields.append(("Content-Range", field)) }
    if let digest = behaviour.body.contentDigest {
      let value = DigestField.value("Content-Digest", of: reply.content, reply.range, digest)
      reply.fields.append(("Content-Digest", value))
    }
    return reply
  }

  private func multipart(_ single: Reply, _ contentRange: String) -> Reply {
    var reply = single
    let mark = "the-boundary"
    let head = "\r\n--\(mark)\r\nContent-Type: video/mp4\r\nContent-Range: \(contentRange)\r\n\r\n"
    if let field = behaviour.ranges.contentRange {
      reply.fields.append(("Content-Range", field.isEmpty ? contentRange : field))
    }
    let bytes = Array(head.utf8) + single.content.bytes(single.range) + "\r\n--\(mark)--\r\n".utf8
    reply.content = Content(bytes)
    reply.range = 0..<reply.content.size
    reply.fields.removeAll { $0.name == "Content-Type" }
    reply.fields.append(("Content-Type", "multipart/byteranges; boundary=\(mark)"))
    return reply
  }
}
