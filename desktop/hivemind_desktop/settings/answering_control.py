"""What Models does: adds, removes and tries services, keeps their keys, chooses who answers."""

from __future__ import annotations

import time

from hivemind.domain.chat import Endpoint
from hivemind.errors import HiveMindError
from hivemind_desktop.widgets.figures import duration, number
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.words import fill

from .answering import AnsweringSection, ServiceCard
from .parts import SectionController


class AnsweringController(SectionController):
    """A try asks the service for its models: a call like any other, recorded and in the ledger."""

    def __init__(self, view: AnsweringSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.section = view
        view.add_asked.connect(lambda endpoint: self.tasks.start("change", self._add(endpoint)))
        view.prices_asked.connect(lambda: desk.requested.emit("data.open"))

    async def load(self) -> None:
        call = self.desk.client.call
        services = await call(lambda engine: engine.providers.list())
        setup = await call(lambda engine: engine.providers.setup())
        suggested = await self.desk.client.value(lambda engine: engine.providers.suggested)
        prices = await call(lambda engine: engine.providers.prices())
        known = {each.endpoint.name for each in services}
        self.section.show_suggested([each for each in suggested if each.name not in known])
        for card in self.section.show_services(services, setup.model):
            self._connect(card)
        words = self.tr(
            "Prices as of %1. Calls on this computer cost nothing. Write your own prices into prices.json in the data "
            "folder; what has no price there is shown as unknown."
        )
        self.section.prices.setText(fill(words, prices.as_of))

    def _connect(self, card: ServiceCard) -> None:
        name = card.endpoint.name
        card.test_asked.connect(lambda: self.tasks.start("test", self._test(card)))
        card.use_asked.connect(lambda model: self.tasks.start("change", self._use(name, model)))
        card.key_asked.connect(lambda key, keep: self.tasks.start("change", self._set_key(name, key, keep)))
        card.remove_asked.connect(lambda: self.tasks.start("change", self._remove(card.endpoint)))

    async def _add(self, endpoint: Endpoint) -> None:
        await self.desk.client.call(lambda engine: engine.providers.add(endpoint))
        self.section.name.clear()
        self.section.address.clear()
        await self.load()

    async def _use(self, name: str, model: str) -> None:
        await self.desk.client.call(lambda engine: engine.providers.choose(name, model))
        self.desk.notices.toast(fill(self.tr("%1 answers from now on"), model))
        await self.load()

    async def _set_key(self, name: str, key: str, keep: bool) -> None:
        await self.desk.client.call(lambda engine: engine.providers.set_key(name, key, keep=keep))
        self.desk.notices.toast(self.tr("The key is set") if keep else self.tr("The key is set for this run"))
        await self.load()

    async def _remove(self, endpoint: Endpoint) -> None:
        title = fill(self.tr("Remove %1?"), endpoint.label)
        text = self.tr("Its key is removed from this system's key store too. What was recorded of its calls stays.")
        if await self.desk.notices.confirm(title, text, self.tr("Remove"), danger=True):
            await self.desk.client.call(lambda engine: engine.providers.remove(endpoint.name))
            await self.load()

    async def _test(self, card: ServiceCard) -> None:
        card.test.setEnabled(False)
        began, name, workspace = time.monotonic(), card.endpoint.name, self.desk.workspace
        try:
            models = await self.desk.client.call(lambda engine: engine.providers.list_models(name, workspace))
        except HiveMindError as fault:
            card.show_tried(f"{fault.title}. {fault.hint}", False)
        else:
            spent = duration(time.monotonic() - began)
            card.show_tried(fill(self.tr("It answers: %1 models, after %2."), number(len(models)), spent), True)
            if models:
                card.offer(models)
        finally:
            card.test.setEnabled(True)
