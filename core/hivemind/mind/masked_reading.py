"""The archive as it may be shown and sent out: verbatim but for secrets."""

from __future__ import annotations

from dataclasses import replace

from hivemind.domain.masking import mask
from hivemind.domain.sessions import Conversation, Message
from hivemind.mind.transaction import MindTransaction


class MaskedReader:
    """Masks one text after another by what the mind's owner called no secret."""

    def __init__(self, tx: MindTransaction) -> None:
        self._tx = tx
        self._allowed = tx.suppressions.not_secrets()

    def text(self, text: str) -> str:
        return mask(text, self._allowed).text

    def message(self, message: Message) -> Message:
        masked = mask(message.text, self._allowed)
        return replace(message, text=masked.text) if masked.secrets else message

    def conversation(self, session_id: str) -> Conversation:
        """Raises SessionNotFound."""
        whole = self._tx.archive.conversation(session_id)
        session = replace(whole.session, title=self.text(whole.session.title))
        return Conversation(session, tuple(map(self.message, whole.messages)))
