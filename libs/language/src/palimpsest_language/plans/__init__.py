"""Plans and habits in plain words, and the later words that end them. Pure.

They have no attribute and so no line in which one would take another's place.

| said later | what ends |
| --- | --- |
| cancelled the Tucson trip, 云南不去了 | the plan that it names |
| doesn't go to choir anymore | the habit |
| 手术改到12月15号, dinner is Friday now | the plan for another day |
| told again with another time, by its message and a later one | the plan as it was told before |
| three tickets (three instead of two) | the two tickets |
| flying to Tucson after all, 还是打算去云南 | what called it off |
| works days now | the sentence in which nights were told |

`ending` decides what ends, `keys` finds what may, `naming` asks the languages. Each language is
a module of word rules: a new one is a module and a place in `naming.LANGUAGES`.
"""
