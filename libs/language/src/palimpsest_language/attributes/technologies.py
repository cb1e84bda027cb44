"""Technologies that the rules know by name, and the attribute of a preference for each."""

import re

PREFERRED_BY_TECHNOLOGY_KIND = {
    "framework": "preferred_framework",
    "backend_framework": "preferred_backend_framework",
    "language": "preferred_language",
    "database": "preferred_database",
    "editor": "preferred_editor",
    "operating_system": "preferred_operating_system",
}

_NAMES = {
    "framework": """
        React|React Native|Vue|Vue 2|Vue 3|Vue.js|Angular|Svelte|SvelteKit|Solid|SolidJS|Next.js|
        Nuxt|Nuxt.js|Remix|Astro|jQuery|Ember|Flutter|SwiftUI|Qt|Electron|Tauri|HTMX
    """,
    "backend_framework": """
        Django|Flask|FastAPI|Spring|Spring Boot|Rails|Ruby on Rails|Express|NestJS|Laravel|Gin|
        Koa|Phoenix|ASP.NET|Starlette|Actix
    """,
    "language": """
        Python|TypeScript|JavaScript|TS|JS|Java|Kotlin|Go|Golang|Rust|C|C++|C#|Ruby|PHP|Swift|
        Scala|Elixir|Erlang|Haskell|Lua|Dart|Julia|R|Perl|Clojure|Zig|OCaml|F#
    """,
    "database": """
        PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Redis|Cassandra|DynamoDB|ClickHouse|
        Qdrant|Milvus|Pinecone|Neo4j|Elasticsearch|OpenSearch|Oracle|SQL Server|DuckDB|TiDB
    """,
    "editor": """
        VS Code|VSCode|Vim|Neovim|Emacs|IntelliJ|IntelliJ IDEA|PyCharm|WebStorm|Sublime Text|
        Cursor|Zed|Helix|Xcode|Android Studio
    """,
    "operating_system": """
        Linux|Ubuntu|Debian|Fedora|Arch|Arch Linux|macOS|Windows|NixOS
    """,
    "tool": """
        Kafka|RabbitMQ|Docker|Kubernetes|K8s|Podman|Terraform|Ansible|Jenkins|GitHub|GitLab|Git|
        GitHub Actions|Grafana|Prometheus|Nginx|Figma|Notion|Obsidian|Slack|Jira|Linear|Trello|
        Excel|PowerPoint|Photoshop|Blender|Unity|Unreal|PyTorch|TensorFlow|pandas|NumPy|Spark|
        Flink|Airflow|dbt|Tableau|Power BI|webpack|Vite|ESLint|Prettier|ruff|mypy|pytest|Jest|
        Playwright|Cypress|npm|pnpm|yarn|uv|Poetry|Maven|Gradle|GraphQL|gRPC|REST|Tailwind|
        Tailwind CSS|Bootstrap|Sass|Redux|Pinia|Vuex|LangChain|LlamaIndex|Ollama|OpenAI|Claude|
        ChatGPT|Copilot|AWS|Azure|GCP|Vercel|Netlify|Cloudflare|Supabase|Firebase|飞书|钉钉|企业微信
    """,
}

TECHNOLOGY_KIND = {
    " ".join(name.split()).casefold(): kind
    for kind, names in _NAMES.items()
    for name in names.split("|")
}


_LATIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.+#]*(?: [A-Za-z0-9][A-Za-z0-9.+#]*){0,2}")


def find_leading_technology(words: str) -> str | None:
    """Return the longest known technology at the beginning of the words, as it is written there."""
    if find_technology_kind(words):
        return words
    match = _LATIN_NAME.match(words)
    names = match.group().split(" ") if match else []
    while names:
        name = " ".join(names).rstrip(".")
        if find_technology_kind(name):
            return name
        names.pop()
    return None


def find_technology_kind(name: str) -> str | None:
    """Return the kind: `framework`, `language`, ..., `tool`; None for an unknown technology."""
    return TECHNOLOGY_KIND.get(" ".join(name.split()).casefold())


def find_preference_attribute(name: str) -> str | None:
    """Return the attribute of a preference for this technology; None for tools."""
    return PREFERRED_BY_TECHNOLOGY_KIND.get(find_technology_kind(name) or "")
