/// The response that serves a file: validators, conditions, ranges, and their faults.
struct FileReply {
  private let request: RequestHead
  private let behaviour: Behaviour
  private let root: String

  init(_ request: RequestHead, _ behaviour: Behaviour, root: String) {
    self.request = request
    self.behaviour = behaviour
    self.root = root
  }

  func reply() -> Reply {
    guard let name = fileName, let first = OpenFile(root + name),
      let file = behaviour.version.second ? OpenFile(root + name + "@2") : first
    else { return .text(404, "no such file") }
    let validators = Validators(of: file, behaviour.version)
    var reply = Reply(status: 200)
    reply.fields = validators.fields
    if let accepts = behaviour.ranges.accepts { reply.fields.append(("Accept-Ranges", accepts)) }
    reply.fields += behaviour.body.fields
    if validators.areKnown(to: request) {
      reply.status = 304
      return reply
    }
    if let (field, digest) = behaviour.body.digest {
      reply.fields.append((field, DigestField.value(field, of: file.content, nil, digest)))
    }
    reply.fields.append(contentType(name))
    reply.content = content(of: file, name: name)
    return RangeReply(request, behaviour, validators).answer(reply)
  }

  /// The file for the request: the path itself, or for a recorded API `PATH@QUERY.json`,
  /// `PATH.json`.
  private var fileName: String? {
    guard let path = safeName else { return nil }
    let halves = request.target.split(separator: "?", maxSplits: 1)
    let query = halves.count == 2 ? PercentCoding.decoded(String(halves[1])) : ""
    let names = [query.contains("/") ? path : "\(path)@\(query).json", path, "\(path).json"]
    return names.first { OpenFile(root + $0) != nil }
  }

  /// The path below the root; nil if it would be outside the root.
  private var safeName: String? {
    let parts = request.path.split(separator: "/")
    guard request.path.hasPrefix("/"), !parts.contains(".."), !request.path.contains("\0") else {
      return nil
    }
    return request.path
  }

  private func content(of file: OpenFile, name: String) -> Content {
    let body = behaviour.body
    if body.isEmpty { return Content("") }
    if body.isPage {
      return Content(
        "<!DOCTYPE html>\n<html><title>Sign in</title><p>Pay for the network.</html>\n")
    }
    var content = file.content
    if let offset = behaviour.version.changeAt, let second = OpenFile(root + name + "@2") {
      content = content.continued(by: second.content, at: offset)
    }
    for offset in body.flipped { content = content.changing(offset..<(offset + 1)) { ~$0 } }
    if let zeroed = body.zeroed { content = content.changing(zeroed) { _ in 0 } }
    return body.coding.map { Content($0.coded(content.bytes(0..<content.size))) } ?? content
  }

  private func contentType(_ name: String) -> (name: String, value: String) {
    if let type = behaviour.body.type { return ("Content-Type", type) }
    let suffix = name.split(separator: ".").last.map(String.init) ?? ""
    let types = [
      "mp4": "video/mp4", "mkv": "video/x-matroska", "webm": "video/webm", "ts": "video/mp2t",
      "srt": "application/x-subrip", "vtt": "text/vtt; charset=utf-8", "jpg": "image/jpeg",
      "png": "image/png", "json": "application/json", "html": "text/html; charset=utf-8",
      "txt": "text/plain; charset=utf-8", "xml": "application/xml",
    ]
    return ("Content-Type", types[suffix] ?? "application/octet-stream")
  }
}
