"""Seeded conversations in plain English on many subjects, as an export of ChatGPT's shape: hardly two sentences alike.

E
ch conversation keeps to its own subject, people, place and numbers, as a real one does, and says small things ("Thanks,
that helps.") that thousands of others say too.
"""

from __future__ import annotations

import random
from typing import Any

from tests.samples.chatgpt import conversation

#: Subject: things, deeds done to them, qualities, places.
SUBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "garden": (
        ("tomato seedlings", "compost heap", "rose bed", "hedge", "greenhouse", "rain barrel", "apple tree", "lawn",
         "raspberry canes", "slug traps"),
        ("water", "prune", "mulch", "replant", "fertilise", "cover", "thin out", "weed"),
        ("soggy", "shaded", "overgrown", "frost-bitten", "dry", "healthy"),
        ("behind the shed", "along the south wall", "in the allotment", "on the balcony", "next to the pond"),
    ),
    "kitchen": (
        ("sourdough starter", "lentil soup", "pizza dough", "lemon tart", "rye loaf", "chicken stock", "risotto",
         "plum jam", "pickled cucumbers", "mushroom sauce"),
        ("knead", "simmer", "season", "chill", "bake", "strain", "freeze", "reheat"),
        ("too salty", "crumbly", "bland", "burnt at the edges", "sticky", "perfectly crisp"),
        ("in the small oven", "on the gas stove", "in a clay pot", "in the pantry", "at my aunt's house"),
    ),
    "database": (
        ("customer table", "nightly backup", "index on the orders", "replica", "migration script", "connection pool",
         "audit log", "stored procedure", "query planner", "foreign key"),
        ("rebuild", "migrate", "vacuum", "lock", "partition", "restore", "benchmark", "roll back"),
        ("slow", "corrupted", "out of date", "oversized", "consistent", "unreachable"),
        ("on the staging server", "in the Frankfurt cluster", "inside the container", "on the old host",
         "in production"),
    ),
    "travel": (
        ("night train", "rail pass", "ferry ticket", "hostel booking", "rucksack", "mountain hut", "border crossing",
         "rental bicycle", "sleeper cabin", "travel insurance"),
        ("book", "cancel", "postpone", "upgrade", "share", "pack", "collect", "confirm"),
        ("fully booked", "cheaper than expected", "delayed", "cramped", "scenic", "non-refundable"),
        ("at the central station", "near the fjord", "in the old town", "on the island", "across the pass"),
    ),
    "health": (
        ("blood pressure", "knee brace", "physiotherapy plan", "allergy test", "sleep diary", "vitamin tablets",
         "heart-rate monitor", "dental crown", "hearing aid", "reading glasses"),
        ("measure", "adjust", "track", "reduce", "replace", "discuss", "monitor", "repeat"),
        ("painful", "higher than usual", "stable", "itchy", "reassuring", "uncomfortable"),
        ("at the clinic", "with the family doctor", "before breakfast", "after the operation", "in the waiting room"),
    ),
    "taxes": (
        ("home office allowance", "VAT return", "donation receipt", "travel log", "pension statement", "rent ledger",
         "invoice archive", "advance payment", "capital gains form", "child benefit"),
        ("declare", "deduct", "estimate", "file", "amend", "attach", "appeal", "reconcile"),
        ("overdue", "incomplete", "deductible", "rejected", "rounded up", "double-counted"),
        ("at the tax office", "in the online portal", "for the last quarter", "on the second page", "with the adviser"),
    ),
    "music": (
        ("cello part", "string quartet", "metronome", "rehearsal room", "jazz chords", "violin bow", "choir folder",
         "sheet music", "drum pattern", "upright piano"),
        ("transpose", "tune", "memorise", "record", "slow down", "arrange", "conduct", "practise"),
        ("out of tune", "syncopated", "muffled", "too fast", "warm", "off the beat"),
        ("in the village church", "at the conservatory", "in the cellar studio", "on the festival stage",
         "in bar forty"),
    ),
    "bicycle": (
        ("rear derailleur", "brake pads", "chain", "spoke", "saddle", "dynamo light", "inner tube", "bottom bracket",
         "mudguard", "pannier rack"),
        ("grease", "tighten", "true", "clean", "swap", "align", "patch", "lubricate"),
        ("squeaking", "worn out", "loose", "rusty", "bent", "brand new"),
        ("in the workshop", "on the steep hill", "under the bridge", "at the repair café", "along the canal"),
    ),
    "astronomy": (
        ("eyepiece", "Orion nebula", "star atlas", "equatorial mount", "lunar eclipse", "red torch", "meteor shower",
         "finder scope", "rings of Saturn", "dew heater"),
        ("observe", "photograph", "collimate", "sketch", "calibrate", "locate", "stack", "point out"),
        ("blurry", "faint", "spectacular", "below the horizon", "washed out", "sharp"),
        ("from the hilltop", "in the observatory", "above the chimney", "in the dark-sky park", "over the lake"),
    ),
    "school": (
        ("fractions worksheet", "chemistry experiment", "spelling test", "parents' evening", "science fair",
         "timetable",
         "history essay", "reading corner", "field trip", "school play"),
        ("mark", "prepare", "explain", "postpone", "rehearse", "summarise", "hand out", "revise"),
        ("confusing", "well attended", "too difficult", "unfinished", "noisy", "rewarding"),
        ("in the gym", "with class seven", "in the library", "before the holidays", "at the museum"),
    ),
    "law": (
        ("tenancy agreement", "notice period", "deposit", "power of attorney", "witness statement", "settlement offer",
         "liability clause", "court date", "neighbour's fence", "warranty claim"),
        ("sign", "terminate", "dispute", "notarise", "renegotiate", "translate", "enforce", "withdraw"),
        ("ambiguous", "binding", "expired", "unfair", "generous", "missing a signature"),
        ("at the notary", "before the tribunal", "in the annex", "with the landlord", "at the consumer office"),
    ),
    "knitting": (
        ("cable sweater", "merino yarn", "sock heel", "circular needle", "baby blanket", "lace shawl", "gauge swatch",
         "buttonhole band", "mitten thumb", "stitch marker"),
        ("unravel", "cast on", "block", "graft", "felt", "lengthen", "dye", "bind off"),
        ("too tight", "lopsided", "itchy", "soft", "a row short", "beautifully even"),
        ("at the wool shop", "on the long train ride", "by the fireplace", "in the Thursday circle",
         "at the craft market"),
    ),
    "beekeeping": (
        ("queen bee", "brood frame", "honey extractor", "varroa board", "swarm trap", "smoker", "hive stand",
         "sugar syrup", "wax foundation", "entrance reducer"),
        ("inspect", "requeen", "feed", "insulate", "move", "treat", "harvest", "split"),
        ("aggressive", "queenless", "thriving", "mouldy", "capped", "light in weight"),
        ("in the orchard", "at the edge of the forest", "on the flat roof", "near the lime trees", "in the apiary"),
    ),
    "robotics": (
        ("stepper motor", "gripper", "lidar sensor", "battery pack", "motor driver", "line follower", "wheel encoder",
         "control loop", "servo arm", "emergency stop"),
        ("solder", "calibrate", "simulate", "rewire", "overload", "mount", "debug", "program"),
        ("overheating", "jittery", "unresponsive", "accurate to a millimetre", "short-circuited", "underpowered"),
        ("on the test bench", "in the maker space", "on the factory floor", "at the competition", "in the simulator"),
    ),
    "moving": (
        ("removal van", "sofa bed", "moving boxes", "change of address", "spare keys", "washing machine", "grand piano",
         "utility meter", "parking permit", "old wardrobe"),
        ("dismantle", "label", "insure", "store", "measure", "carry", "give away", "reserve"),
        ("scratched", "heavier than expected", "mislaid", "carefully wrapped", "too wide for the stairs",
         "ready to go"),
        ("on the third floor", "in the cellar", "at the new flat", "in front of the house", "in the storage unit"),
    ),
    "sailing": (
        ("mainsail", "anchor chain", "tide table", "life jacket", "spinnaker", "marine radio", "bilge pump",
         "mooring line", "compass", "harbour chart"),
        ("hoist", "reef", "splice", "inspect", "stow", "rinse", "trim", "replace"),
        ("torn", "tangled", "corroded", "trimmed well", "leaking", "short of the mark"),
        ("off the headland", "in the lee of the island", "at the visitors' pontoon", "in a force six",
         "in the estuary"),
    ),
}  # fmt: skip
PEOPLE = ("Marta", "Jonas", "Aylin", "Priya", "Tomás", "Ingrid", "Kofi", "Leila", "Hannah", "Mateo", "Yuki", "Samuel",
          "Freya", "Dmitri", "Noor", "Elias", "Chloe", "Rashid", "Vera", "Owen", "Sinead", "Bruno", "Amara",
          "Petra")  # fmt: skip
