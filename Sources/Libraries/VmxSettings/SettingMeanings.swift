/// The meanings of the settings.
extension SettingKey {
  /// The meaning, as the first words of the entry of the setting in vmx-config(5).
  package var meaning: String {
    switch self {
    case .networkStore: "Allow the library on a network file system"
    case .lockTimeout: "The maximum time to wait for a lock"
    case .libraryRoot: "The folder that contains the media"
    case .libraryMode:
      "The users besides you who may read new media, their folders, NFO files and images"
    case .libraryReserve: "The number of bytes to keep free on the disk of the media"
    case .libraryNFO:
      "Write an NFO file beside each video, for players that read them, with title, show, "
        + "season, number, date, summary and id"
    case .libraryTemplate: "The folders and the name of new media, relative to the root"
    case .libraryQuota:
      "The maximum size of the files of the library in bytes, including unfinished ones"
    case .trashKeep:
      "The time for which removed files stay in the trash of their root, from which vmx "
        + "undo restores them"
    case .trashQuota:
      "The maximum share of the disk that the trash of a root may use"
    case .trashMakeRoom:
      "Whether vmx fetch deletes removed files from the trash, the oldest first, if a disk "
        + "has too little free space for a part"
    case .fetchJobs: "The number of simultaneous transfers"
    case .maxBytes: "The maximum number of bytes that a run may receive"
    case .maxTime: "The maximum duration of a run"
    case .maxWait: "The longest time for which a fetch waits without --wait"
    case .fetchQuality:
      "Which of several files of a video is fetched, if none was chosen before"
    case .fetchConnections: "The maximum number of connections for one part"
    case .fetchPerHost:
      "The number of episodes that all processes of the library together fetch from one "
        + "host at the same time"
    case .machineJobs:
      "The number of episodes that all processes of the library together fetch at the same "
        + "time, whatever the --jobs of each"
    case .perHost: "The maximum number of connections of one run to one host"
    case .fetchNotify:
      "Notify the desktop how a fetch ended, by notify-send(1), if there is a session"
    case .checksums: "Look for a digest beside the URL of each video"
    case .attempts:
      "The number of attempts without progress before a part has failed"
    case .stallSpeed:
      "The rate in bytes a second below which a transfer stalls, including headers"
    case .stallTime:
      "How long a transfer may stall before it is aborted and retried"
    case .responseTimeout:
      "The maximum time until the first byte of a response, for example from an archive on "
        + "tape, before the request is aborted and retried"
    case .connectTimeout:
      "The maximum time to connect to a server, including name resolution and TLS"
    case .backoff:
      "The first pause between two attempts is a random time up to this"
    case .backoffLimit: "The maximum length of a pause between two attempts"
    case .caFile:
      "A PEM file of certificates to trust instead of those of the system"
    case .proxy:
      "The proxy to use, instead of those in http_proxy, https_proxy and all_proxy"
    case .netrc:
      "Whether user name and password are read from ~/.netrc, or the path of another such "
        + "file"
    case .userAgent: "The value of User-Agent in requests"
    case .httpVersion:
      "The version of HTTP: auto is HTTP/2 if TLS negotiates it, else 1.1"
    case .allowInsecureRedirect: "Follow redirects from https to http"
    case .window: "The times of day at which transfers are allowed"
    case .metered: "Whether the network is metered"
    case .probe: "A command, run by sh(1), that prints yes, no or unknown"
    case .cap:
      "The maximum number of bytes over one network in a month of the local calendar"
    case .rate:
      "The maximum rate of all transfers of a run together, with the calls to other "
        + "services beside them, in bytes a second"
    case .feedInterval:
      "The time between two checks of a feed by vmx feed update, unless the feed has its own"
    case .feedMedia: "Which items of feeds become episodes"
    case .catalogueURL:
      "The URL of TVMaze's API, or of a copy of it, for vmx-search(1) and the other tools "
        + "of the catalogue"
    case .playWatched:
      "The percentage of a video from which on vmx play counts it as watched"
    case .playerCommand:
      "The player of vmx play with its options, as in VMX_PLAYER, which overrides it"
    case .nfoWatched:
      "Record in the NFO files beside the videos whether they were watched (playcount), "
        + "when (lastplayed, in local time), and where to resume (resume), for Kodi and Jellyfin"
    case .licenceGrace:
      "How long the files of an episode are kept after its licence has ended, before vmx "
        + "clean deletes them permanently"
    case .licenceRefresh:
      "Whether vmx fetch without ids reads the status of licences during its transfers"
    case .licenceDevice: "The name of this device for licence providers"
    case .licencePlayPeriod:
      "The URIs, separated by blanks, of rights in licences that specify a period from the "
        + "first play on, such as PT48H"
    case .reportURL: "The URL to which the steps of episodes are reported"
    case .reportShows:
      "The shows whose episodes are reported, as the slugs that begin their ids, separated "
        + "by blanks"
    case .reportOrders: "The orders that its responses may give"
    case .syncWant:
      "Which episodes of a feed that another device has added are wanted, as --want of "
        + "vmx-feed(1)"
    case .syncSecretURLs:
      "Whether vmx sync also sends feeds and videos with a password or token in their URL"
    case .kodiURL:
      "The URL of the Kodi instance with which vmx-mark(1) exchanges marks, as "
        + "http://user:password@host:8080"
    case .kodiPathMap: "The paths that Kodi uses for folders of the library"
    case .lockHelper: "A program that verifies a person instead of the PIN"
    case .lockHelperTimeout:
      "How long the program of lock.helper may run before it is ended and the PIN is "
        + "requested"
    case .secretsStore: "Where new passwords and tokens are stored"
    case .secretsCommand: "A program that stores passwords and tokens"
    case .secretsTimeout:
      "How long the program of secrets.command, or secret-tool, may run before it is killed"
    case .hookReady:
      "A command that is run after vmx fetch has made an episode ready"
    case .hookFailed:
      "A command that is run after an episode has failed, in the same way"
    case .hookTimeout: "How long one hook may run before it is ended"
    case .color: "When output is coloured"
    }
  }
}

extension HostKey {
  /// The meaning, as the first words of the entry of the setting in vmx-config(5).
  package var meaning: String {
    switch self {
    case .budget:
      "The number of requests that all processes of the library together may make in a "
        + "period, such as 20/10s"
    case .caFile: "As network.ca-file"
    case .cookies:
      "The path of a cookie file in Netscape format, as browsers' add-ons and curl write it"
    case .header: "A header to send, as Name: value"
    case .httpVersion: "As network.http-version"
    case .netrc: "As network.netrc"
    case .proxy: "As network.proxy"
    case .userAgent: "As network.user-agent"
    }
  }
}
