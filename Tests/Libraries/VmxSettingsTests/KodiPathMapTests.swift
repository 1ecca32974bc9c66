import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

struct KodiPathMapTests {
  @Test(arguments: [
    ("", "/srv/media/a/1.mp4", "/srv/media/a/1.mp4"),
    ("/srv/media=smb://nas/media", "/srv/media/a/1.mp4", "smb://nas/media/a/1.mp4"),
    ("/srv/media/=smb://nas/media/", "/srv/media/a/1.mp4", "smb://nas/media/a/1.mp4"),
    ("/srv/media=smb://nas/media", "/srv/mediathek/1.mp4", "/srv/mediathek/1.mp4"),
    ("/srv=/mnt | /srv/media=nfs://nas/m", "/srv/media/1.mp4", "nfs://nas/m/1.mp4"),
    ("/srv=/mnt | /srv/media=nfs://nas/m", "/srv/other/1.mp4", "/mnt/other/1.mp4"),
    (#"/srv/media=\\nas\media"#, "/srv/media/a b/1.mp4", #"\\nas\media\a b\1.mp4"#),
    (#"/srv=M:\"#, "/srv/a/1.mp4", #"M:\a\1.mp4"#),
    ("~/Videos=/storage/videos", "/home/anna/Videos/1.mp4", "/storage/videos/1.mp4"),
    ("/=smb://nas", "/a/1.mp4", "smb://nas/a/1.mp4"),
    ("/a=smb://nas/x=y", "/a/1.mp4", "smb://nas/x=y/1.mp4"),
  ])
  func `the longest folder that contains a file is used`(
    text: String, local: String, remote: String
  ) throws {
    #expect(try KodiPathMap(text, home: "/home/anna").path(of: local) == remote)
  }

  @Test(arguments: ["/srv", "/srv=", "=smb://nas", "srv=smb://nas", "/a=b | c"])
  func `a text that is not a pair is a bad setting`(text: String) {
    #expect(code { try KodiPathMap(text, home: "/home/anna") } == .badSetting)
  }
}
