"""Kinds of questions whose answers lie three steps from the topic in the flattened graph."""

from __future__ import annotations

from kgbench.data.demo import schema
from kgbench.data.demo.paths import Leg, PathType
from kgbench.data.demo.two_hops import ATTENDEE_OF, MEMBER_OF, WARD_OF

THREE_HOPS: tuple[PathType, ...] = (
    PathType(
        "device_town",
        (Leg(schema.DEVICE, ("assets.device.stands_in", "hospital.ward.at_site", "hospital.site.located_in")),),
        ("In which town is the building that houses {0}?", "To what town must a repairer of {0} drive?"),
    ),
    PathType(
        "ward_incident_models",
        (Leg(schema.WARD, ("^safety.incident.place", "safety.incident.device", "assets.device.model")),),
        ("What models of equipment were involved in mishaps on {0}?", "Which makes of machine failed people in {0}?"),
    ),
    PathType(
        "lead_site",
        (Leg(schema.PROJECT, ("research.project.lead", WARD_OF, "hospital.ward.at_site")),),
        ("At which hospital does the head of {0} work?", "In what building is the leader of the study {0} on duty?"),
    ),
    PathType(
        "supplier_wards",
        (Leg(schema.SUPPLIER, ("procurement.supplier.models", "^assets.device.model", "assets.device.stands_in")),),
        ("On which wards do machines built by {0} stand?", "Where is equipment by {0} in use?"),
    ),
    PathType(
        "person_director",
        (Leg(schema.PERSON, (WARD_OF, "hospital.ward.at_site", "hospital.site.director")),),
        ("Who heads the hospital in which {0} works?", "Who is the chief of the building where {0} is on duty?"),
    ),
    PathType(
        "trainer_boss_languages",
        (Leg(schema.TRAINING, ("learning.training.trainer", "staff.person.reports_to", "staff.person.speaks")),),
        ("Which languages does the boss of the person who taught {0} know?",),
    ),
    PathType(
        "contract_region",
        (
            Leg(
                schema.CONTRACT,
                ("procurement.contract.supplier", "procurement.supplier.based_in", "geography.town.region"),
            ),
        ),
        (
            "What region is home to the firm we signed the {0} with?",
            "From which part of the country comes our partner in the {0}?",
        ),
    ),
    PathType(
        "mentor_budgets",
        (Leg(schema.PERSON, ("staff.person.mentor", "^research.project.lead", "research.project.budget")),),
        (
            "How much money do studies led by {0}'s mentor have?",
            "What funds has the research headed by the coach of {0}?",
        ),
    ),
    PathType(
        "member_project_floors",
        (
            Leg(
                schema.PERSON,
                (f"^{MEMBER_OF}", "research.project.host_ward", "hospital.ward.floor"),
            ),
        ),
        (
            "On what floor is the ward that hosts the study {0} helps with?",
            "Which storey houses the research that {0} gives time to?",
        ),
    ),
    PathType(
        "attendee_sites",
        (Leg(schema.TRAINING, (ATTENDEE_OF, WARD_OF, "hospital.ward.at_site")),),
        ("From which hospitals did people come to {0}?", "At what sites do those who took {0} work?"),
    ),
    PathType(
        "line_model_makers_town",
        (
            Leg(
                schema.CONTRACT,
                (
                    "procurement.contract.lines-procurement.contract_line.model",
                    "procurement.device_model.made_by",
                    "procurement.supplier.based_in",
                ),
            ),
        ),
        (
            "Where do the makers of what we bought under the {0} have their seat?",
            "In what town are the goods of the {0} produced?",
        ),
    ),
    PathType(
        "fellow_members",
        (Leg(schema.PERSON, ("staff.person.reports_to", f"^{MEMBER_OF}", MEMBER_OF)),),
        ("Who does research together with the boss of {0}?", "Which people sit on a project team with {0}'s superior?"),
        comes_back=True,
    ),
    PathType(
        "partner_devices",
        (
            Leg(
                schema.PROJECT,
                ("research.project.industry_partner", "procurement.supplier.models", "procurement.device_model.kind"),
            ),
        ),
        (
            "What kinds of machines does the firm backing {0} build?",
            "Which sorts of equipment come from the company allied with {0}?",
        ),
    ),
)
