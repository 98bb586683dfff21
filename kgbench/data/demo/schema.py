"""The schema of the demo graph: its classes, its relations, and which classes are mediators.

Relation labels are dotted (`domain.class.property`), as in many enterprise graphs. Most relations name no inverse; three
pairs do, and then both directions stand in the graph, as in Freebase.
"""

from __future__ import annotations

from typing import NamedTuple

ORGANISATION = "hospital.organisation"
SITE = "hospital.site"
WARD = "hospital.ward"
TOWN = "geography.town"
REGION = "geography.region"
PERSON = "staff.person"
PHYSICIAN = "staff.physician"
NURSE = "staff.nurse"
ROLE = "staff.role"
LANGUAGE = "staff.language"
SPECIALTY = "medicine.specialty"
PROJECT = "research.project"
SUPPLIER = "procurement.supplier"
MODEL = "procurement.device_model"
KIND = "procurement.device_kind"
CONTRACT = "procurement.contract"
DEVICE = "assets.device"
INCIDENT = "safety.incident"
TRAINING = "learning.training"

ASSIGNMENT = "staff.assignment"
MEMBERSHIP = "research.membership"
CONTRACT_LINE = "procurement.contract_line"
ATTENDANCE = "learning.attendance"

MEDIATOR_CLASSES = (ATTENDANCE, CONTRACT_LINE, MEMBERSHIP, ASSIGNMENT)
"""Classes whose nodes only join others. Assignments and attendances are the subject of all their roles (the W3C n-ary
style); memberships and contract lines are reached from one node and lead on to the others (one direction)."""

DATE = "xsd:date"
YEAR = "xsd:gYear"
INTEGER = "xsd:integer"
DECIMAL = "xsd:decimal"
STRING = "xsd:string"
TAGGED_STRING = "rdf:langString"

LITERAL_TYPES = (DATE, YEAR, INTEGER, DECIMAL, STRING, TAGGED_STRING)


class Relation(NamedTuple):
    """One row of `relations.tsv`."""

    label: str
    domain: str
    """Class of the heads."""
    range: str
    """Class of the tails, or a datatype from `LITERAL_TYPES`."""
    inverse: str = ""
    """Label of the declared inverse; empty where none is declared."""


