import Testing
import VmxModel

struct LanguageTagTests {
  @Test(arguments: [
    ("en", "en"), ("EN", "en"), ("pt-br", "pt-BR"), ("zh-hans-cn", "zh-Hans-CN"), ("ces", "ces"),
    ("es-419", "es-419"), ("sl-rozaj", "sl-rozaj"), ("en-x-AB-test", "en-x-ab-test"),
  ])
  func `a tag is written in its usual form`(text: String, tag: String) {
    #expect(LanguageTag.normalised(text) == tag)
  }

  @Test(arguments: [
    "", "e", "1n", "en_US", "en-", "-en", "en/../x", "englishlanguage", "é", "en.forced",
    "aa-bb-cc-dd-ee-ff-gg-hh-ii-jj-kk-ll-mm",
  ])
  func `a text of another form is not a tag`(text: String) {
    #expect(LanguageTag.normalised(text) == nil)
  }
}
