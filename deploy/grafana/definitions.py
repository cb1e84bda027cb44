"""The dashboards. Every panel's metrics exist in the code; a test holds them to it."""

from deploy.grafana.boards.first_page import FIRST_PAGE
from deploy.grafana.boards.memory_quality import MEMORY_QUALITY
from deploy.grafana.boards.models import MODELS
from deploy.grafana.boards.pipeline import PIPELINE
from deploy.grafana.boards.recall import RECALL

DASHBOARDS = (FIRST_PAGE, PIPELINE, RECALL, MEMORY_QUALITY, MODELS)
