package import VmxModel

/// The code that a call fails with; nil if it does not.
package func code<Result>(_ call: () throws -> Result) -> ErrorCode? {
  do {
    _ = try call()
    return nil
  } catch {
    return Failure(error).code
  }
}
