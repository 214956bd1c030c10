"""English words the rules look for. Every list becomes the alternatives of a pattern."""

from collections.abc import Mapping
from typing import Final


def _alternatives_en(words: str) -> str:
    """Return the phrases of a list, which commas and line ends part."""
    phrases = (" ".join(phrase.split()) for phrase in words.replace("\n", ",").split(","))
    return "|".join(sorted(filter(None, phrases), key=len, reverse=True))


WORDS_EN: Final[Mapping[str, str]] = {
    name: _alternatives_en(words)
    for name, words in {
        "FAMILY": """
            wife, husband, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee
            mother, mom, mum, father, dad, parents, sister, sisters, brother, brothers, son
            sons, daughter, daughters, kid, kids, child, children, twins, grandma, grandpa
            grandmother, grandfather, roommate, flatmate""",
        "PET": """
            cat, cats, kitten, kittens, dog, dogs, puppy, puppies, rabbit, rabbits, bunny
            bunnies, hamster, hamsters, guinea pig, guinea pigs, parrot, parrots, bird
            birds, chickens, turtle, turtles, tortoise, fish, goldfish, lizard, snake
            snakes, horse, horses, pony""",
        "TRADE": """
            engineer, programmer, developer, designer, architect, analyst, consultant
            manager, teacher, professor, tutor, student, undergrad, freshman, sophomore
            postdoc, intern, researcher, scientist, librarian, translator, journalist
            editor, writer, artist, painter, photographer, musician, singer, actor, actress
            doctor, nurse, dentist, vet, pharmacist, therapist, psychologist, paramedic
            firefighter, police officer, soldier, lawyer, accountant, social worker, driver
            pilot, chef, cook, baker, barista, waiter, waitress, salesperson, plumber
            electrician, carpenter, farmer, freelancer, entrepreneur, vegetarian, vegan
            pescatarian, night owl, early bird, only child, single mom, single dad
            single mother, single father""",
        "ILLNESS": """
            diabetes, asthma, depression, anxiety disorder, adhd, autism, cancer, migraines
            epilepsy, arthritis, insomnia, high blood pressure, celiac disease, anemia
            lupus, eczema""",
        "HOW": """
            really, also, absolutely, especially, still, do, always, just, truly
            particularly, mostly, usually, now, currently, originally, finally, recently""",
        # what a liking is not worth keeping of
        "NOTHING": """
            you, your, it, its, that, this, them, him, her, these, those, how, what, when
            where, the idea, to hear, to talk, to know, to ask, talking, hearing, chatting
            so, us, myself""",
        "OTHERS": "you, your, yours, me, it, him, her, them, because",
        "DULL": """
            very, so, quite, too, really, not, pretty, stable, stressful, boring, hard, fine
            great, good""",
        "TRIFLE": """
            try, check, look, let, talk, see, be fine, watch a movie, go for a walk
            take a walk, go to bed, sleep""",
        "PERIOD": """
            day, morning, evening, night, week, weekend, month, year, monday, tuesday
            wednesday, thursday, friday, saturday, sunday""",
        "MOOD": "happy, sad, tired, fine, sorry, glad, good, ok, so, here, back, new",
    }.items()
}
