extension TimerUnits {
  /// The units that fetch wanted episodes in the background.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-fetch`.
  ///   - environment: the environment variables of the installing process.
  package static func fetching(program: String, environment: [String: String]) -> TimerUnits {
    TimerUnits(
      "vmx-fetch", by: "vmx queue --install-timer", (program, "--due --quiet"),
      environment: environment,
      descriptions: (
        "Fetch what the vmx library wants", "Fetch what the vmx library wants, each hour"
      ),
      pages: "man:vmx-queue(1) man:vmx-fetch(1)", service: ["SuccessExitStatus=75"],
      timer: [
        "OnStartupSec=2min", "OnCalendar=hourly", "RandomizedDelaySec=5min", "Persistent=true",
      ])
  }

  /// The units that run `vmx clean --login` soon after a login, and once a day.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-clean`.
  ///   - environment: the environment variables of the installing process.
  package static func cleaning(program: String, environment: [String: String]) -> TimerUnits {
    TimerUnits(
      "vmx-clean", by: "vmx clean --install-login", (program, "--login"),
      environment: environment,
      descriptions: ("Tidy the vmx library", "Tidy the vmx library at login and once a day"),
      pages: "man:vmx-clean(1)", service: ["TimeoutStartSec=1min"],
      timer: [
        "OnStartupSec=1min", "OnCalendar=daily", "RandomizedDelaySec=10min", "Persistent=true",
      ])
  }
}
