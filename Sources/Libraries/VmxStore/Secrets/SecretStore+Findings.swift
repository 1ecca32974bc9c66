package import VmxModel

extension SecretStore {
  /// The findings about where secrets are stored and whether they can be read there.
  package var findings: [Finding] {
    do throws(StoreError) {
      let entries = try entries()
      var findings = [placesFinding(entries), newFinding]
      if entries.contains(where: \.isPending) {
        findings.append(
          .problem(
            .secrets, .secretLocked, summary: "a change of a password was interrupted",
            hint: "unlock the keyring, then run 'vmx doctor --mend'", isMendable: true))
      }
      return findings + unread(entries)
    } catch {
      return [.failure(.secrets, error)]
    }
  }

  private func placesFinding(_ entries: [SecretEntry]) -> Finding {
    let settled = entries.filter { !$0.isPending || $0.secret != nil }
    guard !settled.isEmpty else { return .ok(.secrets, "no passwords or tokens are stored") }
    func count(_ location: SecretLocation) -> Int {
      settled.count {
        ($0.isPending ? nil : $0.location) == (location == .file ? nil : location.rawValue)
      }
    }
    let counts: [(Int, String)] = [
      (count(.file), "in the file 'secrets.jsonl'"), (count(.service), "in the Secret Service"),
      (count(.command), "with 'secrets.command'"),
    ]
    let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return .ok(.secrets, "passwords and tokens: \(texts.joined(separator: ", "))")
  }

  private var newFinding: Finding {
    do throws(Failure) {
      let typed = try rule.backend(isTyped: true)?.location
      let others = try rule.backend(isTyped: false)?.location
      return .ok(
        .secrets,
        typed == others
          ? "new ones are stored in: \((typed ?? .file).rawValue)"
          : "new ones are stored in: file; typed ones in: \((typed ?? .file).rawValue)")
    } catch {
      return .failure(.secrets, error)
    }
  }

  /// Reads the secrets that other programs keep. Stops at a failure, which may have taken long;
  /// missing secrets are only counted.
  private func unread(_ entries: [SecretEntry]) -> [Finding] {
    var missing = 0
    for entry in entries where entry.location != nil && !entry.isPending {
      do {
        _ = try get(entry.reference)
      } catch {
        guard case .noSecret = error as? StoreError else { return [.failure(.secrets, error)] }
        missing += 1
      }
    }
    guard missing > 0 else { return [] }
    return [
      .problem(
        .secrets, .secretMissing, summary: "passwords missing from another program: \(missing)",
        hint: "log in again, or add the feed or episode with its complete URL")
    ]
  }
}
