// Recall: the block for a prompt is copied on request.
import { followSecrets } from "./secrets.js";

followSecrets("block-form");
