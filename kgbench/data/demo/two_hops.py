"""Kinds of questions whose answers lie two steps from the topic in the flattened graph."""

from __future__ import annotations

from kgbench.data.demo import schema
from kgbench.data.demo.paths import Leg, PathType

WARD_OF = "staff.assignment.person-staff.assignment.ward"
STAFF_OF = "staff.assignment.ward-staff.assignment.person"
MEMBER_OF = "research.project.staffing-research.membership.member"
ATTENDEE_OF = "learning.attendance.training-learning.attendance.attendee"

TWO_HOPS: tuple[PathType, ...] = (
    PathType(
        "person_to_site",
        (Leg(schema.PERSON, (WARD_OF, "hospital.ward.at_site")),),
        ("At which hospital does {0} work?", "In what building will I meet {0} on a working day?"),
    ),
    PathType(
        "colleagues",
        (Leg(schema.PERSON, (WARD_OF, STAFF_OF)),),
        ("Who shares a ward with {0}?", "Which colleagues work alongside {0}?", "Who is on the same ward as {0}?"),
        comes_back=True,
    ),
    PathType(
        "boss_of_boss",
        (Leg(schema.PERSON, ("staff.person.reports_to", "staff.person.reports_to")),),
        ("Who is the boss of {0}'s boss?", "Two rungs above {0}, who is there?"),
    ),
    PathType(
        "same_boss",
        (Leg(schema.PERSON, ("staff.person.reports_to", "^staff.person.reports_to")),),
        ("Who has the same boss as {0}?", "Which people are led by whoever leads {0}?"),
        comes_back=True,
    ),
    PathType(
        "same_mentor",
        (Leg(schema.PERSON, ("staff.person.mentor", "^staff.person.mentor")),),
        ("Who else learns from the mentor of {0}?", "Who shares a mentor with {0}?"),
        comes_back=True,
    ),
    PathType(
        "ward_to_town",
        (Leg(schema.WARD, ("hospital.ward.at_site", "hospital.site.located_in")),),
        ("What town must I travel to for {0}?", "In which town is {0} to be found?"),
    ),
    PathType(
        "manager_languages",
        (Leg(schema.WARD, ("hospital.ward.manager", "staff.person.speaks")),),
        ("What languages are known to the head of {0}?", "In which tongue can I write to whoever manages {0}?"),
    ),
    PathType(
        "lead_birth",
        (Leg(schema.PROJECT, ("research.project.lead", "staff.person.born_on")),),
        ("When was the head of the study {0} born?", "What is the birthday of the person in charge of {0}?"),
    ),
    PathType(
        "member_towns",
        (Leg(schema.PROJECT, (MEMBER_OF, "staff.person.lives_in")),),
        ("Where do the members of {0} have their homes?", "In which towns does the team of project {0} live?"),
    ),
    PathType(
        "device_maker",
        (Leg(schema.DEVICE, ("assets.device.model", "procurement.device_model.made_by")),),
        ("Which firm built {0}?", "Who is the manufacturer of {0}?"),
    ),
    PathType(
        "device_manager",
        (Leg(schema.DEVICE, ("assets.device.stands_in", "hospital.ward.manager")),),
        ("Who heads the ward that keeps {0}?", "Whom do I ask for leave to move {0} off its ward?"),
    ),
    PathType(
        "contract_firm_age",
        (Leg(schema.CONTRACT, ("procurement.contract.supplier", "procurement.supplier.founded_in")),),
        ("In what year was the firm behind the {0} set up?", "From what year does our partner in the {0} date?"),
    ),
    PathType(
        "contract_kinds",
        (
            Leg(
                schema.CONTRACT,
                ("procurement.contract.lines-procurement.contract_line.model", "procurement.device_model.kind"),
            ),
        ),
        ("What sorts of equipment did the {0} bring us?", "Which kinds of machines were bought with the {0}?"),
    ),
    PathType(
        "supplier_negotiators",
        (Leg(schema.SUPPLIER, ("^procurement.contract.supplier", "procurement.contract.negotiated_by")),),
        ("Who sat at the table when we dealt with {0}?", "Which of our people bargained with {0}?"),
    ),
    PathType(
        "supplier_prices",
        (Leg(schema.SUPPLIER, ("procurement.supplier.models", "procurement.device_model.list_price")),),
        ("What are the catalogue prices of goods by {0}?", "How much does {0} ask for its machines?"),
    ),
    PathType(
        "supplier_line_contracts",
        (
            Leg(
                schema.SUPPLIER,
                ("procurement.supplier.models", "^procurement.contract.lines-procurement.contract_line.model"),
            ),
        ),
        ("Which agreements list products made by {0}?", "Under which deals did machines by {0} reach us?"),
    ),
    PathType(
        "trainer_ward",
        (Leg(schema.TRAINING, ("learning.training.trainer", WARD_OF)),),
        ("To which ward belongs the teacher of {0}?", "On what ward does the one who gave {0} work?"),
    ),
    PathType(
        "attendee_bosses",
        (Leg(schema.TRAINING, (ATTENDEE_OF, "staff.person.reports_to")),),
        ("Whose subordinates went to the course {0}?", "Which bosses sent people to {0}?"),
    ),
    PathType(
        "attendee_courses_by_trainer",
        (Leg(schema.PERSON, ("^learning.training.trainer", ATTENDEE_OF)),),
        ("Who has been in a class taught by {0}?", "Which employees were students of {0}?"),
    ),
    PathType(
        "ward_reporters",
        (Leg(schema.WARD, ("^safety.incident.place", "safety.incident.reported_by")),),
        ("Who has reported that something went wrong on {0}?", "Which people filed mishaps at {0}?"),
    ),
    PathType(
        "ward_incident_days",
        (Leg(schema.WARD, ("^safety.incident.place", "safety.incident.happened_on")),),
        ("On which days did mishaps occur in {0}?", "When did something go wrong on {0}?"),
    ),
    PathType(
        "reporter_devices",
        (Leg(schema.PERSON, ("^safety.incident.reported_by", "safety.incident.device")),),
        ("Which machine was part of the trouble that {0} reported?", "What equipment did {0} complain about?"),
    ),
    PathType(
        "director_joined",
        (Leg(schema.SITE, ("hospital.site.director", "staff.person.joined_in")),),
        ("Since what year has the head of {0} been with the group?", "In which year was the chief of {0} hired?"),
    ),
    PathType(
        "town_projects",
        (Leg(schema.TOWN, ("^staff.person.lives_in", "^research.project.lead")),),
        ("Which studies are headed by somebody from {0}?", "What research is led by a resident of {0}?"),
    ),
    PathType(
        "town_and_site_to_people",
        (
            Leg(schema.TOWN, ("^staff.person.lives_in",)),
            Leg(schema.SITE, ("hospital.site.wards", STAFF_OF)),
        ),
        ("Who lives in {0} and works at {1}?", "Which residents of {0} have a post at {1}?"),
    ),
    PathType(
        "project_and_training_to_people",
        (
            Leg(schema.PROJECT, (MEMBER_OF, "staff.person.reports_to")),
            Leg(schema.TRAINING, ("learning.training.trainer",)),
        ),
        ("Which boss of somebody in project {0} also taught {1}?",),
    ),
)
