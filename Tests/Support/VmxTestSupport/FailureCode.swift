package import VmxModel

/// Returns the code of the error that a call throws; nil if it throws none.
package func code<Result>(_ call: () throws -> Result) -> ErrorCode? {
  do {
    _ = try call()
    return nil
  } catch {
    return Failure(error).code
  }
}
