"""listtexts.py: the names and labels of tool/detect/lists.py, which no table was made with.

Names of places, languages and subdivisions in the CLDR; translations of small programs; names and
addresses of PyPI's Faker; all into build/detection/. Nothing of it is committed. The packages are
neither those of corpus.py nor those of unseen.py.

The lists of iso-codes are an exception: the trainer has read them. Only the case `lists` uses them,
and counts them apart.
"""

import functools
import glob
import hashlib
import json
import os
import re
import unicodedata
import xml.etree.ElementTree

import peers  # also adds the folder of the tools to the path
import generated
import texts
import unseen
from debiantext import read_mo, unpack

WORK = peers.WORK
LABELS = ["marble-data", "khangman", "kwordquiz", "kturtle", "parley-data", "tellico-data", "gpodder",
          "xkb-data", "gnome-clocks"]
PACKAGES = LABELS + ["libgweather-4-common", "unicode-cldr-core", "iso-codes"]
FAKER = "faker==40.54.0"
ISO = ["iso_3166-1", "iso_3166-2", "iso_639-2", "iso_639-3"]
FAKER_MAX, NAMES_MAX, LABEL_MAX = 5000, 2000, 40  # values of a kind; names in kana; characters of a label

# Language: its names in .mo files, its name in the CLDR, its locales of Faker.
LANGUAGES = {
    "af": ("af", "af", ""), "ar": ("ar", "ar", "ar_AA ar_SA"), "be": ("be", "be", ""),
    "bg": ("bg", "bg", "bg_BG"), "bs": ("bs", "bs", ""), "ca": ("ca", "ca", "es_CA"),
    "cs": ("cs", "cs", "cs_CZ"), "cy": ("cy", "cy", ""), "da": ("da", "da", "da_DK"),
    "de": ("de", "de", "de_DE de_AT"), "el": ("el", "el", "el_GR"), "en": ("en_GB", "en", "en_GB"),
    "eo": ("eo", "eo", ""), "es": ("es", "es", "es_ES es_MX"), "et": ("et", "et", "et_EE"),
    "eu": ("eu", "eu", ""), "fa": ("fa", "fa", "fa_IR"), "fi": ("fi", "fi", "fi_FI"),
    "fr": ("fr", "fr", "fr_FR fr_CA"), "ga": ("ga", "ga", "ga_IE"), "gl": ("gl", "gl", ""),
    "he": ("he", "he", "he_IL"), "hr": ("hr", "hr", "hr_HR"), "hu": ("hu", "hu", "hu_HU"),
    "is": ("is", "is", "is_IS"), "it": ("it", "it", "it_IT"), "ja": ("ja", "ja", "ja_JP"),
    "ko": ("ko", "ko", "ko_KR"), "lt": ("lt", "lt", "lt_LT"), "lv": ("lv", "lv", "lv_LV"),
    "mk": ("mk", "mk", "mk_MK"), "mt": ("mt", "mt", ""), "nl": ("nl", "nl", "nl_NL nl_BE"),
    "no": ("nb nn", "no", "no_NO"), "pl": ("pl", "pl", "pl_PL"), "pt": ("pt pt_BR", "pt", "pt_BR pt_PT"),
    "ro": ("ro", "ro", "ro_RO"), "ru": ("ru", "ru", "ru_RU"), "sk": ("sk", "sk", "sk_SK"),
    "sl": ("sl", "sl", "sl_SI"), "sq": ("sq", "sq", ""), "sr": ("sr", "sr", ""),
    "sv": ("sv", "sv", "sv_SE"), "th": ("th", "th", "th_TH"), "tr": ("tr", "tr", "tr_TR"),
    "uk": ("uk", "uk", "uk_UA"), "vi": ("vi", "vi", "vi_VN"), "zh_CN": ("zh_CN", "zh", "zh_CN"),
    "zh_TW": ("zh_TW", "zh_Hant", "zh_TW"),
}

CLDR = "x/unicode-cldr-core/usr/share/unicode/cldr/common"


def fetch():
    """Downloads and unpacks the packages, once."""
    unpack(PACKAGES, WORK)
    generated.install(os.path.join(WORK, "faker"), FAKER)


