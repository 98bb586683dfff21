"""The material of the demo graph's names: syllables and word lists of our own.

Names of people, places and firms are put together from syllables that belong to no language; wards, incidents, agreements
and trainings are named with everyday words. Nothing here comes from a list of real names.
"""

from __future__ import annotations

GIVEN_STARTS = (
    "Jorv", "Tzah", "Quenn", "Vexil", "Ombr", "Yskel", "Draev", "Filv", "Huxm", "Kelph", "Lurr", "Nyxt",
    "Pelqu", "Rhovd", "Shurv", "Thripp", "Ulvem", "Wozz", "Xanth", "Zulb", "Brivv", "Ekkon", "Gwoll", "Isqu",
)  # fmt: skip
GIVEN_ENDS = ("ane", "ick", "olde", "uvia", "ith", "ossal", "emund", "aunce", "ilune", "ovar")
FAMILY_STARTS = (
    "Brask", "Dunv", "Ferrl", "Gwolt", "Haspr", "Jund", "Krend", "Lomqu", "Mevr", "Noltz", "Prax", "Quorr",
    "Rundv", "Skorl", "Tharg", "Umbl", "Vask", "Wintz", "Xolv", "Yedr", "Zimpf", "Arqu", "Cobbl", "Esk",
    "Ildr", "Ostw", "Pfenn", "Trobl", "Snivv", "Blorn",
)  # fmt: skip
FAMILY_ENDS = (
    "avelt", "ozzim", "ubreth", "idrop", "okkar", "umvale", "eshk", "orvint", "axley", "upple", "enquist", "arrough",
    "imber", "oldrake", "uddic", "embry",
)  # fmt: skip
PLACE_STARTS = (
    "Ulg", "Zenn", "Orq", "Wexl", "Yarb", "Thoss", "Kvil", "Bromb", "Nurl", "Ezz", "Ghast", "Pliv", "Immur", "Dozz",
)  # fmt: skip
PLACE_ENDS = ("rathe", "imund", "ovesk", "addle", "emmoor", "uvane", "ockle", "iffen", "urrin", "ystall")
SITE_KINDS = ("Infirmary", "House", "Court", "Clinic", "Pavilion", "Lodge")
FIRM_STARTS = (
    "Velq", "Hopl", "Brimz", "Tessv", "Corvl", "Dynz", "Aurq", "Felp", "Grintz", "Mirv", "Noxl", "Ploff", "Rastv",
    "Symq", "Wendl", "Zorb",
)  # fmt: skip
FIRM_ENDS = ("atrix", "oria", "edic", "umed", "anta", "ikon", "ovex", "elle", "usol", "ampt")
FIRM_KINDS = ("Instruments", "Supplies", "Works", "Partners", "Technik", "Labs")
LANGUAGES = (
    "Vorishke",
    "Tallunian",
    "Quemmic",
    "Old Zennish",
    "Upper Drovic",
    "Hespal",
    "Mirrovan",
    "Jubric",
    "Sarlsign",
)

WARD_NOUNS = (
    "Heron", "Larch", "Lantern", "Copper", "Thistle", "Otter", "Harbour", "Juniper", "Meadow", "Plover", "Quarry",
    "Rowan", "Saffron", "Tansy", "Umber", "Willow", "Bramble", "Cobalt", "Dipper", "Ember", "Foxglove", "Granite",
    "Hazel", "Indigo", "Kestrel", "Linden", "Marigold", "Nettle", "Orchard", "Pebble", "Ripple", "Sorrel", "Teasel",
    "Violet", "Wren", "Yarrow", "Aspen", "Birch", "Clover", "Drift",
)  # fmt: skip
WARD_KINDS = ("Ward", "Unit", "Bay", "Wing")
ADJECTIVES = (
    "Amber", "Silent", "Crooked", "Early", "Frosted", "Gentle", "Hollow", "Idle", "Jagged", "Keen", "Late", "Muddy",
    "Narrow", "Open", "Plain", "Quick", "Restless", "Slow", "Tangled", "Upper", "Velvet", "Windy", "Yellow", "Blunt",
)  # fmt: skip
EVENT_NOUNS = (
    "Tuesday", "Lift", "Kettle", "Corridor", "Trolley", "Siren", "Staircase", "Window", "Handover", "Shower",
    "Doorbell", "Cupboard", "Ladder", "Monday", "Drawer", "Lamp",
)  # fmt: skip
AGREEMENT_NOUNS = (
    "Acorn", "Basin", "Candle", "Dune", "Elm", "Feather", "Gravel", "Hedge", "Inlet", "Jetty", "Knot", "Ledge",
    "Moss", "Needle", "Oar", "Pine", "Reed", "Shell", "Thorn", "Vale",
)  # fmt: skip
LESSON_STARTS = (
    "Safe", "Calm", "First", "Clear", "Steady", "Better", "Shared", "Honest", "Swift", "Kind", "Clean", "Careful",
)  # fmt: skip
LESSON_NOUNS = (
    "Lifting", "Handovers", "Listening", "Dosing", "Charting", "Rounds", "Airways", "Dressings", "Farewells",
    "Briefings", "Hygiene", "Triage",
)  # fmt: skip

