import BackendWire
import VmxModel

/// A licence backend on the loopback interface for tests. It follows the rules of Readium (licence
/// document and License Status Document 1.0) strictly. On request, it shows every misbehaviour that
/// a client may encounter. It is not part of a release.
///
/// Requests below `/control` issue licences and set faults, so that a scenario can change them
/// while a client runs. Each request is logged as one JSON line, and each effect is counted.
@main
enum Backend {
  static func main() {
    BackendServer.run("licence-backend", help: help) { options, port throws(BackendProblem) in
      Service(LicenceRegister(port: port), log: try RequestLog(options.log)).serve
    }
  }

  private static let help = """
    usage: licence-backend [--port-file FILE] [--log FILE] [--life SECONDS]

    Serves licences on 127.0.0.1 and prints the port. Control requests, by any method:
      /control/issue?id=ID[&start=TIME][&end=TIME][&limit=TIME][&after-register=SECONDS]
                    [&period=PT48H][&publication=URL][&length=N][&hash=BASE64]
          issues a licence that is ready; limit is the latest end of a renewal, and after-register
          the seconds that are left from the registration on
      /control/status?id=ID&to=STATUS[&message=TEXT]   changes the status, as a provider does
      /control/extend?id=ID&end=TIME                   changes the end
      /control/page?id=ID                              links a page on which a person renews
      /control/fault?on=CALL&do=FAULT[&times=N]        CALL: status, license, register, return, renew,
                                                       events
      /control/calm                                    forgets all faults
      /control/events                                  prints the events told to /events, and counts
      /control/order?do=ORDER&id=ID[&until=TIME]       gives an order with the next answer there
      /control/effects?id=ID                           counts of registered, returned and renewed
    TIME is RFC 3339, or seconds from now with a sign: +3600, -60.
    FAULT: lose (does it, answers nothing), hang (does nothing, never answers), hang-after (does it,
      never answers), fail (503), gone (404), page (a web page), malformed, huge, deep, twice (a key
      twice), no-type (a refusal without a type), refuse (a refusal), other-id, old (an older licence),
      evil-links, downloads (a refusal with 'resets'), clock:SECONDS (a wrong Date),
      wait (429), spoil:EVENT (refuses messages with such an event)


    """
}
