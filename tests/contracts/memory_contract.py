"""What every store of memories promises, run against the twin and against MongoDB."""

from tests.contracts.memory_accesses_contract import MemoryAccessesContract
from tests.contracts.memory_finding_contract import MemoryFindingContract
from tests.contracts.memory_listing_contract import MemoryListingContract
from tests.contracts.memory_writing_contract import MemoryWritingContract


class MemoryStoreContract(
    MemoryWritingContract, MemoryFindingContract, MemoryListingContract, MemoryAccessesContract
):
    """All of it."""