WHEN = ("on Monday", "next Tuesday", "last Thursday", "over the weekend", "in early March", "before the end of June",
        "on the ninth of October", "tomorrow morning", "in about three weeks", "two years ago", "this evening",
        "after New Year")  # fmt: skip
WHY = ("because the weather changed", "since nobody else has time", "as the budget is tight",
       "because the old one failed", "since we promised it", "as the instructions say", "because it worked last time",
       "since it was never checked",
       "because the deadline moved", "as I would rather be careful")  # fmt: skip
ASKED = (
    "How should I {deed} the {thing} {place} when it is {quality}?",
    "{person} wants to {deed} our {thing} {when}, but I think it is {quality}; what would you do?",
    "The {thing} {place} has been {quality} for {number} days, so should we {deed} it?",
    "Is it worth paying {number} euros to {deed} the {thing}, or can {person} do it {when}?",
    "We decided that {person} will {deed} the {thing} {when}, {why}.",
    "I tried to {deed} the {thing} {place} and now the {other} is {quality}.",
    "Remind me that the {thing} costs {number} euros and that {person} keeps the receipt.",
    "Could you compare the {thing} with the {other} before I {deed} either of them?",
)
ANSWERED = (
    "I would {deed} the {thing} first and leave the {other} alone until {person} has seen it.",
    "A {thing} that is {quality} usually recovers if you {deed} it within {number} hours.",
    "Start {place}: {deed} the {thing}, wait {number} minutes, then check whether the {other} is still {quality}.",
    "If the {other} stays {quality} after that, ask {person} to look at it {when}.",
    "Most people {deed} the {thing} too early, {why}, and then the {other} suffers.",
    "Write down {number} as the reference value for the {thing} so that {person} can compare it {when}.",
    "There are two ways: {deed} the {thing} yourself {place}, or pay about {number} euros for somebody who does.",
    "Noted: {person} takes care of the {thing} {when}, and the {other} can wait.",
)
SMALL = ("Thanks, that helps.", "Good, I will try that.", "Let me know how it goes.", "That makes sense to me.",
         "You are welcome.", "One more question about this.")  # fmt: skip


