"""Words too common to tell one memory from another."""

ENGLISH = frozenset(
    """
    a an the and or but if then than so as of at by for from in into on onto to up with about
    i me my mine myself we us our ours you your yours he him his she her hers it its they them
    their theirs this that these those there here who whom whose which what when where why how
    is am are was were be been being do does did done doing have has had having will would shall
    should can could may might must not no nor too very just also only own same such each any
    all both some more most other again once s t d ll m re ve don didn doesn isn aren wasn
    weren won wouldn couldn shouldn hasn haven hadn
    """.split()  # noqa: SIM905 - a list of words reads better as words
) - {"may"}
"""`may` stays in: a month is often what tells two memories apart."""

CHINESE = frozenset(
    """
    的 了 着 过 是 在 和 与 及 或 也 都 就 还 又 很 吗 呢 吧 啊 呀 嘛 哦 嗯 我 你 您 他 她 它 们
    我们 你们 他们 她们 这 那 哪 这个 那个 哪个 这些 那些 什么 怎么 怎样 为什么 谁 有 没有 不 没
    要 会 能 可以 把 被 对 从 到 给 让 向 为 以 之 其 而 但 但是 因为 所以 如果 一个 一 个 上 下
    里 去 来 说 想 多少 几 请 请问
    """.split()  # noqa: SIM905
)
