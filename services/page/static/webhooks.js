import { followSecrets } from "./secrets.js";

followSecrets("webhook-form");