def conversations(count: int, turns: int, seed: int) -> list[dict[str, Any]]:
    """`count` conversations of `turns` messages, each of one to three sentences. The same seed gives the same."""
    chance = random.Random(seed)
    return [_conversation(chance, number, turns) for number in range(count)]


def _conversation(chance: random.Random, number: int, turns: int) -> dict[str, Any]:
    subject = chance.choice(sorted(SUBJECTS))
    things, deeds, qualities, places = SUBJECTS[subject]
    # What a conversation is about does not change from message to message.
    kept = {"things": chance.sample(things, 4), "people": chance.sample(PEOPLE, 2), "places": chance.sample(places, 2)}

    def sentence(forms: tuple[str, ...]) -> str:
        thing, other = chance.sample(kept["things"], 2)
        said = chance.choice(forms).format(
            thing=thing, other=other, deed=chance.choice(deeds), quality=chance.choice(qualities),
            place=chance.choice(kept["places"]), person=chance.choice(kept["people"]), when=chance.choice(WHEN),
            why=chance.choice(WHY), number=chance.randrange(3, 990),
        )  # fmt: skip
        return said[0].upper() + said[1:]

    def message(role: str) -> tuple[str, str]:
        said = [sentence(ASKED if role == "user" else ANSWERED) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
        if chance.random() < 0.2:
            said.append(chance.choice(SMALL))
        return role, " ".join(said)

    spoken = [message("user" if turn % 2 == 0 else "assistant") for turn in range(turns)]
    title = f"The {kept['things'][0]} {kept['places'][0]}"
    return conversation(f"v{number:04d}", spoken, title=title, create_time=1_700_000_000.0 + 40_000.0 * number)
