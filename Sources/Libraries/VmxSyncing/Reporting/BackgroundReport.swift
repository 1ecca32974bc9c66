import VmxModel
package import VmxSystem

extension ReportDelivery {
  /// Starts a background task that sends events while other work runs, and the remaining events at
  /// its end. Unsent events stay recorded.
  ///
  /// - Returns: the task. Its output is the sum of all deliveries; its failure is a store error.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package func startInBackground() throws(ProcessError) -> SideTask<Outcome> {
    try SideTask("vmx-report", of: Outcome()) { task in
      task.runRepeatedly {
        deliver(task)
        return true
      }
    }
  }

  private func deliver(_ task: SideTask<Outcome>.Control) {
    do {
      let outcome = try deliver(while: { task.canStartRequest })
      task.update { sum in
        sum.delivered += outcome.delivered
        sum.pending = outcome.pending
        // The failure of a delivery during the back-off is already known.
        if outcome.failure?.code != .reportWaits { sum.failure = outcome.failure }
      }
      task.fail(nil)
    } catch {
      task.fail(error.isInterruption ? nil : Failure(error))
    }
  }
}
