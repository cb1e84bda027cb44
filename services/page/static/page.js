// What every view does: forms and links that change a part of the page, toasts, and live changes.
import { followFragments } from "./fragments.js";
import { followToasts } from "./toasts.js";
import { followChanges } from "./live.js";
import { followRefreshes } from "./refresh.js";

followToasts();
followFragments();
followChanges();
followRefreshes();
document.querySelector(".navigation [aria-current]")?.scrollIntoView({ block: "nearest" });
