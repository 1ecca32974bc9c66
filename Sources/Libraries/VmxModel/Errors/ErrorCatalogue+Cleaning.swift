extension ErrorCode {
  /// The catalogue entries of codes that `vmx clean` reports.
  var cleaningEntry: Entry {
    switch self {
    case .planChanged:
      Entry(
        .dataError, .never, "a step of a plan no longer fits what is there",
        "run 'vmx clean --plan' again")
    default:
      Entry(
        .success, .never, "no record, sidecar or digest says what a file is",
        "'vmx add FILE' takes it into the library, 'vmx clean --foreign' moves it to the trash")
    }
  }
}