# ---- readers: each yields texts --------------------------------------------------------------------

def of_cldr(path, *tags):
    """The texts of the elements with one of the tags."""
    path = os.path.join(WORK, CLDR, path)
    if not os.path.exists(path):
        return
    for element in xml.etree.ElementTree.parse(path).iter():
        if element.tag in tags and element.text and element.text != "↑↑↑":
            yield element.text


def of_mo(pattern, names):
    for name in names.split():
        for path in sorted(glob.glob(os.path.join(WORK, pattern.format(name)), recursive=True)):
            for block in read_mo(path):
                yield from block.decode("utf-8", "replace").split("\n")


def of_faker(locales, *kinds):
    """FAKER_MAX values in turn from the locales and from the kinds that they have."""
    if not locales:
        return
    from faker import Faker
    makers = []
    for locale in locales.split():
        fake = Faker(locale)
        fake.seed_instance(texts.SEED)
        makers += [getattr(fake, kind) for kind in kinds if hasattr(fake, kind)]
    for i in range(FAKER_MAX if makers else 0):
        yield makers[i % len(makers)]()


def half_width_names():
    """The names of Faker's people of Japan in half-width katakana, NAMES_MAX different ones."""
    from faker import Faker
    half = {unicodedata.normalize("NFKC", letter): letter for letter in map(chr, range(0xFF61, 0xFFA0))}
    fake, names = Faker("ja_JP"), {}
    fake.seed_instance(texts.SEED)
    while len(names) < NAMES_MAX:
        name = unicodedata.normalize("NFD", fake.kana_name())
        names["".join(half.get(letter, letter) for letter in name)] = True
    return list(names)


# ---- texts -----------------------------------------------------------------------------------------

# Placeholders and addresses; footnotes of the CLDR.
NOT_LABEL = re.compile(r"[%{}@=\\|]|\$\(|://|[²³]$")


def cleaned(found, length_max=60):
    """The distinct texts without markup and marks of shortcuts that are short enough, in order."""
    result = {}
    for text in found:
        text = re.sub(r"\s+", " ", unseen.NOISE.sub("", text)).strip()
        if 2 <= len(text) <= length_max and not unseen.DAMAGED.search(text) and not NOT_LABEL.search(text):
            result[text] = True
    return list(result)


def kinds_of(language):
    """The texts of the language by kind; the lists of iso-codes start with `iso`."""
    mo, cldr, locales = LANGUAGES[language]
    gweather = of_mo("x/libgweather-4-common/**/locale/{}/LC_MESSAGES/*locations.mo", mo)
    labels = [text for name in LABELS for text in of_mo(f"x/{name}/**/locale/{{}}/LC_MESSAGES/*.mo", mo)]
    found = {
        "places": cleaned([*gweather, *of_cldr(f"main/{cldr}.xml", "exemplarCity")]),
        "countries": cleaned(of_cldr(f"main/{cldr}.xml", "territory")),
        "languages": cleaned(of_cldr(f"main/{cldr}.xml", "language")),
        "subdivisions": cleaned(of_cldr(f"subdivisions/{cldr}.xml", "subdivision")),
        "labels": cleaned(labels, LABEL_MAX),
        "people": cleaned(of_faker(locales, "name")),
        "cities": cleaned(of_faker(locales, "city")),
        "addresses": cleaned(of_faker(locales, "street_address", "company")),
    }
    for name in ISO:
        found[name] = cleaned(of_mo(f"x/iso-codes/**/locale/{{}}/LC_MESSAGES/{name}.mo", mo))
    return found


def cache():
    """A folder whose name changes with this file."""
    with open(__file__, "rb") as file:
        return os.path.join(WORK, "lists." + hashlib.md5(file.read()).hexdigest()[:8])


@functools.lru_cache(maxsize=None)
def texts_of(language):
    """{kind: texts} of the language. The kinds that have fewer than 20 texts are left out."""
    path = os.path.join(cache(), language + ".json")
    if not os.path.exists(path):
        os.makedirs(cache(), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(kinds_of(language), file, ensure_ascii=False)
        os.rename(path + ".new", path)
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    return {kind: some for kind, some in found.items() if len(some) >= 20}
