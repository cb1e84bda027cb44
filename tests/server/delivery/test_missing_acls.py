"""What the embedded broker says of rights: that none is missing, in answers that can be read."""

import logging

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from palimpsest.events.topics import CHANGES
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.missing_acls import find_missing_consumer_acl
from tests.support.server.delivery.stand import Stand

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
                why = await find_missing_consumer_acl(admin, settings, CHANGES, "ingest")
        finally:
            await admin.close()
    assert why is None
    assert caplog.records == []
