"""Orders to an AI that stand in imported text: found by fixed rules, to be held back until somebody has looked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

#: A text is held back from this weight on.
HOLD_AT = 1.0
#: Where tools and web pages speak, nobody talks about prompts: a little is enough.
HOLD_TOOL_AT = 0.6
_EXCERPT = 160
_SPAN = 240
#: Characters within which suspicions add up.
_NEAR = 1_500


class Suspicion(NamedTuple):
    """A rule that met something at start..end."""

    start: int
    end: int
    kind: str
    label: str
    weight: float


class Scan(NamedTuple):
    """What a scan met, in order of place. `weight`: the heaviest passage, summed over kinds; `passages`: start and end
    of those that are too heavy to be passed on."""

    suspicions: tuple[Suspicion, ...]
    weight: float
    passages: tuple[tuple[int, int], ...]

    @property
    def held(self) -> bool:
        return bool(self.passages)


@dataclass(frozen=True, slots=True)
class InjectionRule:
    """Of `needles`, and of `also` if there are any, one stands in every match. `label` ends the sentence "It …".

    Needles and pattern are for the lower-cased text.
    """

    kind: str
    label: str
    weight: float
    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    also: tuple[str, ...] = ()


_BEFORE = (
    r"(?:all |any |the |your |my |these |those |every(?:thing)? |of ){0,4}"
    r"(?:previous|prior|earlier|above|preceding|former|existing|original|system|safety|foregoing)"
)
_ORDERS = (
    r"(?:(?:system |safety )?(?:instructions?|prompts?|directions?|directives?|rules?|guidelines?|guardrails"
    r"|commands?|policies"
    r"|restrictions?|programming)|messages?\b(?= (?:and|,))|context(?= and))"
)
_SECRETS = (
    r"(?:passwords?|credentials?|api[ _-]?keys?|secrets?|tokens?|private keys?|memor(?:y|ies)|vault"
    r"|chat (?:history|log)"
    r"|conversation(?: history)?|emails?|contacts?|\.env|ssh keys?|files?|data|notes|system prompt)"
)


_OVERRIDES = "ignor|disregard|forget|override|bypass|overrule|follow|vergiss|missachte|oublie|olvida"


def _rule(kind: str, label: str, weight: float, needles: str, pattern: str, also: str = "") -> InjectionRule:
    more = tuple(also.split("|")) if also else ()
    return InjectionRule(kind, label, weight, tuple(needles.split("|")), re.compile(pattern), more)


INJECTION_RULES: tuple[InjectionRule, ...] = (
    _rule(
        "override", "tells an AI to ignore its rules", 1.0, _OVERRIDES,
        rf"\b(?:ignor(?:e|ing)|disregard|forget|override|bypass|overrule|do not follow"
        rf"|stop following)[ ,:]+{_BEFORE} {_ORDERS}",
    ),
    _rule(
        "override", "tells an AI to ignore its rules", 1.0, _OVERRIDES,
        r"\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: that)?(?: (?:was|is|has been))?"
        r" (?:you (?:were|have been|are|know)|i (?:said|told)|above|before|said|written|stated)\b.{0,60}?"
        r"\b(?:and|instead|now|from now)\b",
    ),
    _rule(
        "override", "tells an AI to ignore its rules", 1.0, _OVERRIDES,
        r"\b(?:ignoriere|vergiss|missachte)\b.{0,30}\b(?:vorherigen|bisherigen|obigen|früheren)\b.{0,20}"
        r"(?:anweisung|regel|instruktion|vorgabe)|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,30}\b(?:instructions"
        r"|consignes|règles)"
        r" (?:précédentes|antérieures|ci-dessus)|\b(?:ignora|olvida)\b.{0,30}\b(?:instrucciones|reglas"
        r"|istruzioni)\b.{0,20}"
        r"(?:anteriores|previas|precedenti)|\bignor(?:e|a)\b.{0,30}\binstruções anteriores",
    ),
    _rule(
        "override", "tells an AI to ignore its rules", 1.0, "忽略|忽视|无视|無視|무시",
        r"(?:忽略|忽视|无视|無視して?).{0,12}(?:指令|指示|提示|规则|命令)|(?:指示|命令|ルール)を(?:すべて)?無視|(?:지시|명령|규칙).{0,8}무시",
    ),
    _rule(
        "role", "gives an AI a new role without rules", 1.0,
        "you are|without|with no|have no|free of|developer mode|dan mode|jailbreak mode|god mode|sudo mode",
        r"\byou are (?:now |no longer )(?:in )?(?:dan\b|an? (?:unrestricted|unfiltered|uncensored|jailbroken)"
        r"|developer mode"
        r"|bound by|(?:an? )?(?:ai|assistant|model) (?:without|with no) (?:any )?(?:rules|restrictions|filters"
        r"|limits))"
        r"|\b(?:act|behave|respond|pretend)\b.{0,40}\b(?:without|with no|have no|free of) (?:any )?(?:rules"
        r"|restrictions|filters"
        r"|limitations|guidelines|safeguards)|\b(?:enable|enter|activate|switch to)\b.{0,12}\b(?:developer|dan"
        r"|jailbreak|god|sudo)"
        r" mode",
    ),
    _rule(
        "extraction", "asks an AI for its hidden instructions", 0.7, "prompt|instructions",
        r"\b(?:reveal|print|output|repeat|show|display|disclose|leak|reproduce|recite)\b.{0,30}\b(?:your"
        r"|the) (?:full |entire "
        r"|complete |exact |initial |original |hidden |secret ){0,2}(?:system prompt|system message"
        r"|hidden instructions"
        r"|initial instructions|(?:instructions|prompt) (?:verbatim|word for word|above))",
    ),
    _rule(
        "impersonation", "is dressed up as a message of the system or a tool", 1.0,
        "<|inst]|system|developer|user",
        r"<\|(?:im_start|im_end|system|assistant|endoftext|eot_id|start_header_id)\|>|\[/?inst\]|<</?sys>>"
        r"|</?(?:system|system_prompt|system-reminder|tool_call|tool_calls|function_calls?|invoke|tool_result"
        r"|tool_use)\b[^>\n]{0,80}>"
        r"|(?:^|\n)\s{0,3}(?:#{1,4} ?|\*\*|\[)?(?:system|developer)(?: (?:message|prompt|override|note"
        r"|update))?(?:\]|\*\*)?"
        r":(?:\*\*)? ?(?:you (?:are|must|will|have)|ignore|new (?:instructions|rules)|override|the (?:assistant"
        r"|user) (?:must|is|has)"
        r"|from now)|[-=_#]{3,} ?(?:begin|end|start)(?: of)?(?: the)? (?:system|user|developer) (?:prompt"
        r"|instructions|message|input)",
    ),
    _rule(
        "address", "speaks to whatever AI reads it", 0.7,
        "attention|note to|important|instruction|message for|message to|dear|hey|hello|if you are|ing this",
        r"\b(?:attention|note to|important|instructions? (?:for|to)|message (?:for|to)|dear|hey"
        r"|hello)[:,]? (?:all |any |the |every )?"
        r"(?:ai|llm|language model|assistant|chatbot|chatgpt|claude|gemini|copilot|agent)s?\b"
        r"|\bif you are (?:an? |the )?(?:ai|llm|language model|(?:ai )?assistant|chatbot|(?:ai )?agent"
        r"|large language model)\b"
        r"|\b(?:ai|llm) (?:assistants?|agents?|models?) (?:reading|processing|summari[sz]ing"
        r"|parsing) this (?:must|should|are|have)\b",
        also="ai|llm|model|assistant|chatbot|chatgpt|claude|gemini|copilot|agent",
    ),
    _rule(
        "new_orders", "gives new instructions to an AI", 0.5, "instruction|task|from now on|directive|you must",
        r"\b(?:new|updated|real|actual|revised) (?:system )?(?:instructions?|directives?|task|objective"
        r"|rules)\s?(?::|are|follow)"
        r"|\bfrom now on,? (?:you (?:will|must|are|should|always)|always|never|every (?:answer|reply|response))"
        r"|\byou must (?:now )?(?:obey|comply|execute|follow (?:these|the following|my))",
    ),
    _rule(
        "secrecy", "asks an AI to hide something from you", 0.7, "tell|mention|inform|reveal|notify|alert|warn",
        r"\b(?:do not|don't|never|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|revealing"
        r"|notify|notifying|alert"
        r"|alerting|warn|warning)\b.{0,24}\b(?:the )?(?:user|human|person|owner|operator|this (?:instruction"
        r"|message|to))",
    ),
    _rule(
        "exfiltration", "asks an AI to send your data away", 0.8,
        "send|mail|post|upload|forward|exfiltrate|transmit|submit|leak|append",
        rf"\b(?:send|e?-?mail|post|upload|forward|exfiltrate|transmit|submit|leak|deliver)\b(?!ing)[^.\n]{{0,40}}"
        rf"\b(?:the |your |all |any |every |user'?s? |their |our |its "
        rf"|my ){{0,3}}(?:\w+ ){{0,2}}{_SECRETS}\b[^\n]{{0,60}}\b(?:to|at|via|into)\b"
        r"[^\n]{0,24}(?:https?://|[\w.+\-]+@[\w\-]+\.|attacker|webhook|this (?:url|address|server|endpoint))",
        also="http|@|attacker|webhook|this url|this address|this server|this endpoint",
    ),
    _rule(
        "exfiltration_link", "carries data away in a link", 1.0, "](http|<img",
        r"!?\[[^\]\n]{0,200}\]\(https?://[^)\s]{3,200}[?&/=](?:[^)\s]{0,60}=)?(?:\{\{?|%7b|\$\{|<|\[)[^)\n]{0,20}"
        r"(?:secret|data|prompt|memor|history|conversation|chat|password|token|key|summary|context|user|info"
        r"|answer)[^)\n]{0,80}\)"
        r"|<img[^>\n]{1,120}src=[\"']?https?://[^>\s\"']{3,160}=(?:\{\{?|\$\{|\[)[^>\n]{1,80}>",
    ),
    _rule(
        "action", "asks an AI to run something", 0.6, "execute|run |call|invoke|curl|rm -rf|use the",
        r"\b(?:execute|run|call|invoke|use) (?:the |this |following |these ){0,2}(?:following )?(?:tool"
        r"|function|shell|bash|terminal"
        r"|commands?|script|code|send_email|delete_\w+|transfer_\w+)\b[^\n]{0,40}(?:immediately|silently|now"
        r"|without (?:asking|confirmation"
        r"|approval)|before (?:answering|responding|replying))|\bcurl\b[^\n]{0,80}\|\s{0,2}(?:ba|z)?sh\b[^\n]{0,20}"
        r"(?:silently|immediately|without)",
    ),
)  # fmt: skip

#: Rules by their needles: those that share them are looked at together.
_GROUPS = tuple(
    (needles, tuple(rule for rule in INJECTION_RULES if rule.needles == needles))
    for needles in dict.fromkeys(rule.needles for rule in INJECTION_RULES)
)

# Tag characters spell hidden ASCII; long runs of zero-width or direction signs hide words from a reader.
_HIDDEN = re.compile(
    "[\U000e0020-\U000e007e]{4,}\U000e007f?|[\u200b\u200c\u2060\u2061-\u2064\ufeff\u180e]{6,}"
    "|[\u202a-\u202e\u2066-\u2069]{3,}"
    "|[\ufe00-\ufe0e\U000e0100-\U000e01ef]{4,}"
)
_INVISIBLE = re.compile(
    "[\U000e0020-\U000e007e\u200b\u200c\u2060-\u2064\ufeff\u180e\u202a-\u202e\u2066-\u2069\ufe00-\ufe0e\U000e0100-\U000e01ef]"
)
_FLAG = "\U0001f3f4"
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "`": "`", "'": "'", "‘": "’", "「": "」"}
_ABOUT = re.compile(
    r"(?i)prompt[ -]?injection|jailbreak|\battack|\bphrases?\b|\bsuch as\b|\be\.g\.|\bfor example\b|\bexample\b"
    r"|\blike\b"
    r"|\bdetect|\bfilter|\bclassif|\bmalicious|\badversarial|\bred[ -]team|\bvulnerab|\bsays?\b|\bcalled\b"
    r"|\bwords?\b|\bwhat (?:does|is)\b"
    r"|\bexplain|\bmeans?\b|\btitle|\bblog|\barticle|\bpaper\b|\bquote|\bz\. ?b\."
)
_SOFTENED = 0.3


def scan(text: str, *, tool: bool = False) -> Scan:
    """Look for orders to an AI. `tool`: the text came from a tool, a web page or an attachment, where less is enough.

    A phrase in quotation marks, near words that talk about such phrases, weighs little: people discuss prompts.
    """
    found = list(_hidden(text))
    # The one letter that grows when it is lowered would move every place behind it.
    folded = (text.replace("İ", "i") if "İ" in text else text).lower()
    for needles, rules in _GROUPS:
        for needle in needles:
            if needle in folded:
                break
        else:
            continue
        for rule in rules:
            if rule.also and not any(one in folded for one in rule.also):
                continue
            for match in rule.pattern.finditer(folded):
                weight = rule.weight * (_SOFTENED if _talked_about(text, match.start(), match.end()) else 1.0)
                found.append(Suspicion(match.start(), match.end(), rule.kind, rule.label, weight))
    return _weighed(sorted(found), HOLD_TOOL_AT if tool else HOLD_AT) if found else NOTHING


NOTHING = Scan((), 0.0, ())


def _weighed(found: list[Suspicion], limit: float) -> Scan:
    """Suspicions that stand close together are one passage: in a long text, each of many topics weighs for itself."""
    passages: list[tuple[int, int]] = []
    heaviest = 0.0
    for first in found:
        near = [one for one in found if first.start <= one.start <= first.start + _NEAR]
        weight = sum(max(one.weight for one in near if one.kind == kind) for kind in {one.kind for one in near})
        heaviest = max(heaviest, weight)
        if weight >= limit:
            passages.append((first.start, max(one.end for one in near)))
    return Scan(tuple(found), heaviest, tuple(passages))


def _hidden(text: str) -> list[Suspicion]:
    if text.isascii() or not _INVISIBLE.search(text):
        return []
    label = "holds text that people cannot see"
    return [
        Suspicion(match.start(), match.end(), "hidden", label, 1.0)
        for match in _HIDDEN.finditer(text)
        # The flags of England, Scotland and Wales are spelled with tag characters.
        if not (match.start() and text[match.start() - 1] == _FLAG and len(match[0]) <= 8)
    ]


def _talked_about(text: str, start: int, end: int) -> bool:
    """Whether the phrase is quoted, and its surroundings speak of such phrases."""
    return _quoted(text, start, end) and bool(_ABOUT.search(text, max(0, start - _SPAN), min(len(text), end + _SPAN)))


def _quoted(text: str, start: int, end: int) -> bool:
    """Whether a pair of quotation marks on its line encloses the phrase."""
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    before, after = text[line:start], text[end : stop if stop >= 0 else len(text)]
    return any(
        (opening == closing and before.count(opening) % 2 == 1 and closing in after and opening != "'")
        or (opening == closing == "'" and re.search(r"(?:^|[\s(:])'[^']*$", before) is not None and "'" in after)
        or (opening != closing and before.rfind(opening) > before.rfind(closing) and closing in after)
        for opening, closing in _QUOTES.items()
    )


def reason_of(found: Scan) -> str:
    """Why a text is held back, for a person: "It tells an AI to ignore its rules, and …"."""
    labels = dict.fromkeys(one.label for one in sorted(found.suspicions, key=lambda one: -one.weight))
    return f"It {' and '.join(list(labels)[:2])}."


def excerpt_of(text: str, suspicion: Suspicion) -> str:
    """The passage with a little around it, on one line, at most 160 characters."""
    start = max(0, suspicion.start - 30)
    passage = " ".join(text[start : start + _EXCERPT * 2].split())
    return passage if len(passage) <= _EXCERPT else passage[: _EXCERPT - 1].rstrip() + "…"