ROLES_OF_PHYSICIANS = ("Consultant", "Registrar", "Night Physician", "House Officer")
ROLES_OF_NURSES = ("Charge Nurse", "Staff Nurse", "Night Nurse", "Practice Educator")
ROLES_OF_OTHERS = ("Physiotherapist", "Ward Clerk", "Porter", "Pharmacist", "Dietitian")
CHARGE_NURSE = "Charge Nurse"

SPECIALTIES = (
    "Cardiology", "Neurology", "Paediatrics", "Geriatrics", "Oncology", "Orthopaedics", "Dermatology",
    "Intensive Care", "Rehabilitation", "Nephrology", "Haematology", "Ophthalmology", "Pain Medicine",
    "Sleep Medicine",
)  # fmt: skip

DEVICE_KINDS = {
    "Infusion Pump": "machines that feed drugs into a vein",
    "Ventilator": "machines that breathe for a patient",
    "Defibrillator": "machines that restart a heart",
    "Patient Monitor": "screens that watch pulse and pressure",
    "Ultrasound Scanner": "scanners that use sound",
    "Dialysis Machine": "machines that clean the blood",
    "Syringe Driver": "small pumps for syringes",
    "Bed Hoist": "lifts that raise a patient from bed",
    "Incubator": "warm boxes for newborns",
    "Surgical Lamp": "lights for the operating table",
}
"""Kinds of devices, each with a description in other words, for questions that do not say the kind's name."""

MOTTOES_EN = (
    "Nobody waits alone", "Quiet hands, open ears", "Every hour counts", "Ask twice, act once", "Small steps every day",
)  # fmt: skip
MOTTOES_DE = (
    "Niemand wartet allein", "Ruhige Hände, offene Ohren", "Jede Stunde zählt", "Zweimal fragen, einmal handeln",
    "Jeden Tag ein kleiner Schritt",
)  # fmt: skip
SUMMARIES_EN = (
    "The alarm went off and nobody could silence it.", "A cable was loose behind the bed.",
    "A patient slipped on a wet floor.", "The \"ready\" light stayed dark.", "A label was read the wrong way round.",
    "Two charts were swapped during the round.", "The battery ran out in the lift.",
)  # fmt: skip
SUMMARIES_DE = (
    "Der Alarm ließ sich nicht abstellen.", "Ein Kabel war hinter dem Bett lose.", "Zwei Akten wurden vertauscht.",
)  # fmt: skip
ABSTRACTS_EN = (
    "How long do patients sleep after a quiet round?", "Fewer falls through better light.",
    "Whether a shared chart saves time.", "What a second reading of each label prevents.",
)  # fmt: skip
ABSTRACTS_DE = ("Weniger Stürze durch besseres Licht.", "Ob eine gemeinsame Akte Zeit spart.")

ODD_PEOPLE = (("Brünhax Ölvirnt", ""), ("Tavell d'Unquor", "Tav"), ("Nexà Pryöld-O'Zimm", ""), ("Łuvik Çorrandz", ""))
ODD_PROJECTS = (
    ("{Awake}", "Awake"), ("Ostel -> Verun", "OV"), ("=1+1", "One Plus One"), ("Second\nBreath", "Second Breath"),
    ("Night #7", ""), ("<b>Bold</b> Steps", "Bold Steps"),
)  # fmt: skip
ODD_SUPPLIERS = (
    ("Brimz; Dolm", "B;D"),
    ("Nixl | Tarrv", ""),
    ("Öhlvang Prüftechnik", "Öhlvang"),
    ("Umpf's & Sons", ""),
)
ODD_MODELS = (('"Quill" 7', ""), ("[/red] Lume 40", "Lume 40"), ("Zeph <3>", ""))
ODD_TRAININGS = (("100% Clean Hands", ""), ("A, B or C? (Level 2)", "ABC Level 2"))
ODD_WARDS = (("Ward (North, Old)", ""), ("Mother & Child's Wing", ""))
"""Names with characters that break careless prompts, parsers, tables and pages, each with an alias or none."""
