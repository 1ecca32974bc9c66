import BackendWire

/// A Kodi server on the loopback interface for tests, as strict about types as a real one. On
/// request, it shows every misbehaviour that a client may encounter. It is not part of a release.
@main
enum KodiBackend {
  static func main() {
    BackendServer.run("kodi-backend", help: help) { options, _ throws(BackendProblem) in
      KodiService(log: options.log).serve
    }
  }

  private static let help = """
    usage: kodi-backend [--port-file FILE] [--log FILE] [--life SECONDS]

    Serves /jsonrpc of user kodi (password wonder-1) on 127.0.0.1 and prints the port. It logs the
    method of each call. Control requests:
      POST /control/videos         the library: an object a line with 'kind' (episode or movie) and
                                   the properties of Kodi; the ids are counted from 1
      GET  /control/videos         the library as it is
      /control/fault?do=FAULT[&on=METHOD][&times=N]   /control/calm forgets it
    FAULT: fail (500), denied (401), page (a web page), refuse (error -32602), odd (a number as the
      result), many (a total that is too large), endless (the first page again and again), short (two
      videos a page), huge (65 MiB), cut (half of the answer), lose-after and hang-after (does it,
      and never answers)


    """
}
