// Recall: the block for a prompt is copied on request.
import { followCopies } from "./copies.js";

followCopies();
