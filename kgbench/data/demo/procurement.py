"""Suppliers, device models, devices and contracts of the demo graph, with contract lines as one-direction mediators."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from kgbench.data.demo import schema, words
from kgbench.data.demo.draft import (
    date_literal,
    day_between,
    integer_literal,
    money_literal,
    some,
    text_literal,
    year_literal,
)
from kgbench.data.demo.names import acronym
from kgbench.data.demo.world import FIRST_YEAR_OF_BUSINESS, LAST_YEAR, World, with_odd_names

if TYPE_CHECKING:
    import random

SHARE_OF_UNNAMED_DEVICES = 0.2
SHARE_WITH_SERIAL_NUMBER = 0.5
SHARE_WITH_CHECK = 0.4
SHARE_WITH_PARENT_FIRM = 0.4
DAYS_OF_A_YEAR = 365
LINES_PER_CONTRACT = 3


def add_procurement(world: World) -> None:
    """Adds what the group buys, from whom, and where it stands."""
    rng = world.rng("procurement")
    _add_suppliers(world, rng)
    _add_models(world, rng)
    _add_devices(world, rng)
    _add_contracts(world, rng)


def _add_suppliers(world: World, rng: random.Random) -> None:
    pairs = with_odd_names([world.names.firm() for _ in range(world.sizes.suppliers)], words.ODD_SUPPLIERS, rng)
    for number, (name, alias) in enumerate(pairs):
        supplier = world.draft.node(name, schema.SUPPLIER, alias=alias)
        short = acronym(name)
        if not alias and number % 2 == 0 and world.names.free(short):
            world.draft.add_alias(supplier, short)
        world.draft.add(supplier, "procurement.supplier.based_in", rng.choice(world.towns))
        world.draft.add(supplier, "procurement.supplier.founded_in", year_literal(rng.randint(1921, 2011)))
        if world.suppliers and rng.random() < SHARE_WITH_PARENT_FIRM:
            world.draft.add(supplier, "procurement.supplier.parent_firm", rng.choice(world.suppliers))
        world.suppliers.append(supplier)


def _add_models(world: World, rng: random.Random) -> None:
    kinds = [world.draft.node(name, schema.KIND) for name in words.DEVICE_KINDS]
    pairs = with_odd_names([world.names.model() for _ in range(world.sizes.models)], words.ODD_MODELS, rng)
    for number, (name, alias) in enumerate(pairs):
        supplier = world.suppliers[number % len(world.suppliers)]
        model = world.draft.node(name, schema.MODEL, alias=alias)
        kind = kinds[number] if number < len(kinds) else rng.choice(kinds)  # every kind is in use
        cents = rng.randint(900, 39_999) * 100 + rng.choice((25, 50, 75, 95))
        world.draft.add(model, "procurement.device_model.made_by", supplier)
        world.draft.add(model, "procurement.device_model.kind", kind)
        world.draft.add(model, "procurement.device_model.list_price", money_literal(cents))
        world.models_of.setdefault(supplier, []).append(model)
        world.price[model] = cents


def _add_devices(world: World, rng: random.Random) -> None:
    models = list(world.price)
    for number in range(1, world.sizes.devices + 1):
        model = rng.choice(models)
        name = f"{world.draft.nodes[model].name} no. {number}"
        device = world.draft.node("" if rng.random() < SHARE_OF_UNNAMED_DEVICES else name, schema.DEVICE)
        ward = rng.choice(world.wards)
        bought = day_between(rng, FIRST_YEAR_OF_BUSINESS, LAST_YEAR)
        world.draft.add(device, "assets.device.model", model)
        world.draft.add(device, "assets.device.owner", world.group)
        world.draft.add(device, "assets.device.stands_in", ward)
        world.draft.add(device, "assets.device.bought_on", date_literal(bought))
        if rng.random() < SHARE_WITH_SERIAL_NUMBER:
            serial = f"{rng.choice('KLMNPQ')}{rng.randint(10_000, 99_999)}/{rng.randint(10, 99)}"
            world.draft.add(device, "assets.device.serial_number", text_literal(serial))
        if rng.random() < SHARE_WITH_CHECK:
            world.draft.add(device, "assets.device.last_checked_by", rng.choice(world.people))
        world.devices_in[ward].append(device)


def _add_contracts(world: World, rng: random.Random) -> None:
    every_model = list(world.price)
    for _ in range(world.sizes.contracts):
        contract = world.draft.node(world.names.agreement(), schema.CONTRACT)
        supplier = rng.choice(world.suppliers)
        signed = day_between(rng, FIRST_YEAR_OF_BUSINESS, LAST_YEAR)
        expires = signed + datetime.timedelta(days=DAYS_OF_A_YEAR * rng.randint(1, 6))
        world.draft.add(contract, "procurement.contract.supplier", supplier)
        world.draft.add(contract, "procurement.contract.client", world.group)
        world.draft.add(contract, "procurement.contract.negotiated_by", rng.choice(world.people))
        world.draft.add(contract, "procurement.contract.signed_on", date_literal(signed))
        world.draft.add(contract, "procurement.contract.expires_on", date_literal(expires))
        models = world.models_of.get(supplier, every_model)
        total = sum(_add_line(world, contract, model, rng) for model in some(rng, models, LINES_PER_CONTRACT))
        world.draft.add(contract, "procurement.contract.total", money_literal(total))


def _add_line(world: World, contract: int, model: int, rng: random.Random) -> int:
    """Adds one line and returns its amount in cents."""
    quantity = rng.randint(2, 60)
    amount = quantity * world.price[model]
    line = world.draft.node("", schema.CONTRACT_LINE)
    world.draft.add(contract, "procurement.contract.lines", line)
    world.draft.add(line, "procurement.contract_line.model", model)
    world.draft.add(line, "procurement.contract_line.quantity", integer_literal(quantity))
    world.draft.add(line, "procurement.contract_line.amount", money_literal(amount))
    return amount
