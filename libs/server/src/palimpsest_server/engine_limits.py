"""Limits of the embedded broker and database that code works around, by name.

The embedded servers need neither Docker nor Java. They do less than Apache Kafka and MongoDB. Code that
works around a limit names it in a comment, so that a search for the name finds every workaround, and
the workaround can go when the limit is gone.
"""

from enum import StrEnum


class BrokerLimit(StrEnum):
    """Limits of the embedded broker."""

    NO_FETCH_WAKE_UP = "a record does not wake a fetch that waits for it: readers poll, or are told"
    FETCH_LISTS_ALL_BATCHES = (
        "a fetch lists every batch that the partition ever took: 1 ms for each thousand of them"
    )
    LOG_IN_MEMORY = (
        "the log is kept in memory, 10 KB for each message, and is lost with the process"
    )
    NO_IDEMPOTENT_PRODUCER = "idempotent producers are unknown"
    UNREADABLE_OFFSETS = "offsets of all topics are answered in a form that aiokafka cannot read"


class DatabaseLimit(StrEnum):
    """Limits of the embedded database."""

    ONE_COMMAND_AT_A_TIME = (
        "a command holds up all others: 1 to 4 ms for each document that is written"
    )
    NO_PARTIAL_INDEX_READS = "a partial index keeps something unique and is never read by"
    NO_INDEXED_SORT = "no index is sorted by: every document that is found is read for it"
    NO_INDEX_UNDER_AND_OR = "an `$and` or `$or` at the top reads the whole collection"
    FIRST_INDEXED_FIELD_ONLY = "only the first indexed field of a query is looked up"
    SLOW_UPSERT = "replacing a document costs five times as much as inserting one"
    LONG_ID_LISTS = "each document is compared with all ids of an `$in`: their square is paid for"
    FULL_DISK_IS_INTERNAL_ERROR = "a full disk is reported as InternalError"
    STALE_UNIQUE_KEYS = "natively, a unique value that an update took away is refused ever after"
    NO_EXPIRY = "expired documents are not deleted by the database"
