// The only declaration of FoundationEssentials that the installed tools use: ArgumentParser asks an
// error for its description by this protocol. The rest of the module would add 6 MB and 17,000
// relocations to each start; see absent.c for the functions that are not there.

/// The part of the library that ArgumentParser refers to.
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}
