"""What the embedded broker says of rights: that none is missing, in answers that can be read."""

import logging

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from palimpsest.contracts.topics import CHANGES
from palimpsest.delivery.connection import KafkaSettings
from palimpsest.delivery.rights import why_unassigned
from tests.libs.delivery.stand import Stand

pytestmark = pytest.mark.embedded


async def test_a_service_that_waits_for_its_partitions_lacks_no_right_and_nothing_is_logged(
    kafka_bootstrap: str, topic_prefix: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = KafkaSettings(
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=1,
        idempotent_producer=False,
    )
    async with Stand(settings) as stand:
        await stand.bus("ingest").start()
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka_bootstrap)
        await admin.start()
        try:
            with caplog.at_level(logging.ERROR, logger="aiokafka"):
                why = await why_unassigned(admin, settings, CHANGES, "ingest")
        finally:
            await admin.close()
    assert why is None
    assert caplog.records == []
