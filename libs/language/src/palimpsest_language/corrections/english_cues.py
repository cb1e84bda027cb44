"""The words with which people say that they told something wrong, in English."""

MAX_CORRECTION_CHARACTERS = 80
"""Characters of what sets a slip right: whoever says more says something else."""

MARKS = r"[,.!:;… —–-]*"
SLIP = (
    r"(?:sorry|sry|soz|oops|oopsie|whoops|wait|hang on|hold on|actually|scratch that|strike that|correction|typo|my (?:bad|mistake)|ignore that"
    r"|i(?:['’]?m| am)? wrong|(?:i )?(?:got|had|said|wrote|typed|put) (?:that|it) wrong|i (?:mean|meant)(?: to (?:say|write|put|type))?|meant(?: to (?:say|write|put|type))?"
    r"|(?:(?:that|it|i) )?should(?:['’]ve| have)? (?:be|been|say|said)|make that|\*)"
)
NO = r"(?:no+|nope|nah)"
LEAD = r"(?:(?:oh|ah|argh|ugh|um+|er+|hm+|ok(?:ay)?|well|so|and|but|yeah|yes|sorry|the \w+(?: \w+)?)[,.!… ]+)*?"
