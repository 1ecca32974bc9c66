import SystemPackage
package import VmxModel
import VmxSystem

extension LibraryHome {
  /// The findings about parental control.
  ///
  /// - Parameter mark: the record in the store that a PIN is set; nil if there is none.
  package func parentalFindings(mark: LockMark?) -> [Finding] {
    var findings: [Finding] = []
    do throws(Failure) {
      if let settings = try ParentalStore.settings(of: self) {
        findings.append(
          .ok(.secrets, "a PIN hides episodes above the age of \(settings.limit)", of: pin.string))
        if settings.reset != nil {
          findings.append(
            .note(
              .secrets,
              "the PIN was set after another PIN's file had been removed without that PIN",
              hint: "run 'vmx lock status --json' for the time"))
        }
      } else if mark?.isEnabled == true {
        findings.append(
          .problem(
            .secrets, .parental, summary: "the file of the PIN was removed without the PIN",
            of: pin.string, hint: "run 'vmx lock set' to set another one"))
      } else {
        findings.append(.ok(.secrets, "no PIN is set"))
      }
    } catch {
      findings.append(.failure(.secrets, error))
    }
    return findings
  }
}

extension LibraryStore {
  /// The record that a PIN is set; nil if there is none, or the store cannot be read.
  package var lockMark: LockMark? {
    do throws(StoreError) {
      return try snapshot().record(.lock, LockMark.id).map { LockMark($0.fields) }
    } catch {
      // Other findings report the fault of the store.
      return nil
    }
  }
}
