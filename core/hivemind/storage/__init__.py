"""SQLite itself: opening, threads, schema, migrations, backup. The only room that knows how a file is kept."""

from apsw import Connection as Connection

from hivemind.storage.creation import Seeder as Seeder
from hivemind.storage.database import Database as Database
from hivemind.storage.schema import SCHEMA_VERSION as SCHEMA_VERSION
from hivemind.storage.schema import SchemaKind as SchemaKind
from hivemind.storage.schema import schema_hash as schema_hash
from hivemind.storage.vectors import VectorSupport as VectorSupport
from hivemind.storage.work import Priority as Priority
