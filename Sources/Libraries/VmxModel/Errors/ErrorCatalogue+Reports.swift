extension ErrorCode {
  var reportEntry: Entry {
    switch self {
    case .reportWaits:
      Entry(
        .tryLater, .later, "the backend failed or asked to wait, and is asked again later",
        "the events stay recorded; the next 'vmx fetch' or 'vmx report' tells them")
    case .reportRefused:
      Entry(
        .dataError, .never, "the backend refuses an event for good",
        "the event is dropped and the others are told; ask the provider why")
    case .reportFailed:
      Entry(
        .unavailable, .later, "the backend did not take the events",
        "they stay recorded; the next 'vmx fetch' or 'vmx report' tells them")
    default:
      Entry(
        .notPermitted, .never, "an order of the backend is not carried out",
        "'report.orders' in the settings names what it may order")
    }
  }
}
