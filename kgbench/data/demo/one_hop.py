"""Kinds of questions whose answers lie one step from the topic in the flattened graph."""

from __future__ import annotations

from kgbench.data.demo import schema, words
from kgbench.data.demo.paths import Leg, PathType

ONE_HOP: tuple[PathType, ...] = (
    PathType(
        "person_to_ward",
        (Leg(schema.PERSON, ("staff.assignment.person-staff.assignment.ward",)),),
        ("On which ward would I find {0}?", "Where in the hospital does {0} work?", "Which ward is {0} on duty in?"),
    ),
    PathType(
        "ward_to_people",
        (Leg(schema.WARD, ("staff.assignment.ward-staff.assignment.person",)),),
        ("Who works on {0}?", "List the team of {0}.", "Who makes up the staff of {0}?"),
    ),
    PathType(
        "person_to_role",
        (Leg(schema.PERSON, ("staff.assignment.person-staff.assignment.role",)),),
        ("What is {0}'s job?", "As what is {0} employed here?", "In what capacity does {0} work?"),
    ),
    PathType(
        "person_to_start",
        (Leg(schema.PERSON, ("staff.assignment.person-staff.assignment.since",)),),
        ("Since when has {0} been in post?", "On what day did {0} take up work on the ward?"),
    ),
    PathType(
        "ward_and_role_to_person",
        (
            Leg(schema.WARD, ("staff.assignment.ward-staff.assignment.person",)),
            Leg(schema.ROLE, ("staff.assignment.role-staff.assignment.person",)),
        ),
        ("Who is the {1} of {0}?", "Which person serves {0} as {1}?", "Name whoever holds the post of {1} at {0}."),
        one_mediator=True,
    ),
    PathType(
        "ward_to_charge_nurse",
        (
            Leg(schema.WARD, ("staff.assignment.ward-staff.assignment.person",)),
            Leg(schema.ROLE, ("staff.assignment.role-staff.assignment.person",), words.CHARGE_NURSE),
        ),
        ("Who leads the nursing shift on {0}?", "Who gives the nurses of {0} their orders?"),
        one_mediator=True,
    ),
    PathType(
        "person_to_boss",
        (Leg(schema.PERSON, ("staff.person.reports_to",)),),
        ("Who is {0}'s boss?", "Whose orders does {0} take?", "Who is the line manager of {0}?"),
    ),
    PathType(
        "boss_to_people",
        (Leg(schema.PERSON, ("^staff.person.reports_to",)),),
        ("Who answers to {0}?", "Which people does {0} supervise?", "Name everybody directly under {0}."),
    ),
    PathType(
        "person_to_birth",
        (Leg(schema.PERSON, ("staff.person.born_on",)),),
        ("When is {0}'s birthday?", "What is the date of birth of {0}?"),
    ),
    PathType(
        "person_to_languages",
        (Leg(schema.PERSON, ("staff.person.speaks",)),),
        (
            "What languages can {0} talk to patients in?",
            "Which tongues does {0} know?",
            "In what language can I address {0}?",
        ),
    ),
    PathType(
        "person_to_joined",
        (Leg(schema.PERSON, ("staff.person.joined_in",)),),
        ("In what year did {0} start with us?", "What year was {0} hired?"),
    ),
    PathType(
        "mentor_to_people",
        (Leg(schema.PERSON, ("^staff.person.mentor",)),),
        ("Whom has {0} taken under their wing?", "Who is being coached by {0}?"),
    ),
    PathType(
        "town_and_specialty_to_physicians",
        (
            Leg(schema.TOWN, ("^staff.person.lives_in",)),
            Leg(schema.SPECIALTY, ("^staff.person.specialises_in",)),
        ),
        ("Which doctors for {1} have their home in {0}?", "Who living in {0} is an expert in {1}?"),
    ),
    PathType(
        "ward_to_manager",
        (Leg(schema.WARD, ("hospital.ward.manager",)),),
        ("Who runs {0}?", "Who is responsible for {0}?"),
    ),
    PathType(
        "ward_to_extension",
        (Leg(schema.WARD, ("hospital.ward.extension",)),),
        ("What number do I dial to reach {0}?", "How can I call {0} from inside the building?"),
    ),
    PathType(
        "site_to_wards",
        (Leg(schema.SITE, ("hospital.site.wards",)),),
        ("What wards are there in {0}?", "Into which wards is {0} divided?"),
    ),
    PathType(
        "group_to_sites",
        (Leg(schema.ORGANISATION, ("hospital.organisation.sites",)),),
        ("Which hospitals does our group run?",),
    ),
    PathType(
        "site_and_specialty_to_wards",
        (
            Leg(schema.SITE, ("hospital.site.wards",)),
            Leg(schema.SPECIALTY, ("^hospital.ward.field",)),
        ),
        ("Where at {0} are patients of {1} treated?", "Which ward of {0} is devoted to {1}?"),
    ),
    PathType(
        "site_to_beds",
        (Leg(schema.SITE, ("hospital.site.bed_count",)),),
        ("How many patients can stay overnight at {0}?", "How many beds has {0} got?"),
    ),
    PathType(
        "project_to_members",
        (Leg(schema.PROJECT, ("research.project.staffing-research.membership.member",)),),
        ("Who takes part in the study {0}?", "Which people are on the team of project {0}?", "Who spends time on {0}?"),
    ),
    PathType(
        "person_to_projects",
        (Leg(schema.PERSON, ("^research.project.staffing-research.membership.member",)),),
        ("What studies is {0} involved in?", "To which research projects does {0} give time?"),
    ),
    PathType(
        "project_to_budget",
        (Leg(schema.PROJECT, ("research.project.budget",)),),
        ("How much money may {0} spend?", "What funds were granted to the study {0}?"),
    ),
    PathType(
        "field_to_projects",
        (Leg(schema.SPECIALTY, ("^research.project.field",)),),
        ("Which studies deal with {0}?", "What is being researched in {0}, by project?"),
    ),
    PathType(
        "device_to_ward",
        (Leg(schema.DEVICE, ("assets.device.stands_in",)),),
        ("Where can I find {0}?", "In which ward is {0} kept?"),
    ),
    PathType(
        "checker_to_devices",
        (Leg(schema.PERSON, ("^assets.device.last_checked_by",)),),
        ("Which machines did {0} inspect most recently?", "What equipment did {0} test last?"),
    ),
    PathType(
        "supplier_to_models",
        (Leg(schema.SUPPLIER, ("procurement.supplier.models",)),),
        ("What products does {0} build?", "Which models come from {0}?"),
    ),
    PathType(
        "kind_to_models",
        (Leg(schema.KIND, ("^procurement.device_model.kind",)),),
        ("Which models count as {0}?", "What is there on our books in the way of a {0}?"),
    ),
    PathType(
        "model_to_price",
        (Leg(schema.MODEL, ("procurement.device_model.list_price",)),),
        ("What does {0} cost by the catalogue?", "How expensive is one {0}?"),
    ),
    PathType(
        "contract_to_models",
        (Leg(schema.CONTRACT, ("procurement.contract.lines-procurement.contract_line.model",)),),
        (
            "What did we order under the {0}?",
            "Which models does the {0} cover?",
            "What equipment is listed in the {0}?",
        ),
    ),
    PathType(
        "contract_to_amounts",
        (Leg(schema.CONTRACT, ("procurement.contract.lines-procurement.contract_line.amount",)),),
        ("What sums are set down in the items of the {0}?",),
    ),
    PathType(
        "model_to_contracts",
        (Leg(schema.MODEL, ("^procurement.contract.lines-procurement.contract_line.model",)),),
        ("By which agreements did we buy {0}?", "Under what deal was {0} purchased?"),
    ),
    PathType(
        "contract_to_expiry",
        (Leg(schema.CONTRACT, ("procurement.contract.expires_on",)),),
        ("Until when does the {0} run?", "What is the last day of the {0}?"),
    ),
    PathType(
        "training_to_attendees",
        (Leg(schema.TRAINING, ("learning.attendance.training-learning.attendance.attendee",)),),
        ("Who has sat through {0}?", "Which employees took the course {0}?"),
    ),
    PathType(
        "person_to_trainings",
        (Leg(schema.PERSON, ("learning.attendance.attendee-learning.attendance.training",)),),
        ("Which courses has {0} completed?", "What has {0} been taught in class?"),
    ),
    PathType(
        "training_to_year",
        (Leg(schema.TRAINING, ("learning.training.year",)),),
        ("What year did the course {0} take place?", "In which year was {0} taught?"),
    ),
    PathType(
        "incident_to_reporter",
        (Leg(schema.INCIDENT, ("safety.incident.reported_by",)),),
        ("Who raised the alarm about {0}?", "From whom did we hear of {0}?"),
    ),
    PathType(
        "incident_to_severity",
        (Leg(schema.INCIDENT, ("safety.incident.severity",)),),
        ("How bad was {0}, on our scale?", "What grade was given to {0}?"),
    ),
    *(
        PathType(
            f"supplier_and_{kind.lower().replace(' ', '_')}_to_models",
            (
                Leg(schema.SUPPLIER, ("procurement.supplier.models",)),
                Leg(schema.KIND, ("^procurement.device_model.kind",), kind),
            ),
            (f"Which {words.DEVICE_KINDS[kind]} are made by {{0}}?",),
        )
        for kind in ("Ventilator", "Dialysis Machine", "Bed Hoist", "Incubator")
    ),
)
