import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxFetching

/// Returns the description of a part for tests of policies.
func subject(
  _ id: String = "t/a", host: String = "192.0.2.1", missing: Int64? = nil
) throws -> PolicySubject {
  var subject = PolicySubject(episode: try EpisodeID(id), part: "video", hosts: [host])
  subject.missing = missing
  return subject
}

/// Returns an environment without a stop request, whose clocks advance only when a test moves them.
func testEnvironment(
  clock: any WallClock = FixedClock(), steps: StepClock = StepClock(),
  variables: [String: String] = [:]
) throws -> FetchEnvironment {
  var environment = FetchEnvironment(
    clock: clock, zone: FixedZone(), variables: variables, interruption: try Interruption())
  environment.monotonicNow = { steps.now }
  return environment
}