RELATIONS: tuple[Relation, ...] = (
    Relation("assets.device.bought_on", DEVICE, DATE),
    Relation("assets.device.last_checked_by", DEVICE, PERSON),
    Relation("assets.device.model", DEVICE, MODEL),
    Relation("assets.device.owner", DEVICE, ORGANISATION),
    Relation("assets.device.serial_number", DEVICE, STRING),
    Relation("assets.device.stands_in", DEVICE, WARD),
    Relation("geography.town.region", TOWN, REGION),
    Relation("hospital.organisation.sites", ORGANISATION, SITE, "hospital.site.part_of"),
    Relation("hospital.site.bed_count", SITE, INTEGER),
    Relation("hospital.site.director", SITE, PERSON),
    Relation("hospital.site.located_in", SITE, TOWN),
    Relation("hospital.site.opened_in", SITE, YEAR),
    Relation("hospital.site.part_of", SITE, ORGANISATION, "hospital.organisation.sites"),
    Relation("hospital.site.wards", SITE, WARD, "hospital.ward.at_site"),
    Relation("hospital.ward.at_site", WARD, SITE, "hospital.site.wards"),
    Relation("hospital.ward.extension", WARD, STRING),
    Relation("hospital.ward.field", WARD, SPECIALTY),
    Relation("hospital.ward.floor", WARD, INTEGER),
    Relation("hospital.ward.manager", WARD, PERSON),
    Relation("hospital.ward.motto", WARD, TAGGED_STRING),
    Relation("hospital.ward.run_by", WARD, ORGANISATION),
    Relation("learning.attendance.attendee", ATTENDANCE, PERSON),
    Relation("learning.attendance.passed_on", ATTENDANCE, DATE),
    Relation("learning.attendance.score", ATTENDANCE, INTEGER),
    Relation("learning.attendance.training", ATTENDANCE, TRAINING),
    Relation("learning.training.held_at", TRAINING, SITE),
    Relation("learning.training.offered_to", TRAINING, ORGANISATION),
    Relation("learning.training.provider", TRAINING, SUPPLIER),
    Relation("learning.training.trainer", TRAINING, PERSON),
    Relation("learning.training.year", TRAINING, YEAR),
    Relation("procurement.contract.client", CONTRACT, ORGANISATION),
    Relation("procurement.contract.expires_on", CONTRACT, DATE),
    Relation("procurement.contract.lines", CONTRACT, CONTRACT_LINE),
    Relation("procurement.contract.negotiated_by", CONTRACT, PERSON),
    Relation("procurement.contract.signed_on", CONTRACT, DATE),
    Relation("procurement.contract.supplier", CONTRACT, SUPPLIER),
    Relation("procurement.contract.total", CONTRACT, DECIMAL),
    Relation("procurement.contract_line.amount", CONTRACT_LINE, DECIMAL),
    Relation("procurement.contract_line.model", CONTRACT_LINE, MODEL),
    Relation("procurement.contract_line.quantity", CONTRACT_LINE, INTEGER),
    Relation("procurement.device_model.kind", MODEL, KIND),
    Relation("procurement.device_model.list_price", MODEL, DECIMAL),
    Relation("procurement.device_model.made_by", MODEL, SUPPLIER, "procurement.supplier.models"),
    Relation("procurement.supplier.based_in", SUPPLIER, TOWN),
    Relation("procurement.supplier.founded_in", SUPPLIER, YEAR),
    Relation("procurement.supplier.models", SUPPLIER, MODEL, "procurement.device_model.made_by"),
    Relation("procurement.supplier.parent_firm", SUPPLIER, SUPPLIER),
    Relation("research.membership.member", MEMBERSHIP, PERSON),
    Relation("research.membership.time_share", MEMBERSHIP, INTEGER),
    Relation("research.project.abstract", PROJECT, TAGGED_STRING),
    Relation("research.project.began_on", PROJECT, DATE),
    Relation("research.project.budget", PROJECT, DECIMAL),
    Relation("research.project.field", PROJECT, SPECIALTY),
    Relation("research.project.host_ward", PROJECT, WARD),
    Relation("research.project.industry_partner", PROJECT, SUPPLIER),
    Relation("research.project.lead", PROJECT, PERSON),
    Relation("research.project.staffing", PROJECT, MEMBERSHIP),
    Relation("safety.incident.device", INCIDENT, DEVICE),
    Relation("safety.incident.filed_with", INCIDENT, ORGANISATION),
    Relation("safety.incident.happened_on", INCIDENT, DATE),
    Relation("safety.incident.place", INCIDENT, WARD),
    Relation("safety.incident.reported_by", INCIDENT, PERSON),
    Relation("safety.incident.severity", INCIDENT, INTEGER),
    Relation("safety.incident.summary", INCIDENT, TAGGED_STRING),
    Relation("staff.assignment.person", ASSIGNMENT, PERSON),
    Relation("staff.assignment.role", ASSIGNMENT, ROLE),
    Relation("staff.assignment.since", ASSIGNMENT, DATE),
    Relation("staff.assignment.ward", ASSIGNMENT, WARD),
    Relation("staff.person.born_on", PERSON, DATE),
    Relation("staff.person.employer", PERSON, ORGANISATION),
    Relation("staff.person.joined_in", PERSON, YEAR),
    Relation("staff.person.lives_in", PERSON, TOWN),
    Relation("staff.person.mentor", PERSON, PERSON),
    Relation("staff.person.reports_to", PERSON, PERSON),
    Relation("staff.person.speaks", PERSON, LANGUAGE),
    Relation("staff.person.specialises_in", PERSON, SPECIALTY),
)
"""Every relation of the graph, sorted by label."""

BY_LABEL = {relation.label: relation for relation in RELATIONS}
