"""Every sentence the program itself says, in every language it speaks.

A sentence is a constant of the module of its area, both languages side by side, so that neither
can be missing::

    # bot/texts/doctor.py
    NO_MODEL = Sentence(zh="还没有设置模型 {name}。", en="No model {name} is set.")

    # where it is said
    from bot.texts import doctor, say
    say(settings.language, doctor.NO_MODEL, name=name)

To add sentences, add constants; a new area is a new module here. The tests find every module,
check both languages, and compare each ``say`` with the placeholders of what it says.
"""

from bot.texts.sentence import Sentence, say

__all__ = ["Sentence", "say"]
