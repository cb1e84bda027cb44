import { followSecrets } from "./secrets.js";

followSecrets("key-form");
