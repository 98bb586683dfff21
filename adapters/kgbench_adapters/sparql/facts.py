"""Names and classes of nodes. Names are LOCAL: what stands here never reaches a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.types import ClassLabel, NodeKind, NodeNames
from kgbench_adapters import queries
from kgbench_adapters.labels import by_language
from kgbench_adapters.sparql.iris import iri_of
from kgbench_adapters.sparql.reads import BATCH, Batch, batch_of, text_of
from kgbench_adapters.terms import BLANK_PREFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.types import Entity
    from kgbench_adapters.labels import NamedText
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.schema import MediatorRule
    from kgbench_adapters.sparql.iris import Nodes
    from kgbench_adapters.sparql.naming import Naming
    from kgbench_adapters.sparql.reader import Reader
    from kgbench_adapters.sparql.reads import Texts


class ServerFacts:
    """What the graph says of single nodes beside their edges.

    Args:
        reader: reads queries to the end.
        texts: reads properties.
        nodes: ids, IRIs and terms.
        naming: labels of classes.
        vocabulary: the properties of the kind of graph.
        rule: how mediators are known.
    """

    def __init__(
        self, reader: Reader, texts: Texts, nodes: Nodes, naming: Naming, vocabulary: Vocabulary, rule: MediatorRule
    ) -> None:
        self._reader = reader
        self._texts = texts
        self._nodes = nodes
        self._naming = naming
        self._known = vocabulary
        self._rule = rule

    def names(self, entities: Sequence[Entity]) -> tuple[dict[Entity, NodeNames], str]:
        """Name by language chain, all other names as aliases; and why some are missing, where they are."""
        batch = batch_of((entity for entity in entities if self._can_be_asked(entity)), self._nodes)
        properties = (*self._known.names, *self._known.aliases, *self._known.descriptions)
        found: dict[Entity, dict[str, list[NamedText]]] = {entity: {} for entity in entities}
        for about, name, binding in self._texts.rows(batch, properties):
            text = text_of(binding)
            for entity in about:
                if text is not None:
                    found[entity].setdefault(name, []).append(text)
        return {entity: self._chosen(texts) for entity, texts in found.items()}, batch.partial

    def kinds(self, entities: Sequence[Entity]) -> tuple[dict[Entity, NodeKind], str]:
        """Classes, sorted by label, and whether each node is a mediator; and why some are missing, where they are."""
        batch = batch_of((entity for entity in entities if self._can_be_asked(entity)), self._nodes)
        classes: dict[Entity, set[str]] = {entity: set() for entity in entities}
        for about, _, binding in self._texts.rows(batch, self._known.types):
            iri = iri_of(binding.get("o"))
            for entity in about:
                if iri is not None and iri.startswith(self._known.class_namespaces or ""):
                    classes[entity].add(iri)
        labels = self._naming.classes(sorted(set().union(*classes.values())))
        mediators = self._mediators(batch, classes)
        return {
            entity: NodeKind(tuple(map(ClassLabel, sorted(labels[iri] for iri in iris))), entity in mediators)
            for entity, iris in classes.items()
        }, batch.partial

    def _can_be_asked(self, entity: Entity) -> bool:
        """False for a blank node: a mediator that is known as one without a look, and has no name."""
        return not entity.id.startswith(BLANK_PREFIX) or self._nodes.address(entity.id) is not None

    def _chosen(self, texts: dict[str, list[NamedText]]) -> NodeNames:
        names = by_language(text for name in self._known.names for text in sorted(texts.get(name, ())))
        aliases = by_language(text for name in self._known.aliases for text in sorted(texts.get(name, ())))
        descriptions = by_language(text for name in self._known.descriptions for text in sorted(texts.get(name, ())))
        name = names[0] if names else None
        others = tuple(other for other in dict.fromkeys((*names[1:], *aliases)) if other != name)
        return NodeNames(name, others, next(iter(descriptions), None))

    def _mediators(self, batch: Batch, classes: dict[Entity, set[str]]) -> set[Entity]:
        found = {entity for entity in classes if entity.id.startswith(BLANK_PREFIX)}
        found |= {entity for entity, iris in classes.items() if not iris.isdisjoint(self._rule.classes)}
        if self._known.mediator_ids is not None:
            by_form = [iri for iri in batch.entities if self._known.mediator_ids.fullmatch(iri)]
            found.update(entity for iri in by_form for entity in batch.entities[iri])
        return found | self._unlisted(batch, found) if self._rule.unlisted else found

    def _unlisted(self, batch: Batch, known: set[Entity]) -> set[Entity]:
        """Nodes that no entity list names, though they stand in the graph."""
        form = self._known.unlisted_ids
        left = {
            iri: asked
            for iri, asked in batch.entities.items()
            if known.isdisjoint(asked) and (form is None or any(form.fullmatch(entity.id) for entity in asked))
        }
        rest = Batch(left)
        listed = {
            iri for about, _, _ in self._texts.rows(rest, (*self._known.names, *self._known.aliases)) for iri in about
        }
        unnamed = Batch({iri: asked for iri, asked in left.items() if listed.isdisjoint(asked)})
        found: set[Entity] = set()
        for chunk in unnamed.chunks():
            for binding in unnamed.note(self._reader.read(queries.occurring(chunk), BATCH)).bindings:
                found.update(unnamed.of(binding))
        batch.partial = batch.partial or rest.partial or unnamed.partial
        return found
