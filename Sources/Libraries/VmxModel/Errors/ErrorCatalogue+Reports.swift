extension ErrorCode {
  var reportEntry: Entry {
    switch self {
    case .reportWaits:
      Entry(
        .tryLater, .later, "the backend failed or asked to wait, and vmx retries later",
        "run 'vmx report' later; the events stay recorded, and 'vmx fetch' sends them too")
    case .reportRefused:
      Entry(
        .dataError, .never, "the backend permanently refused an event",
        "ask the provider for the reason; the event is dropped, and the others are sent")
    case .reportFailed:
      Entry(
        .unavailable, .later, "the backend did not accept the events",
        "run 'vmx report' later; the events stay recorded, and 'vmx fetch' sends them too")
    default:
      Entry(
        .notPermitted, .never, "an order of the backend was refused",
        "set 'report.orders' to the orders that the backend may give")
    }
  }
}
