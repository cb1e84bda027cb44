"""Forty ways in which words could become a script, were they ever taken for HTML, an address or a template."""

MARK = "ran"
"""The property of `window` that each of them sets where it runs."""

_RUN = f"window.{MARK}=1"

PAYLOADS = (
    f"<script>{_RUN}</script>",
    f"<ScRiPt>{_RUN}</sCrIpT>",
    f"</script><script>{_RUN}</script>",
    f"<script\n>{_RUN}</script\n>",
    f"<script src=data:text/javascript,{_RUN}></script>",
    f"<img src=x onerror={_RUN}>",
    f"<img src=x oNeRrOr={_RUN}//",
    f'<img src="x" onerror="{_RUN}">',
    f"<img/src=x/onerror={_RUN}>",
    f"<svg onload={_RUN}>",
    f"<svg/onload={_RUN}>",
    f"<svg><script>{_RUN}</script></svg>",
    f"<svg><animate onbegin={_RUN} attributeName=x dur=1s>",
    f"<math><mtext><img src=x onerror={_RUN}></mtext></math>",
    f"<body onload={_RUN}>",
    f"<details open ontoggle={_RUN}>",
    f"<input autofocus onfocus={_RUN}>",
    f"<select autofocus onfocus={_RUN}></select>",
    f"<video><source onerror={_RUN}></video>",
    f"<audio src=x onerror={_RUN}></audio>",
    f"<iframe srcdoc='<script>parent.{MARK}=1</script>'></iframe>",
    f'<iframe src="javascript:parent.{MARK}=1"></iframe>',
    f'<object data="javascript:{_RUN}"></object>',
    f'<embed src="javascript:{_RUN}">',
    f'<a href="javascript:{_RUN}" autofocus>tea</a>',
    f'<form action="javascript:{_RUN}"><button>tea</button></form>',
    f'<base href="javascript:{_RUN}//">',
    f'<link rel=stylesheet href="javascript:{_RUN}">',
    f'<meta http-equiv=refresh content="0;url=javascript:{_RUN}">',
    f"<style>@import 'javascript:{_RUN}'</style>",
    f"<template><img src=x onerror={_RUN}></template>",
    f"</template><img src=x onerror={_RUN}>",
    f"</textarea><img src=x onerror={_RUN}>",
    f"</title><img src=x onerror={_RUN}>",
    f"--><img src=x onerror={_RUN}>",
    f'"><img src=x onerror={_RUN}>',
    f"'><img src=x onerror={_RUN}>",
    f'" onmouseover={_RUN} autofocus onfocus={_RUN} x="',
    f"`${{{_RUN}}}`",
    "{{ [].constructor.constructor('" + _RUN + "')() }}",
)
