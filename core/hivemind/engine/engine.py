"""The engine wires its rooms together; it decides nothing itself."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from hivemind.clock import Clock, system_clock
from hivemind.credentials import CredentialStore, Redaction, SystemKeyring
from hivemind.engine.ask_service import AskService
from hivemind.engine.background import BackgroundTask
from hivemind.engine.backup_service import BackupService
from hivemind.engine.change_service import ChangeService
from hivemind.engine.chosen_encoder import ChosenEncoder
from hivemind.engine.context import Context
from hivemind.engine.embedding_service import EmbeddingService
from hivemind.engine.encoder_access import EncoderAccess, Finder
from hivemind.engine.erasure_service import ErasureService
from hivemind.engine.evidence_service import EvidenceService
from hivemind.engine.harvest_service import HarvestService
from hivemind.engine.housekeeping_service import HousekeepingService
from hivemind.engine.listing_service import ListingService
from hivemind.engine.memory_service import MemoryService
from hivemind.engine.model_service import ModelService
from hivemind.engine.privacy_service import PrivacyService
from hivemind.engine.provider_service import ProviderService
from hivemind.engine.reading_service import ReadingService
from hivemind.engine.report_service import ReportService
from hivemind.engine.review_service import ReviewService
from hivemind.engine.safety_service import SafetyService
from hivemind.engine.saved_search_service import SavedSearchService
from hivemind.engine.self_service import SelfService
from hivemind.engine.session_service import SessionService
from hivemind.engine.storage_service import StorageService
from hivemind.engine.survey_service import SurveyService
from hivemind.engine.trash_service import TrashService
from hivemind.engine.watcher import Watcher
from hivemind.engine.workspace_service import WorkspaceService
from hivemind.errors import HiveMindError, InternalFault, ReadOnlyPlace
from hivemind.events import EventHub
from hivemind.gateway import genesis
from hivemind.mind import Mind
from hivemind.mind.screening import hold_back
from hivemind.paths import DataDir, default_data_dir
from hivemind.storage import Database, SchemaKind
from hivemind.workspaces import OpenMinds, guarded_path


class Engine:
    """One per process. `open` before anything else, `close` at the end; all calls belong to one event loop.

    `leads`: long work that nobody asked for (embedding) is this process's from the start; a sidecar leaves it to the
    window while one is alive. `find_encoder`: where the model for meaning comes from.
    """

    def __init__(
        self,
        data_dir: Path | None = None,
        clock: Clock = system_clock,
        *,
        leads: bool = True,
        find_encoder: Finder | None = None,
    ) -> None:
        self.data = DataDir(data_dir or default_data_dir())
        self.events = EventHub()
        self._clock = clock
        self.minds = OpenMinds(self.data, self._open_mind)
        self._context = Context(self.data, self.minds, self.events, clock)
        self._install: Database | None = None
        keyring = SystemKeyring()
        self._credentials = CredentialStore(keyring)
        self.evidence = EvidenceService(self._context, keyring)
        self.redaction = Redaction()
        self._watching = BackgroundTask(lambda: Watcher(self._context).run())
        chosen = ChosenEncoder(self._context, lambda: self.providers, self._installed)
        access = EncoderAccess(find_encoder or chosen.find)
        self.embedding = EmbeddingService(self._context, access, leads=leads)
        self.models = ModelService(self._context, self.embedding, chosen)
        self.memory = MemoryService(self._context, self.embedding)
        self.listing = ListingService(self._context)
        self.reading = ReadingService(self._context)
        self.searches = SavedSearchService(self._context)
        self.sessions = SessionService(self._context)
        self.self = SelfService(self._context)
        self.harvest = HarvestService(self._context)
        self.surveys = SurveyService(self._context)
        self.review = ReviewService(self._context)
        self.changes = ChangeService(self._context, self.harvest)
        self.erasure = ErasureService(self._context, self._installed)
        self.safety = SafetyService(self._context, self.erasure)
        self.trash = TrashService(self._context)
        self.backups = BackupService(self._context)
        self.storage = StorageService(self._context, self.models)
        self.housekeeping = HousekeepingService(self._context, self.trash, self.backups)
        self.ask = AskService(self._context, (self.memory, self.self, self.sessions), lambda: self.providers)
        self._leads = leads

    async def open(self) -> None:
        """Make the data folder and open the installation's file. Minds open at their first use.

        Raises ReadOnlyPlace when the folder cannot be made, and what opening a file can raise.
        """
        try:
            await asyncio.to_thread(self.data.prepare)
        except OSError as fault:
            raise ReadOnlyPlace(details=type(fault).__name__) from fault
        if self._install is None:
            self._install = await self._opened_install()
        self._watching.start()
        self.embedding.start()
        if self._leads:
            self.housekeeping.start()
            self.evidence.start()
            self.erasure.start()

    async def _opened_install(self) -> Database:
        opening = asyncio.ensure_future(asyncio.to_thread(self._open_install))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            # A thread cannot be called back: what it opens for nobody is closed again.
            with contextlib.suppress(HiveMindError):
                await (await opening).aclose()
            raise

    @property
    def workspaces(self) -> WorkspaceService:
        """Minds of this installation. Raises InternalFault before `open`."""
        return WorkspaceService(self._context, self._installed(), self.embedding)

    @property
    def providers(self) -> ProviderService:
        """The services that answer. Raises InternalFault before `open`."""
        return ProviderService(self._context, self._installed(), self._credentials, self.redaction)

    @property
    def privacy(self) -> PrivacyService:
        """What left this computer. Raises InternalFault before `open`."""
        return PrivacyService(self._context, self._installed())

    @property
    def reports(self) -> ReportService:
        """Checks over the log and the audit report. Raises InternalFault before `open`."""
        return ReportService(self._context, self._installed(), self.evidence)

    def _installed(self) -> Database:
        if self._install is None:
            raise InternalFault(details="the engine is not open")
        return self._install

    async def close(self) -> None:
        """Stop long work where it can go on later, and close every file. May be called twice."""
        await self._watching.stop()
        await self.housekeeping.close()
        await self.evidence.close()
        await self.erasure.close()
        await self.surveys.close_all()
        await self.harvest.close()
        await self.embedding.close()
        await self.minds.close_all()
        if self._install is not None:
            await self._install.aclose()
            self._install = None

    def _open_mind(self, workspace: str, create: bool) -> Mind:
        return Mind.open(
            guarded_path(self.data, workspace),
            workspace,
            create=create,
            seeders=(genesis(self._clock),),
            backups=self.data.backups,
            clock=self._clock,
            checks=(hold_back,),
            after_commit=self.evidence.anchors_of(workspace).note,
        )

    def _open_install(self) -> Database:
        return Database.open(
            self.data.install_db, create=True, kind=SchemaKind.INSTALL, backups=self.data.backups, clock=self._clock
        )
