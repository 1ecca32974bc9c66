package import VmxDigest
package import VmxModel

/// A violation of the rules of a bag, as words after the path of a file.
package enum BagFault: String, Sendable, CaseIterable {
  case noDeclaration = "is missing, so this is not a bag"
  case invalidDeclaration = "is not a valid bag declaration"
  case unknownVersion = "declares an unsupported version of BagIt"
  case unknownEncoding = "declares an unsupported text encoding"
  case invalidText = "is not text in the declared encoding"
  case malformedLine = "has a malformed line"
  case noManifest = "is in no manifest that vmx can verify: there is none"
  case unknownAlgorithm = "is a manifest of an unsupported algorithm"
  case unsafePath = "names a path that leads out of the bag or its payload"
  case listedTwice = "lists a file twice"
  case missing = "is listed but missing"
  case unlisted = "is not listed in every manifest"
  case digestMismatch = "differs from its listed digest"
  case sizeMismatch = "differs from its declared size"
  case oxumMismatch = "declares a wrong number of files or bytes"
  case binaryMark = "has the mark of md5sum before a path"
  case dottedPath = "has '.' in a path"
  case duplicate = "differs from another name only by case or Unicode form"
  case systemFile = "is listed but missing; it is a file of a desktop environment"
}

/// A finding in the check of a bag.
package struct BagFinding: Sendable, Equatable {
  /// The severity of a finding.
  package enum Severity: String, Sendable {
    case warning, error
  }

  /// The violated rule.
  package let fault: BagFault
  /// The severity; an error makes the bag invalid.
  package let severity: Severity
  /// The path of the file in the bag.
  package let path: PathBytes
  /// The line of a tag file, counted from 1.
  package let line: Int?

  /// The finding as a sentence without a full stop. The path is untrusted input.
  package var summary: String {
    "'\(path.escaped)' \(fault.rawValue)" + (line.map { " (line \($0))" } ?? "")
  }
}

/// The result of the check of a bag.
package struct BagVerdict: Sendable {
  /// The declaration; nil if it is missing or malformed.
  package let declaration: BagDeclaration?
  /// The labels of `bag-info.txt`; empty without the file.
  package let info: BagInfo
  /// Errors and warnings in the order of the check, at most 1,000 of each.
  package let findings: [BagFinding]
  /// The listed payload files that are not in the bag, but in `fetch.txt`. They make the bag
  /// incomplete, which is neither an error nor a warning.
  package let absent: [BagFetchLine]
  /// The files whose listed digests could not be compared, with the algorithms to compute.
  package let unverified: [PathBytes: Set<ManifestAlgorithm>]

  /// The findings that make the bag invalid.
  package var errors: [BagFinding] { findings.filter { $0.severity == .error } }

  /// The failure `bundle-invalid` with the first error and the number of others; nil for a bag
  /// without errors.
  package var failure: Failure? {
    let errors = errors
    guard let first = errors.first else { return nil }
    let more = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
    return Failure(.bundleInvalid, first.summary + more)
  }
}
