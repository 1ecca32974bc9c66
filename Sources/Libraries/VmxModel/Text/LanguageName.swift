/// Languages as file names spell them: BCP 47 tags, ISO 639 codes and English names.
package enum LanguageName {
  /// Returns the BCP 47 tag of a language: `en` for `eng` or `English`, `fr` for `fre`, `pt-BR` for
  /// itself; nil for an unknown word.
  ///
  /// Codes of three letters become those of two letters where these exist (RFC 5646, 2.2.1).
  package static func tag(of word: some StringProtocol) -> String? {
    if let known = tags[word.lowercased()] { return known }
    let primary = word.prefix { $0 != "-" && $0 != "_" }
    guard primary.endIndex != word.endIndex, let language = tags[primary.lowercased()] else {
      return nil
    }
    return LanguageTag.normalised(
      language + word[primary.endIndex...].map { $0 == "_" ? "-" : String($0) }.joined())
  }

  /// Returns the language of a subtitle track from its key, which is spelled as in file names:
  /// `en`, `pt-BR`. Nil for another kind of track, such as `live_chat`.
  ///
  /// Automatic captions end with `-orig`, or with the language that they were translated from.
  package static func tag(ofTrack key: String) -> String? {
    guard let dash = key.lastIndex(of: "-") else { return tag(of: key) }
    let ending = key[key.index(after: dash)...]
    let isOrigin = ending == "orig" || ending.allSatisfy(\.isLowercase) && ending.count < 4
    guard isOrigin, ending == "orig" || tag(of: ending) != nil else {
      return tag(of: key)
    }
    return tag(of: key[..<dash])
  }

  private static let tags: [String: String] = {
    var tags: [String: String] = [:]
    for row in table.split(separator: ",") {
      let words = row.split(whereSeparator: \.isWhitespace)
      for word in words { tags[word.lowercased()] = words.first.map(String.init) }
    }
    return tags
  }()

  /// ISO 639-1 with the codes of ISO 639-2 (T, then B) and an English name of one word; then some
  /// of ISO 639-3, and names for tags with a region or script.
  private static let table = """
    aa aar afar, ab abk abkhazian, ae ave avestan, af afr afrikaans, ak aka akan,
    am amh amharic, an arg aragonese, ar ara arabic, as asm assamese, av ava avaric,
    ay aym aymara, az aze azerbaijani, ba bak bashkir, be bel belarusian, bg bul bulgarian,
    bh bih, bi bis bislama, bm bam bambara, bn ben bengali, bo bod tib tibetan, br bre breton,
    bs bos bosnian, ca cat catalan, ce che chechen, ch cha chamorro, co cos corsican,
    cr cre cree, cs ces cze czech, cu chu, cv chv chuvash, cy cym wel welsh, da dan danish,
    de deu ger german deutsch, dv div divehi, dz dzo dzongkha, ee ewe ewe, el ell gre greek,
    en eng english, eo epo esperanto, es spa spanish, et est estonian, eu eus baq basque,
    fa fas per persian, ff ful fulah, fi fin finnish, fj fij fijian, fo fao faroese,
    fr fra fre french, fy fry frisian, ga gle irish, gd gla gaelic, gl glg galician,
    gn grn guarani, gu guj gujarati, gv glv manx, ha hau hausa, he heb hebrew, hi hin hindi,
    ho hmo, hr hrv croatian, ht hat haitian, hu hun hungarian, hy hye arm armenian,
    hz her herero, ia ina interlingua, id ind indonesian, ie ile interlingue, ig ibo igbo,
    ii iii yi, ik ipk inupiaq, io ido ido, is isl ice icelandic, it ita italian,
    iu iku inuktitut, ja jpn japanese, jv jav javanese, ka kat geo georgian, kg kon kongo,
    ki kik kikuyu, kj kua kuanyama, kk kaz kazakh, kl kal greenlandic, km khm khmer,
    kn kan kannada, ko kor korean, kr kau kanuri, ks kas kashmiri, ku kur kurdish, kv kom komi,
    kw cor cornish, ky kir kyrgyz, la lat latin, lb ltz luxembourgish, lg lug ganda,
    li lim limburgish, ln lin lingala, lo lao lao, lt lit lithuanian, lu lub luba-katanga,
    lv lav latvian, mg mlg malagasy, mh mah marshallese, mi mri mao maori,
    mk mkd mac macedonian, ml mal malayalam, mn mon mongolian, mr mar marathi,
    ms msa may malay, mt mlt maltese, my mya bur burmese, na nau nauru, nb nob bokmål, nd nde,
    ne nep nepali, ng ndo ndonga, nl nld dut dutch, nn nno nynorsk, no nor norwegian, nr nbl,
    nv nav navajo, ny nya chichewa, oc oci occitan, oj oji ojibwa, om orm oromo, or ori oriya,
    os oss ossetian, pa pan punjabi, pi pli pali, pl pol polish, ps pus pashto,
    pt por portuguese, qu que quechua, rm roh romansh, rn run rundi, ro ron rum romanian,
    ru rus russian, rw kin kinyarwanda, sa san sanskrit, sc srd sardinian, sd snd sindhi,
    se sme sami, sg sag sango, si sin sinhala, sk slk slo slovak, sl slv slovenian,
    sm smo samoan, sn sna shona, so som somali, sq sqi alb albanian, sr srp serbian,
    ss ssw swati, st sot sotho, su sun sundanese, sv swe swedish, sw swa swahili, ta tam tamil,
    te tel telugu, tg tgk tajik, th tha thai, ti tir tigrinya, tk tuk turkmen, tl tgl tagalog,
    tn tsn tswana, to ton tongan, tr tur turkish, ts tso tsonga, tt tat tatar, tw twi twi,
    ty tah tahitian, ug uig uyghur, uk ukr ukrainian, ur urd urdu, uz uzb uzbek, ve ven venda,
    vi vie vietnamese, vo vol volapük, wa wln walloon, wo wol wolof, xh xho xhosa,
    yi yid yiddish, yo yor yoruba, za zha zhuang, zh zho chi chinese, zu zul zulu,
    fil filipino, yue cantonese, cmn mandarin, gsw, nds, ast, hsb, dsb, mul, und, zxx,
    pt-BR pob pb brazilian, zh-Hans chs, zh-Hant cht, es-419 spl latino
    """
}
