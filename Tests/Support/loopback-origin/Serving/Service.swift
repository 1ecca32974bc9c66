import Glibc

/// The state that all connections share.
struct Service: Sendable {
  let root: String
  let plan: FaultPlan
  let log: RequestLog
  let places: Places
  let state = ServiceState()

  /// Responds to one request according to the rules, and logs it.
  func answer(_ request: RequestHead?, on wire: Wire, _ visit: Visit) -> ConnectionEnd {
    guard let request else {
      _ = wire.send(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
      return .finish
    }
    do {
      let behaviour = try plan.behaviour(for: request, state: state, places: places)
      return answer(request, behaviour, on: wire, visit)
    } catch {
      let delivery = Delivery(wire, request, Behaviour(), log: log, visit: visit)
      return delivery.send(.text(500, error.text), early: false, state: state)
    }
  }

  private func answer(
    _ request: RequestHead, _ behaviour: Behaviour, on wire: Wire, _ visit: Visit
  ) -> ConnectionEnd {
    let delivery = Delivery(wire, request, behaviour, log: log, visit: visit)
    if let drop = behaviour.opening.drop { return delivery.drop(drop) }
    if let limit = behaviour.gate.limit {
      // A client that has received the last byte may send its next request before this process has
      // counted the end of the previous response.
      var isIn = state.enter(limit)
      for _ in 0..<50 where !isIn {
        usleep(2000)
        isIn = state.enter(limit)
      }
      guard isIn else {
        guard limit.status > 0 else { return delivery.drop(.reset) }
        var refusal = Reply.text(Int(limit.status), "too many connections")
        if let text = behaviour.gate.retryAfter { refusal.fields.append(("Retry-After", text)) }
        return delivery.send(refusal, early: false, state: state)
      }
    }
    defer { if let limit = behaviour.gate.limit { state.leave(limit) } }
    if let budget = behaviour.gate.budget, !state.spend(budget) {
      return delivery.send(
        .text(Int(budget.status), "too many requests"), early: false, state: state)
    }
    let welcome = behaviour.gate.patience.map { state.welcome($0) } ?? .served
    var refusal = Gatekeeper(request, behaviour.gate, state: state).reply(welcome)
    refusal?.fields += behaviour.body.fields
    let reply =
      refusal
      ?? FileReply(request, behaviour, root: root).reply()
    return delivery.send(reply, early: welcome == .early, state: state)
  }
}
