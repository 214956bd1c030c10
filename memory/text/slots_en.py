"""The English ways of speaking of a slot: see :func:`memory.text.slot_cues.cues` for the notation.

Each expression is searched in one clause, in which I stands for the speaker. The first that fits
wins within its slot, so what is more particular comes first.
"""

from typing import Final

MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)

_ORDINAL: Final = r"\d{1,2}(?:st|nd|rd|th)?"

WORDS: Final = {
    "DATE": rf"(?:the )?{_ORDINAL}(?: of)? {MONTH}\b|{MONTH} (?:the )?{_ORDINAL}\b",
    "MON": MONTH,
    "DAY": (
        rf"(?:the )?{_ORDINAL}(?: of)? {MONTH}\b|{MONTH} (?:the )?{_ORDINAL}\b"
        r"|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|the \d{1,2}(?:st|nd|rd|th)"
        r"|tomorrow|tonight|next (?:week|month|weekend|spring|summer|autumn|fall|winter)"
    ),
    "NUMBER": (
        r"\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three"
        r"|four|five|six|seven|eight|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen"
    ),
    "JOB": (
        r"(?!(?:mother|father|brother|sister|daughter|smoker|teenager|beginner|foreigner|lover"
        r"|believer|drinker|eater|sleeper|runner|swimmer|owner|member|number|partner|reader"
        r"|listener|talker|hater|loser|winner|fighter|person|human|christian|vegetarian|man|woman"
        r"|monster|bother|gamer|homeowner|newcomer|outsider|loner|riser|starter|quitter)\b)"
        r"(?:[a-z]{2,}(?:er|or|ist|ian|yst|eer|smith|keeper|man|woman|ant|tect)|nurse|chef|vet|cook"
        r"|clerk|judge|pilot|paramedic|actuary|intern|temp|guard|guide|mechanic|attorney"
        r"|professor|doctor|tutor|student teacher|au pair|nanny|secretary|dj|ceo|cto|lead|dev"
        r"|freelancer|barista|apprentice|head of [a-z]+|rep|pa|ta|civil servant)\b"
    ),
    "TRADE": (
        r"engineer|programmer|developer|designer|architect|analyst|consultant|manager|teacher"
        r"|professor|tutor|intern|researcher|scientist|librarian|translator|journalist|editor|writer"
        r"|painter|photographer|musician|singer|actor|actress|doctor|nurse|dentist|vet|pharmacist"
        r"|therapist|psychologist|paramedic|firefighter|police officer|soldier|lawyer|solicitor"
        r"|barrister|accountant|social worker|driver|pilot|chef|cook|baker|barista|waiter|waitress"
        r"|plumber|electrician|carpenter|joiner|welder|mechanic|builder|gardener|farmer|fisherman"
        r"|freelancer|porter|receptionist|cleaner|caretaker|security guard|cashier|clerk|secretary"
        r"|civil servant|actuary|auditor|banker|broker|estate agent|hairdresser|barber|tailor"
        r"|butcher|bartender|landscaper|roofer|courier|postman|midwife|carer|nanny|au pair|coach"
        r"|personal trainer|lecturer|postdoc|sculptor|potter|illustrator|producer|director|apprentice"
    ),
    "SPOUSE": r"boyfriend|girlfriend|partner|wife|husband|fianc[ée]e?|bf|gf|fella|missus",
    "PET": (
        r"cat|kitten|dog|puppy|rabbit|bunny|hamster|guinea pig|parrot|budgie|tortoise|turtle"
        r"|goldfish|fish|snake|lizard|horse|pony|ferret|gecko|chicken"
    ),
    "PHONE": r"phone|iphone|pixel|galaxy|oneplus|nokia|motorola|fairphone|xperia|android",
    "CAR": (
        r"car|van|truck|motorbike|motorcycle|corolla|civic|golf|polo|fiesta|prius|tesla|beetle|mini"
        r"|audi|bmw|toyota|honda|ford|volvo|fiat|subaru|mazda|kia|hyundai|jeep|skoda|nissan|camry"
    ),
    "SPORT": r"gym|run(?:ning)?|swim(?:ming)?|yoga|pilates|jog(?:ging)?|climb(?:ing)?|spin|boxing",
    "PASSED": r"passed(?: away| on| in \w+ sleep)?(?! (?:my|the|our|his|her|their|your|an?|it|all|every|first|with|\w+ (?:tests?|exams?))\b)",
}

TABLE: Final = r"""
away moved.home \b(?:came|come|coming|is|are|got|gone|back|sent) (?:back )?home\b(?! (?:office|sick|school))|(?:'s|'re|'m) home(?: now| for good| again)?$|(?:'s|'re|is|are) back(?: for good| now|$)|\bdischarged\b|\bout of (?:the )?hospital\b
away holds.away \bin (?:the )?hospital\b|\b(?:is|are|works?|working|living|'s) (?:away|abroad|overseas|offshore)\b|\bdeployed\b|\bout of town\b
habit moved.with \b(?:our|my) «\w+»(?:'s| is| has|'ve| have)? (?:\w+ ){0,2}back (?:in )?with\b|\b(?:our|my|the) «\w+»(?:'s| has| have)? (?:just )?moved (?:back )?in(?: with (?:me|us))?$|\b(?:i'?m|i am|living|live) (?:all )?«(?:on my own|by myself|alone)»(?: now| these days)
habit moved.hours \b(?:(?:me|us) starting|(?:now )?start(?:ing)?)(?: work| school)? (?:at|from) «\w+(?::\d\d)?(?: ?[ap]m)?» (?:now|instead)$
habit moved.rent \bput (?:the|my|our) rent (?:up|down) to [£$€]?«\d[\d,]*»
taste holds.favourite \b(?:my |new )?(?:all[- ]time |new )?favou?rite «\w+(?: \w+)?»(?:'s| is| are|:)
plan moved \b(?:pushed|moved|bumped|shifted|put|switched) (?:my |our |the )?«(?!it\b|that\b|house\b|home\b|in\b|out\b|back\b|me\b|us\b)\w+(?: \w+)?»(?: back| forward)? to (?:next |the )?(?:{DAY}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)
taste moved \b(?:(?:do|does|did)(?:n['’]?t| not)|no longer|not|never|stopped)(?: really| even| actually)? (?:hat(?:e|ing)|dislik(?:e|ing)|loath(?:e|ing)|detest|mind(?:ing)?|scared of|afraid of) «[\w' ]{3,24}?»(?= any ?more| any longer| now| these days| at all|$)
work stopped \b(?:sacked|fired|axed) me\b|\blet me go\b(?! (?:first|home|ahead|through|early|back|and|to|in|on|out)\b)|\bmade me redundant\b|\blaid me off\b
work moved \bmade me (?:a |the )?«(?:partner|manager|head|lead|foreman|supervisor|director|captain)\b[\w ]{0,12}»
health holds.medicine \bi(?:'?m on| take| am on|(?:'?ve| have) been on) «\w{3,}(?:ins?|ol|ide|ine|ate|ium|pril|arin|pam|mab|xaban|sartan)\b»
plan holds ^(?!.*\b(?:moved|to|pushed|changed|now|not|off|from)\b)(?:my |our |the )?«[\w' ]{3,30}?» (?:is )?(?:on |this |next )?(?:{DAY})
plan moved \b(?:slides|slips|shifts|moves|goes back|has slid|got bumped) to «(?:the )?(?:{DAY})»
habit moved.diet.veg \b(?:pure|strict|total|lifelong) (?:veg|vegetarian|vegan|veggie)\b
habit moved.diet.meat \bstarted (?:having|eating) (?:meat|chicken|fish|mutton|beef|pork)\b
health stopped.medicine \b(?:taken|took) (?:me|i) off (?:those |the |my |that )?«[\w ]{3,24}»
home holds ^(?:dorm|halls|student halls|dorm room|flat|studio|bedsit)\b[\w ]{0,8} (?:in|at|on) «[\w' ]{2,20}»
home moved \bi'?m (?:at|with) (?:my )?[\w' ]{2,20} in «[\w ]{2,20}?» for (?:keeps|good)\b
home moved \bkeys to (?:a|an|the|my|our) [\w ]{2,16}? in «(?-i:[A-Z])\w+»
work holds \b(?:i'?m|i am)(?: working)?(?: at| with) «(?-i:[A-Z])[\w&' ]{1,24}?» (?:since|for)\b
work holds \bi drive (?:a|the) «(?:[\w-]+ )?(?:bus|tram|train|truck|lorry|cab|taxi|forklift|ambulance|coach)»\b(?! (?:to|home|there))
work holds \bi'?m on (?:nights|days|earlies|lates) at «[\w'. ]{2,24}»
work moved \b(?:they've|they have|they) (?:moved|transferred|switched|reassigned) me\b
work moved \bi'?m «(?:pulling|serving|pouring) (?:pints|drinks|coffees?)|stacking shelves|flipping burgers|waiting tables|ripping tickets|cutting hair|laying bricks|walking dogs|sweeping \w+|driving [\w ]{2,16}» (?:at|for|in|down at) [\w' ]{2,24}
work stopped \b(?:packed in|downed|hung up) (?:the|my) (?:tools|job|boots|apron|trowel|keys|overalls|uniform)|\blast (?:ever )?shift (?:today|yesterday|tonight|done)\b|\b(?:put|gave|handed)(?: in)? (?:my |the )?(?:papers|notice|resignation)\b|\b(?:handed|gave|turned|given)(?: in| back)? (?:my|the|his|her) (?:\w+ )?(?:badge|lanyard|pass|uniform|apron|keycard|walkie|radio|kit|gun|hard hat|hi-?vis)(?: in| back)?\b(?! to (?:a|the) (?:man|woman|guy|kid|police))
school holds \b(?:year|grade|form) \d{1,2} at «[\w' ]{2,24}»|\b(?:night|evening) (?:classes|school) at «[\w' ]{2,24}»
partner stopped \b(?:me (?:n|and|&) \w+|\w+ (?:n|and|&) (?:i|me)|we) (?:are(?:n'?t| not)|ain'?t) (?:a thing|together|an item|a couple)\b
partner moved \b(?:i(?:'?m| am)(?: now)?|started|began|been|^) ?(?:dating «an? \w+»|(?:dating|seeing) «(?:someone|somebody|an? (?:\w+ )?(?:guy|girl|man|woman|bloke|lad|lass|fella|chap))»)(?! (?:about|for|from|off|at|to)\b)
school holds \b(?:is |are |am |'m )?(?:in|at) «(?:nursery|primary|secondary|high|middle|elementary|grammar) school»
habit holds.commute \b«(?:cycle|walk|drive|bike|bus|train|tube|tram|ferry)» (?:in )?to work\b
habit holds.learning \b(?:am|'m) learning «[\w' ]{3,20}»$
possession moved.phone \bswitched to an? «(?:iphone|pixel|galaxy|samsung|android|nokia)»
name holds ^(?:i'?m|i am) «(?!(?:\w+(?:ish|ese|ian|ed|ing|less|ful|stic|otic)|american|german|korean|african|french|greek|dutch|swiss|thai|catholic|muslim|hindu|sikh|mum|mom|dad|nan|single|vegan|fine|ok|okay|good|back|home|here|sorry|done|sick|happy|sad|hungry|late|ready|free|busy|sure|glad|alone|lost|broke|team|batman|gay|bi|trans|deaf|blind|male|female|human|old|young|new|well|great|cold|hot|ill|off|out|in|up|down|at|on|so|not|just|all|from|with|yours?|cancer|leo|virgo|libra|aries|taurus|gemini|scorpio|pisces|aquarius|capricorn|sagittarius)\b)(?-i:[A-Z][a-z]+)»$
name moved \b(?:it'?s|it is)(?: actually)? spel(?:led|t)(?: as)? «(?-i:[A-Z])\w+»
possession moved.pet «(?:two|three|four|five|six|seven|\d) (?:{PET})s?» now\b
partner moved \bwe(?:'ve| have) been (?:walking out|seeing each other|dating|going out|courting|stepping out)\b
partner moved.married \b(?:is|officially|now) (?:officially |now )?my (?:wife|husband)\b(?! to be|-to-be)
age holds ^«\d{2}» and (?:still|already|never|not|counting|feeling|living|single)\b|^«(?:1[3-9]|[2-9]\d)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[- ]\w+)?» this year(?: \(\d{4}\))?$
birthday holds \bmy (?:b-?da?ys?|birthdays?)(?:'s| is)? (?:on )?«(?:the )?(?:{DATE})»
habit moved.alcohol.no \bnot (?:a|one|a single) (?:drop|drink|pint) (?:in|for|since)\b
habit holds «[\w' ]{3,24}?» every (?:mon|tues|wednes|thurs|fri|satur|sun)day\b
health stopped.injury \b(?:cast|boot|brace|sling|stitches|splint)(?:'s|s| is| are| has come)? (?:finally |now )?(?:off|out)\b(?! of)
taste holds \b(?:mad|nuts|daft|crackers|gaga) (?:for|about|on) «[\w' ]{3,25}»
possession holds.car \bmy «(?-i:[A-Z])\w+» (?:has|gives|is giving|does|did|is doing|still does)\b.{0,12}(?:\d[\d,]*)
possession holds.phone \bi (?:only |just |still )?have (?:the|a|an|my) «(?:\w+ )?landline»
possession stopped.phone \b«landline» (?:is|has been|was|got) (?:disconnected|cut off|gone|cancelled)
possession holds.pet \b(?:i|we)'ve (?:an?|one|two|three|four|\d) «(?:\w+ )?(?:{PET})s?»
possession stopped.pet ^«(?-i:[A-Z])\w+» (?:went to sleep for the last time|breathed (?:her|his|its) last|slipped away)\b
thing stopped.disposed ^rip «\w+»
home moved \b(?:moved|relocated|moving)\b(?: house| back| over| out| down| up| away| across)?(?: from [\w' ]{2,20}?)? (?:to|into|back to) «(?!(?:a|an|the|my|our|new|his|her|their|this|that|it|tears|me)\b)[\w' ]{2,30}»
home moved \b(?:moved|relocated)\b(?: house)? (?:to|into) (?:a|an|the|my|our) (?:\w+ ){0,2}(?:flat|house|place|apartment|home|studio|cottage|room)\b(?: (?:in|at|near|on) «[\w' ]{2,30}»)?
home moved \bi'?m (?:back )?in «(?!the\b|a\b|bed|town|love|my)[\w' ]{2,25}?» (?:for good|now|these days)
home moved \bnew address\b|\bgot the keys\b|^(?:our |my )?own place|\bpacked up and\b|\bnew (?:flat|place|house|apartment|home) (?:is |'s )?in\b|\bhome is now\b|\bmoved in(?:to)?\b(?: with)?
home moved \b(?:moved|relocated|shifted|decamped|emigrated|migrated|shipped|headed|settled|transferred|upped sticks|packed up)\b(?: house| home| back| over| out| down| up| away| across| in| off| permanently| again| ourselves| and)*(?: from [\w' ]{2,20}?)? (?:to|into|in|for|near|at) «(?!(?:tears|me|bed|it|this|that|the (?:front|back|next|sofa|table)|my (?:seat|chair|desk)|with|together)\b)[\w' ]{2,30}»
home moved \bback (?:home |living )?(?:in|at) «(?:my (?:parents|mum|mom|dad|folks|old)|(?-i:[A-Z]))[\w' ]{0,25}»(?: for good| permanently| now| again|$)|\bmoved back (?:in with|home|to)\b
home moved \b(?:bought|signed (?:the|a) lease (?:on|for)|closed on|got keys to|got|found|rented|renting|took) (?:an?|the|my|our)(?: own)? (?:\w+ ){0,2}(?:flat|apartment|house|condo|bungalow|cottage|studio|houseboat|townhouse|bedsit|narrowboat)\b(?: (?:in|at|near|on|by) «[\w' ]{2,30}»)?
home moved \b(?:unpack(?:ed|ing)|settl(?:ed|ing)|first night(?! (?:in|at|on) (?!(?:the|our|my) new\b|(?-i:[A-Z])|(?:the|our|my|a) (?:\w+ )?(?:flat|house|place|apartment|home)\b))|all moved|living out of boxes|boxes everywhere)\b.{0,20}?(?: (?:in|into|at|here in) «(?:(?-i:[A-Z])|the new|our new|my new)[\w' ]{2,25}»|$)
home moved \b(?:new|my|our) (?:address|postcode|zip|place|flat|apartment|house|home|digs|pad)(?:'s| is)(?: now| in| at| on)+ «[\w' ]{2,40}»|\b(?:the|my|our|a) new (?:flat|apartment|house|place|home|address|digs|pad|landlord)\b
home moved \b(?:i|we)(?:'m|'re| am| are)? (?:now |finally |officially )+(?:a )?(?:live|living|based|settled|resident|renting|staying) (?:in|at|near|on|with) «[\w' ]{2,30}»|\b(?:live|living|based|renting|staying) (?:in|at|near|on|with) «[\w' ]{2,25}?» (?:now|these days|nowadays|since|instead)\b
home moved «(?-i:[A-Z])[\w' ]{2,20}?» (?:people|folk|folks|residents?|based|dwellers?|locals?|life|resident) (?:now|these days|from today)|\bsigned (?:a|the|our|my) (?:lease|tenancy|contract|mortgage) (?:in|on|for|at) «[\w' ]{2,25}»|\b(?:keys|boxes|removal van|movers)\b.{0,25}\b(?:handed over|picked up|in hand|unpacked|came|collected|got)\b
home stopped \bmoved out\b|\bmoved house\b|\bwe(?:'ve| have)? moved$
home stopped \b(?:moved|moving|shipped) out\b|\bleft «(?-i:[A-Z])[\w' ]{2,20}?» (?:for good|behind|last|yesterday|today)\b|\bgoodbye,? «(?-i:[A-Z])\w+»|\bgave up (?:the|my|our) (?:flat|apartment|lease|room)\b|\b(?:sold|lost) (?:the|our|my) (?:house|flat|home|condo)\b
home holds \b(?:lives?|living|reside[sd]?|based|settled|renting|rent|residing)\b (?:[\w']+ ){0,3}?(?:in|at|near|outside) «(?!(?:a|an|this|that|fear|hope|peace|the (?:moment|present|past|future))\b)[\w' ]{2,40}»
home holds «(?-i:[A-Z])\w+» living$|^home(?:'s| is) «(?-i:[A-Z])[\w' ]{2,20}»
home holds? ^(?:i'?m|i am|we'?re|we are) in «(?-i:[A-Z])[\w' ]{2,30}»
home holds~ \b(?:landlord|landlady|flatmates?|housemates?|roommates?|my (?:flat|apartment|house|place|street|neighbou?rhood))\b|^(?-i:[A-Z])\w+ (?:born|based|dweller|resident|lass|lad|girl|boy)\b
home holds \b(?:we|i)(?:'ve| have)(?: got)? (?:an?|our|my) (?:\w+[- ]){0,3}?(?:semi(?:-d)?|terrace|bungalow|cottage|flat|house|apartment|place|condo|studio|bedsit|townhouse|farmhouse|trailer|duplex|loft|maisonette|houseboat) (?:in|at|near|by|on|outside) «[\w' ]{2,25}»
home holds \b(?:putting up|lodging|crashing|holed up|camped out|squatting|boarding|staying with|kipping|dossing|bunking)(?: \w+){0,4}? (?:in|at|near|with) «(?:(?-i:[A-Z])|my|a|the)[\w' ]{2,25}»|\b(?:i|we) live in «an? (?:van|caravan|camper|tent|boat|houseboat|yurt|trailer|motorhome|bus|hostel|dorm|barn|shed)[\w ]{0,10}»
work moved \b(?:start(?:ed|ing|s)?|began|hired|working|work|retrained|job)\b(?: \w+){0,2}? as (?:an?|the) «[\w' -]{3,40}»
work moved \b(?:left|quit) [\w' ]{2,20}(?: and| to| for)+ (?:join(?:ed)? |work at |work for )?«(?!(?:good|now|ever|a (?:bit|while|change))\b|(?:\w+ )?(?:\d+|an?|one|two|three|four|five|six|few|half an) (?:min\w*|hours?|days?|weeks?|months?|years?)\b)[\w' ]{2,30}»|\bjoined «(?-i:[A-Z])[\w' ]{2,30}»
work moved \b(?:new job|new role|got the job|switched (?:jobs|careers)|as of today i|changed jobs)\b
work moved \b(?:start(?:ed|ing|s)?|began|joined|accepted|landed|took|signed|got|starting|beginning|secured|scored|snagged)\b(?: \w+){0,4}? (?:as|at|with|for) «(?!(?:a (?:bit|while)|the (?:gym|moment|weekend|door|party|dentist|doctor)|home|least|last|first|dinner|lunch|me|my|him|her|us|you|it|that|this|fun|free)\b)[\w' -]{2,40}»(?=.*(?:job|role|post|position|contract|apprentice|trainee|assistant|manager|teacher|nurse|team|office|monday|week|salary|shift|\w+er\b|\w+or\b|\w+ist\b))
work moved \b(?:(?:new|permanent|full[- ]time|dream|better|another) (?:job|role|gig(?! (?:is|was|on)\b)|employer|post|career|position|contract|workplace)|first (?:job|role|employer|post|position|contract))\b|\b(?:got|landed|took|accepted|signed|started|starting|found|offered me) (?:the|a|an|my|another|that) (?:\w+ ){0,3}(?:job|role|gig|post|position|contract|apprenticeship|internship)\b
work moved \b(?:went|gone|going|turned|became|become|qualified as|retrained as|now working as|working now as|am now|'m now)(?: (?:a|an|the|full[- ]time|back to being an?))* «(?!(?:off|in|on|into|to|out|away|down|up|for|with|from|by|at|home|back|there|well|wrong|mad|bust|missing|cold)\b)(?:freelance|self[- ]employed|solo|pro|(?:[\w-]+ ){0,3}?{JOB}|(?:[\w-]+ ){0,2}(?:{TRADE}))»
work moved \b(?:opened|launched|started|founded|set up|bought|took over|run|running|own) (?:my|a|our|the)(?: own| little| small)* «(?:\w+ ){0,2}(?:shop|caf[eé]|bakery|business|company|studio|salon|restaurant|practice|agency|startup|stall|food truck|farm|bookshop|garage|pub|bar)»(?: now)?
work moved \bin[- ]house «(?:[\w-]+ )?{JOB}»|\b(?:i|we)(?:'m| am)?(?: \w+)? (?:driving|teaching|running|managing|selling|nursing|coding|cooking|baking|farming|writing|tutoring|coaching|consulting) «[\w' ]{2,30}?» (?:now|instead|these days|for a living)\b|\bworking (?:at|for|in|as) «[\w' -]{2,30}?» (?:now|these days|since|instead)\b
work moved.retired \b(?:retired(?! from\b)|i'?m retiring today|hung up my|collected my pension|last day at work|put my feet up)\b
work stopped \b(?:quit|gave up|given up|left|packed in|done with) «nurs|teach|driv|bak|cook|farm|weld|clean|bank|writ|tutor|coach|plumb|paint»ing\b|\bquit (?:my|the|that|this) (?:[\w-]+ )?job\b|\bi (?:just )?(?:quit|resigned)$|\bresigned\b(?! (?:as|from)\b)|\bhanded (?:in )?my notice\b|\blaid off\b(?! (?:the|my)\b)|\bgot (?:fired|sacked)\b|\bi was (?:fired|sacked)\b|\bmade redundant\b|\blost my job\b|\blet me go\b(?! (?:first|home|ahead|through|early|back|and|to|in|on|out)\b)|\bout on my ear\b|\bsigning on\b|\bgone bust\b|\b(?:shut|closed) the [\w ]{3,20}(?:for good|down)?
work stopped \b(?:quit|left|resigned from|walked out of|walked away from|packed in|jacked in|chucked|gave up|ditched|finished at|done with|lost|was let go from|got let go from|fired from|laid off from|handed in my notice at) (?:my |the |that |being an? )?«(?!(?:last|this|on|in) )[\w' -]{0,30}?(?:job|work|teaching|nursing|banking|law|sales|retail|firm|company|office|bar|restaurant|shop|school|hospital|agency|startup|career|{TRADE}|(?-i:[A-Z])\w+)»|\b(?:redundan\w+|got the (?:sack|boot|chop|axe)|let go|between jobs|contract (?:ended|wasn'?t renewed|is up)|company (?:folded|went under|collapsed)|quit today|quit yesterday|quit last week|(?:i(?:['’]?ve| have)?(?: just| finally| actually)? quit|^(?:finally |just |so |yeah |yep )*(?:quit|(?:got |been )?(?:sacked|fired)))(?:$|(?= (?:today|yesterday|tonight|last \w+|this (?:morning|week|month|year)|in {MON}|on (?:\w+day|the spot)|for good|it all|because|cos|after|when|over|without|before|(?:an?|a few|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?|while) (?:ago|back))\b)))
work holds \bi (?:now )?(?:\w+ly )?(?:teach|run an?|run the|manage an?|manage the|drive an? (?:tram|bus|cab|taxi|lorry|truck|train|van)\b|deliver|tend bar|wait tables|nurse|clean (?:houses|offices)|sell)\b «[\w' ]{0,30}»
work holds \b(?:works?|working|employed)\b (?:[\w']+ ){0,2}?(?:at|for|as|in) «(?!home|(?:a|my|the) (?:current |new |same )?(?:company|team|garden|gym|boss|future|project)|the (?:moment|morning|evening|end)|a (?:bit|while)|me\b|bed)[\w' -]{2,40}»
work holds \bi'?m (?:an?|the) «(?:[\w-]+ ){0,3}?{JOB}»|\bi am (?:an?|the) «(?:[\w-]+ ){0,3}?{JOB}»
work holds ^«(?:[\w-]+ ){0,2}(?:{TRADE})»(?: (?:at|for|with|in) [\w' ]{2,30})?$
work holds ^«(?:[\w-]+ ){0,2}{JOB}» (?:at|for|with) (?:the |an? )?(?-i:[A-Z])[\w' ]{2,30}$
work holds \b(?:i )?(?:freelance|self[- ]employed|moonlight)\b|\b(?:i|we) (?:run|manage|operate) (?:an?|the|my|our) «[\w' ]{2,30}»|\b(?:i'?m|i am) in «(?:marketing|sales|hr|finance|it|tech|advertising|insurance|retail|banking|logistics|construction|law|publishing|education|healthcare|real estate|recruitment|catering|hospitality)»
work holds.none \b(?:stay[- ]at[- ]home|full[- ]time) (?:mum|mom|dad|parent|carer)\b|\b(?:on the dole|job ?hunting|out of a job|looking for work)\b|\b(?:no job|without a job)\b
work holds~ \b(?:my (?:boss|job|office|shift|commute|coworkers?|colleagues?|team|clients?|salary)|at work)\b
school moved \b(?:declared|(?:switched|changed) (?:my )?(?:majors?|degrees?|courses?) (?:to|from \w+ to)|transferred to|now (?:studying|majoring in))\b «[\w' ]{2,30}»
school moved \bnew (?:school|college|uni)\b|\bfirst day at «(?-i:[A-Z])[\w' ]{2,30}(?:school|high|college|uni|academy|university)»|\bgot into «(?-i:[A-Z])[\w' ]{2,30}»
school stopped \bdropped out\b(?! of (?!(?:school|uni\w*|college|(?:the|my) (?:course|degree|phd|masters?))\b))|\bi(?:'ve)? (?:just |finally )?graduated\b|^graduated\b|\bleft (?:school|uni|college)\b
school stopped \bdefended\b|\bviva (?:passed|done)|\bpassed my viva\b|\bit'?s (?:dr|doctor)\b\.? now
school holds \b(?:freshman|sophomore|junior|senior|(?:first|second|third|final)[- ]year|undergrad|grad student|student) (?:at|in) «[\w' ]{2,30}»
school holds \b(?:majoring in|my major(?:'s| is)|doing my (?:\w+ )?(?:at|in)|i study) «[\w' ]{2,30}»|\bstudying «[\w ]{2,20}» at\b
school holds \b(?:i'?m|i am|^)(?: in| doing| reading| studying| a| an| my| at| currently| on)+ «(?:year|grade|form|form|first|second|third|fourth|final|my (?:phd|masters|degree)|phd|masters|msc|ba|bsc|law|medicine|physics|chemistry|biology|history|maths?|economics|philosophy|psychology|nursing|engineering|architecture|english|french|art)[\w' ]{0,25}»|^«[\w' ]{2,20}» (?:major|student|undergrad)\b|\b(?:phd|doctoral|masters) (?:student|candidate)\b
school holds \b(?:doing|writing|finishing|starting) (?:my|a|an) «(?:phd|masters?|msc|ma|mba|degree|a[- ]levels|gcses|dissertation|thesis|doctorate|diploma|apprenticeship)[\w ]{0,20}»
partner stopped ^(?:me and [\w]+|\w+ and i|we|we've|we have|i|i've)(?:'ve| have)?(?: finally| just| both)? (?:broke(?:n)? up|split(?: up)?(?! the| it| a| our| everything)|separated|called it (?:off|quits)|got divorced|are (?:over|done|finished)|divorced)\b
partner stopped \b(?:he|she|«(?-i:[A-Z])\w+») (?:dumped|left) me\b(?! (?:a|the|some|my|feeling|with|in|at|alone|on)\b)|\bi (?:dumped|left) (?:him\b|her\b|my (?:{SPOUSE})|«(?-i:[A-Z])\w+»$)|\bbroke up with\b|\b(?:divorce|breakup) (?:came through|is final|papers)|\bi'?m (?:now )?divorced\b
partner stopped ^«[A-Z]\w+» is (?:history|my ex|out of the picture|gone)|^«[A-Z]\w+» and i are (?:over|done)
partner stopped \b(?:me and «\w+»|«(?-i:[A-Z])\w+» and (?:me|i)|we|i|my (?:{SPOUSE}) and i|my (?:{SPOUSE})(?= have))(?:'ve| have|'re| are)?(?: finally| just| both| decided to| officially| amicably| mutually| now| got)* (?:broken? up|broke up|split(?! the| it| a| our| everything)|separated|call(?:ed)? it (?:off|quits|a day)|divorced|over|done|finished|parted ways|gone our separate ways|ended things|not together|no longer together)\b
partner stopped \b(?:i'?m|i am|now|officially|newly|single|back to being)(?: officially| newly| now| back to being)* (?:divorced|separated|single again|widowed|a widow(?:er)?|a free (?:man|woman)|on my own|back on the (?:market|apps))\b|\bgot divorced\b|\bdivorce (?:is |was |got )?(?:final|finali[sz]ed|signed|done|through)\b|\b(?:decree|divorce papers)\b|\bsingle again\b|\bcalled off the (?:engagement|wedding)\b
partner stopped \b(?:my )?(?:{SPOUSE}|«(?-i:[A-Z])\w+») (?:and i )?(?:left me|dumped me|walked out|moved out|cheated|died|passed(?: away)?|ended (?:it|things)|broke (?:it off|up with me)|is my ex|is gone)\b|\b(?:dumped|left|broke up with|finished with|split from|split with|divorced) «(?-i:[A-Z])\w+»|\blost my (?:{SPOUSE})\b
partner moved.married \b(?:we|i)(?:'ve| have)?(?: just| finally)? (?:got married|tied the knot|eloped|married)\b|^(?:just )?married (?:at|in|on|to|last|today|yesterday)|\bi'?m (?:now )?married\b|\bwe'?re married\b|\bsaid i do\b
partner moved.engaged \b(?:we|i)(?:'re|'m| got| are)(?: now| just)? engaged\b|\bsaid yes\b|\b(?:he|she) proposed\b
partner moved \b(?:seeing|dating|going out with|i'?m with|together with) «[A-Z]\w+»(?: now| these days)\b|\bit'?s official\b|\bwe(?:'re| are| got|'ve got)? back together\b|\b(?:(?-i:[A-Z])\w+|my (?:{SPOUSE}))(?:'s| has)? moved back in\b(?! (?:to|at|with (?:my|his|her|their)))|\bi'?m with «(?-i:[A-Z])\w+»
partner moved.married \b(?:we|i|«(?-i:[A-Z])\w+» and i|me and «\w+»)(?:'ve| have|'re|'m| are| am| got| just| finally| officially| now| went and| secretly)* (?:married|hitched|wedded|eloped|tied the knot|husband and wife|wife and wife|husband and husband|newlyweds?)\b|\b(?:wedding day|just married|said (?:our|my) vows|took (?:his|her) name|i'?m a (?:wife|husband|mrs))\b
partner moved \b(?:i|i'?ve|i have|i'?m)(?: got| met| found| have| finally| now| seeing)* (?:a|an|my|a new|someone new) (?:boyfriend|girlfriend|partner|bf|gf|fella)(?: now| called «\w+»| named «\w+»)?\b(?! (?:who is|\w+ing me))|\b(?:together|dating|seeing|in love|official|exclusive|boyfriend|girlfriend)\b.{0,12}\bwith «(?-i:[A-Z])\w+»|\bnew (?:boyfriend|girlfriend|partner|man|woman|bloke|fella|flame)\b
partner holds.married ^married\b(?! (?:life|couple))|\bmy wedding anniversary
partner holds.engaged ^engaged\b
partner holds \bmy (?:{SPOUSE})(?:'s| is)?(?: called| named| name is)? «(?-i:[A-Z])[\w']+»
partner holds \b(?:dating|seeing|going out with|been with|together with) (?:an? (?:\w+ )?(?:guy|girl|man|woman|bloke|lad|lass) (?:called|named) )?«(?-i:[A-Z])\w+»
partner holds.married \bmarried (?:for |to |with |\d)|\bstill married\b|\b\d+ years married\b|\bwe'?ve been married\b
partner holds.married~ \b(?:my|the) (?:wife|husband|hubby|missus|other half)\b
partner holds \b(?:my (?:{SPOUSE}),? )«(?-i:[A-Z])\w+»|\b(?:boyfriend|girlfriend|partner|fianc[ée]e?) of \w+ years\b|\b«(?-i:[A-Z])\w+» and i (?:have been|are|'ve been|live|share)\b
partner holds \b(?:been |i'?m |we'?re )?(?:seeing|dating|courting|going (?:out|steady) with) (?:an? )?(?:\w+ ){0,2}?(?:chap|bloke|guy|girl|lad|lass|woman|man|fella|lady|someone|boy)?(?: (?:called|named))? ?«(?-i:[A-Z])\w+»
name holds \bmy (?:full |real |first |actual )?name(?:'s| is) «[\w' -]{2,24}»|^name'?s «[\w']{2,20}»|\bit(?:'?s| is) «(?!\w+day\b|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)|christmas|easter|ok)(?-i:[A-Z])\w+»$
name holds ^i'?m «(?-i:[A-Z][a-z]+ [A-Z][a-z]+)»(?:$| from)|\bthe name'?s «(?-i:[A-Z])[\w' -]{2,24}»
name moved \bi'?m «(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)» (?:from today|now|these days|as of|officially|on paper)|\btook (?:his|her|their) (?:name|surname)\b
nickname holds \bi(?: a|'?)m called «(?-i:[A-Z])[\w']{1,15}»
nickname stopped \b(?:stop|quit|don'?t|do not|never) (?:ever )?(?:with|call(?:ing)? (?:me|i)|say(?:ing)?) (?!i\b|it\b|that\b|when|if|back|at|on|in|tomorrow|later|like|(?:an?|the|this|next|soon|asap|maybe|please|after|before|anytime|any|again|sometime|now|to|for|from|and|or|tonight|today|you|out|names|your?|his|her|\w+day)\b)(?:my )?«(?:(?:Mrs?|Ms|Miss|Dr) )?\w+»|\bi(?:'m| am) not (?:called |named )«(?-i:[A-Z])\w+»|\bnobody calls me «(?-i:[A-Z])\w+»
nickname moved \b(?:call me|known as|go by|answer to|stick to|make it|use|prefer|it'?s) «(?-i:[A-Z])[\w']{1,15}»(?: from (?:now|here) on| now| these days| instead| please| is fine| will do)+|\b(?:just )?«(?-i:[A-Z])[\w']{1,15}» (?:will do|is fine|is better|'s fine|is enough)\b|\bjust «(?-i:[A-Z])[\w']{1,15}» (?:works|please|from now on)\b|\bstop calling me\b|\b(?:re)?(?:christened|named|dubbed|nicknamed) «(?-i:[A-Z])[\w']{1,15}»$
nickname holds ^(?:you can |you may |please |just |and |but |or |now |could you |everyone |everybody |people |friends |they |all |so )*(?:calls? (?:me|i)|says) «(?!i\b|i'|it|that|when|if|back|at|on|in|tomorrow|later|like|(?:an?|the|this|next|soon|asap|maybe|please|after|before|anytime|any|again|sometime|now|to|for|from|and|or|tonight|today|you|out|names|your?|his|her|\w+day)\b)[\w']{2,20}»|\b(?:i )?go by «[\w']{2,20}»|\bi'?m known as «[\w']{2,20}»
age moved \b(?:just |finally |officially )?(?:turned|hit|reached) (?:the big )?«(?:three|four|five|six|seven|eight)[- ]oh|{NUMBER}»|\b(?:i'?m|i am) (?:now|officially|suddenly|already) «{NUMBER}»|\b«{NUMBER}» (?:today|yesterday|as of (?:today|yesterday))\b|\bmy «{NUMBER}»(?:st|nd|rd|th)? birthday (?:was|is) (?:today|yesterday)
age holds \b(?:i'?m|i am|im|aged?|turning)(?: only| just| now| already| actually| really)* «{NUMBER}»(?: years (?:old|young)|yo| y/o|$|,| and| but)
birthday holds \bbirthday(?:'s| is|:)?(?: really| actually| now)?(?: on)? «{DATE}»|\bborn (?:on )?«{DATE}»|«{DATE}»,? birthday|\b(?:put|mark) me down for «{DATE}»|\bbirthday'?s? (?:is )?(?:on )?«the \d{1,2}\w\w»
birthday holds \b(?:b-?day|birthday|date of birth|dob|born)(?:'s| is|:| was| on| falls| really| actually| now| in| i was)* «{DATE}»
health stopped.allergy \bcan (?:now |finally )?(?:eat|drink|have|take) «(?:gluten|wheat|dairy|lactose|milk|(?:pea|wal|cashew |hazel|tree )?nuts?|shellfish|seafood|fish|prawns?|shrimps?|crab|lobster|eggs?|soya?|sesame|almonds?|penicillin|aspirin|ibuprofen|codeine|sulfa)» (?:again|now)\b|\b(?:not|no longer) «allerg»ic to any|\b(?:not|no longer|never was|isn'?t|wasn'?t) (?:actually |really |even )?allergic\b(?: to «(?!it\b|them\b|that\b)(?:the |my )?[\w']+(?: [\w']+)?»)?|\b«\w+» allergy(?:'s| is| has)? (?:gone|cleared|went)
health holds.allergy \b(?:can(?:not|['’]?t| not)|must(?:n['’]?t| not)|(?:am|is|['’]m) not (?:allowed|able|supposed) to)(?: really)? (?:eat|drink|have|take|touch|tolerate|do) (?:any )?«(?:gluten|wheat|dairy|lactose|milk|(?:pea|wal|cashew |hazel|tree )?nuts?|shellfish|seafood|fish|prawns?|shrimps?|crab|lobster|eggs?|soya?|sesame|almonds?|penicillin|aspirin|ibuprofen|codeine|sulfa)»(?=\W*$| (?:or|and|because|as|since|so|at all|any ?more|due)\b)|\ballergic to «(?!nothing\b)[\w' ]{3,30}»|\b«\w+» allergy\b
health holds.pregnancy \b(?:i'?m|we'?re|am) (?:\w+ )?(?:pregnant|expecting)\b|\b\d+ weeks pregnant
health stopped.medicine \b(?:took (?:me|i) off|taken off|came off|come off|coming off|i'?m off|weaned off)(?: the| my)? «\w+»|\b(?:tablets|pills|inhaler|crutches) (?:are )?in the bin\b
health moved.medicine \b(?:switched|moved|put) (?:me|i) (?:to|on|onto)(?: the)? «\w+»
health stopped \b(?:biopsy|bloods?|scan|tests?|results?|swab|mri|x-?ray)(?: results?)? (?:(?:came|come|is|are|was|were|all) )+(?:back )?(?:all )?(?:clear|normal|negative|fine)\b|\bin remission\b|\ball clear\b|\b(?:cured|healed|fully recovered)\b(?! (?:of|from) )|\bback to normal\b|\beverything'?s (?:back to )?normal\b|\bwas a misdiagnosis\b|\btest was wrong\b
health stopped.injury \b(?:cast|stitches|braces|boot|brace|crutches|staples|plaster|drain|pacemaker) (?:is |are |came |come |finally )*(?:off|out|gone|removed)\b|\b(?:got|had|took) (?:my|the) (?:cast|stitches|braces|boot|staples|plaster) (?:off|out)\b
health stopped \b(?:recovered from|(?:am|'m|all|got|completely|finally|well|are|'re) over|beat|beaten|cured of|clear of|healed from|grew out of|grown out of) (?:the |my |that |an? )?«(?!(?:it|this|that|them|moon)\b)[\w']+(?: (?:fever|disc|foot|elbow|disease|infection|pressure))?»|\b(?:recovered|cured|healed)\b(?! (?:of|from) )|\b(?:in remission|cancer[- ]free|all[- ]clear|symptom[- ]free|discharged|negative|off (?:my|the|all) (?:meds|medication|insulin|inhaler|tablets|pills))\b|\b(?:walking|running|lifting|on my feet|back at the gym) again\b|\b(?:no longer|not) (?:«diabet|asthma|ana?em|depress»(?:t?ic|ed)|in pain|sick|ill|contagious)\b|\b(?:grew|grown) out of it\b|\b(?:(?:do|does|did)(?: not|n['’]?t)(?: \w+ly)? have|(?:have|has)(?: not|n['’]?t)(?: got| had)?|have no|never had)(?: any| an?| the)? «diabetes|asthma|cancer|epilepsy|arthritis|eczema|hypertension|(?:high|low) blood pressure|h(?:eart|iv)(?: disease)?|lupus|gout|ibs|adhd|an(?:a)?emia|migraines?|hepatitis|dementia|depression|co?eliac(?: disease)?|c(?:opd|rohn'?s)»(?=\W*$| (?:at all|after all|any ?more|either|though|and|but|or)\b)|\b«knee|back|ankle|wrist|shoulder|leg|arm|hip|blood pressure|cholesterol|iron|sugar»s? (?:is|are|'s) (?:back to normal|normal|fine(?: now)?|better|good as new|healed|fixed)\b
health stopped.pregnancy \b(?:had|lost|delivered) (?:the|our|my) (?:baby|twins)\b|\b(?:baby|she|he)(?:'s| is| has)? (?:here|arrived|born)\b|\b(?:not|no longer) pregnant\b
health holds.medicine \bon «\w+» (?:twice|once|daily|every|for)\b|\b«\w+» tablets\b
health moved.injury \b(?:torn|tore|sprained|broke|broken|fractured|dislocated|pulled) (?:my |a |the )?«\w+»|\bno (?:running|lifting|sport) for\b
health moved \b(?:diagnosed with|turns out i(?:'ve got| have)|came down with|developed|tested positive for) «[\w' ]{3,30}»
health moved.medicine \b(?:(?:switched|changed|swapped|put)(?: me| i)?|moved (?:me|i)) (?:from \w+ )?(?:over )?(?:to|on|onto)(?: the| a)? «\w+»(?=.*(?:mg|tablet|pill|dose|daily|inhaler|meds|medication|instead|$))|\bnow on «\w+»
health moved.injury \b(?:broke|broken|sprained|fractured|dislocated|tore|torn|twisted|injured|hurt|snapped|ruptured|busted|did in|pulled|threw out) (?:my|a|an|the) «\w+»|«(?:wrist|ankle|leg|arm|foot|knee|shoulder|collarbone|rib|hip|back)» (?:is |'s )?(?:in a cast|in plaster|broken|in a boot|sprained|fractured|busted)|\bon crutches\b
health holds \b(?:i'?m|i am|says i'?m|i have|i'?ve got|diagnosed with|suffer from|^)(?: an?| the)?(?: \w+)?(?: \w+)? ?«(?:diabetic|diabetes|an(?:a)?emic|an(?:a)?emia|asthma(?:tic)?|coeliac|celiac|epilep\w+|depress\w+|adhd|arthritis|eczema|cancer|migraines?|insomnia|hypertension|lupus)»\b
health holds.injury \b(?:knees?|back|shoulder|ankle) (?:is|are) «(?:great|fine|bad|knackered|sore)»
health holds \b(?:i'?ve got|i have|i'?m|i am|i suffer from|living with|my)(?: an?| the| bad| chronic| severe| mild| terrible| type \d| seasonal)* «(?:\w+ )?(?:diabet\w+|an(?:a)?em\w+|asthma\w*|coeliac|celiac|epilep\w+|depress\w+|anxiety|adhd|arthritis|eczema|cancer|migraines?|insomnia\w*|hypertension|lupus|hay ?fever|ibs|tinnitus|vertigo|psoriasis|rosacea|gout|sciatica|scoliosis|gastritis|reflux|ulcer|thyroid\w*|bronchitis|pneumonia|shingles|hernia|slipped disc|concussion|fracture\w*|sprain\w*|intoleran\w+|allerg(?:y|ies|ic)\b(?! to nothing\b)|wheelchair|crutches|cast)»
habit holds.alcohol.no \bno booze\b|\bsober\b|\bteetotal\b|\b(?:quit|stopped|gave up|given up) (?:drinking|alcohol|booze)\b|\bdon'?t drink\b|\boff the booze\b
habit holds.alcohol.yes \b(?:drinking|boozing) again\b|\bglass of (?:wine|red) (?:every|each|a) \w+\b|\bi drink\b(?! (?:tea|coffee|water|milk))
habit moved.diet.meat \b(?:eat(?:ing)?|back on) (?:meat|chicken|fish|steak|bacon)(?: again| now)|\b(?:not|no longer|stopped being|gave up being) (?:a )?(?:vegan|vegetarian|veggie)\b|\beat meat\b
habit holds.diet.veg \b(?:vegan|vegetarian|veggie|plant[- ]based)\b|\bdon'?t eat meat\b|\bno (?:more )?meat\b|\b(?:stopped|gave up|quit) (?:eating )?meat\b
habit holds.sleep.late \bnight owl\b|\b(?:bed|asleep|sleep) (?:at|until|till|past|after) (?:[1-4]|two|three|four)\b|\bup (?:until|till) (?:[1-4]|two|three)\b
habit holds.sleep.early \bin bed (?:by|before) (?:\d|nine|ten)|\bearly (?:nights|bird|riser)\b|\b(?:asleep|bed) by (?:9|10|nine|ten)\b|\bup at (?:five|six|[4-6])\b
habit stopped.exercise \bcancell?ed my (?:gym )?membership\b|\b(?:quit|stopped|gave up) (?:the )?«{SPORT}»
habit moved.exercise \bi «{SPORT}»\b.{0,30}\binstead\b|\bswapped .{2,20} for «{SPORT}»
habit moved.alcohol.no \b(?:quit|stopped|gave up|given up|off|no more|cut out|done with|kicked|packed in|swore off|ditched)(?: the| my| all)* (?:drink\w*|alcohol|booze|wine|beer|gin|whisky|pints)\b|\b(?:sober|teetotal|tee total|dry|alcohol[- ]free)\b(?! (?:clean|january food|skin))|\bno longer drink\b|\bhaven'?t (?:had a (?:drink|drop)|touched a drop|drunk)\b
habit moved.sleep.early \b(?:asleep|in bed|bed|lights out|up|awake|rising)(?: \w+){0,2} (?:by|before|at) (?:8|9|10|nine|ten|eight|half nine|5|6|five|six|dawn|sunrise)\b|\b(?:early bird|morning person|early riser|5 ?am club)\b
habit moved.exercise \b(?:switched|swapped|took up|taken up|started|traded|joined|moved|changed)(?: \w+){0,3}? (?:to|for|doing|up|with|a) «(?:{SPORT}|swimming|cycling|rowing|boxing|tennis|pilates|climbing|dance|karate|judo|walking|weights|barre|crossfit|running|tai chi)»
habit holds.diet.meat \b(?:carnivore|meat lover|steak (?:guy|girl|every)|i eat (?:everything|anything)|meat[- ]and[- ]potatoes)\b
habit holds.smoke.yes \b(?:chain[- ]smok\w+|smokes? (?:a|two|ten|twenty|\d)|cigarettes? a day|fags? a day|packs? (?:a|per) day|cig with|still smok\w+|social smoker|heavy smoker)\b
habit holds.exercise «(?:{SPORT}|cycling|rowing|tennis|football|crossfit|weights|walking)»(?: \w+){0,3} (?:every|each|daily|(?:\w+) (?:times|mornings|nights|days)|a week|on (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays))\b
taste moved \b(?:love|like|adore|enjoy|obsessed with|hooked on|addicted to|crazy about|into) «(?:it|them|that)»(?: all| actually)? (?:now|these days|after all)\b|(?:\b(?:i'?m|i am) |^)(?:(?:now|officially|totally|an?|such|total|complete|real|full) )*«converted|convert»\b(?! to)
taste moved- \b(?:hate|can'?t stand|can'?t bear|loathe|sick of|off|fed up with|over) «(?:it|them|that)»(?: all)? (?:now|these days|any ?more)\b
taste moved \b(?:started|begun|began|learnt|learned)(?: to)? (?:eat|drink|lik|like|enjoy|lov|love)(?:ing)? «(?!(?:again|more|less|better|healthy|out|at|on|in|well|early|late|it|them|meat|fish|chicken)\b)[\w']+(?: [\w']+)?»|\bi (?:actually |even |quite )?(?:eat|drink|like|enjoy|love) «(?!(?:it|them|meat|fish|chicken)\b)[\w']+(?: [\w']+)?» (?:now|these days)\b
taste holds- \b(?:hate|can'?t stand|dislike|despise|loathe|detest|gone off|went off|sick of|fed up with|so over|no more|can'?t watch|can'?t eat|won'?t eat|don'?t (?:like|enjoy|watch|eat|drink|play)|no longer (?:like|love|enjoy|into))\b «[\w' ]{0,30}»
taste holds- ^«[\w' ]{3,20}» (?:is|are|'s) (?:eyeballs|disgusting|gross|the worst|vile|revolting|overrated)\b
taste holds \b(?:love|loves|(?<!feel )(?<!feels )(?<!look )(?<!looks )(?<!sounds )(?<!seems )(?<!seem )(?<!just )(?<!something )like|adore|enjoy|prefer|obsessed with|(?:i'?m|i am) (?:\w+ )?into|crazy about|mad about|fan of|addicted to|hooked on|can'?t get enough of) «(?!you\b|it\b|that\b|to (?:hear|know)|how|when|him\b|her\b)[\w' ]{3,30}»
taste holds ^«[\w' ]{3,25}» (?:is|are) my (?:\w+ )?(?:comfort food|favou?rite|whole life|life|jam|thing|passion|happy place|guilty pleasure|everything)\b|\bmy favou?rite [\w ]{2,20} (?:is|are) «[\w' ]{2,25}»|«\w+» (?:girl|guy|boy|person|fan) now\b
taste holds- \b(?:can'?t (?:bear|abide|stomach|deal with|do)|couldn'?t (?:bear|stand|live with)|not (?:a fan of|keen on|into|fond of|my thing|for me)|no(?:t)? (?:longer )?(?:into|fussed about)|never (?:liked|touch|eat|drink|watch)|bored of|tired of|done with|allergic to the very idea of|put me off|turned me off|lost my taste for|lost interest in|fell out of love with|gave up on|given up|quit|swore off|stopped (?:liking|watching|eating|drinking|playing|listening to)|despise|avoid|repulsed by|grossed out by) «[\w' ]{2,30}»
taste holds \b(?:can'?t (?:live|function|survive|start (?:my|the) day|go a day) without|couldn'?t live without|lives? for|die for|sucker for|weakness for|partial to|converted to|come round to|came round to|warmed to|fell (?:in love with|for)|fallen (?:in love with|for)|never (?:miss|skip)|swear by|head over heels for|nuts about|devoted to|keen on|big on|can'?t stop (?:eating|drinking|watching|playing|listening to)) ?«[\w' ]{2,30}»
taste holds «(?!(?:i'?m|i am) (?:such )?an?\b)[\w' ]{3,25}?» (?:girl|guy|boy|person|fan|addict|lover|nut|fanatic|freak|junkie|fiend|snob|enthusiast|obsessive|tragic|mad)\b
possession stopped.car \b(?:sold|scrapped|totall?ed|wrote off|crashed|got rid of) (?:the|my|our) «(?:\w+ ){0,2}(?:{CAR})»
possession holds.car \bi (?:now )?drive (?:a|an|my) «(?!tram|bus|cab|taxi|lorry|train)[\w' ]{3,30}»|\bmy car(?:'s| is) «[\w' ]{3,30}»
possession moved.phone «(?:[\w]+ ){0,2}(?:{PHONE})[\w ]{0,8}?» is my (?:new )?phone now|\b(?:new|upgraded to|switched to|replaced \w+ with)(?: an?| my| the)? «(?:\w+ ){0,2}(?:{PHONE})[\w ]{0,8}»|\bgave me an? «(?:{PHONE})»
possession moved.car \b(?:bought|got|picked up|leased|traded(?: it| mine| the \w+| my \w+)? in for|swapped (?:it|my \w+|the \w+) for|upgraded to|driving|drive|new ride(?:'s| is)|new wheels)(?: myself| now)? (?:an?|my|our|the)(?: new| used| second-?hand| electric| little| bright)* «(?:[\w-]+ ){0,2}(?:{CAR}|hatchback|suv|pickup|scooter|vespa|camper|e-?bike|hybrid|ev)»
possession moved.phone \b(?:got|bought|have|using|on|picked up|upgraded to|switched to|moved to|gone)(?: myself| with| over to)? (?:an?|the|my|to)(?: new| shiny| refurbished| brand new)* «(?:\w+ ){0,2}(?:{PHONE}|samsung|huawei|xiaomi|flip phone|dumbphone)[\w ]{0,10}?»(?: now| instead| today|$)
possession holds.phone \b(?:rocking|using|have|on|got)(?: an?| my| the)?(?: \w+)? «(?:{PHONE})(?: ?\w+)?»|\bmy phone(?:'s| is) «[\w' ]{3,20}»
possession stopped.pet \b(?:lost|put down|rehomed|gave away|buried|said goodbye to) (?:my|our|the)? ?«(?:[\w']+ ){0,2}(?:{PET})|(?-i:[A-Z])\w+»|\bmy (?:{PET}) (?:«\w+» )?(?:died|passed|crossed|ran away|is gone)|^«(?-i:[A-Z])\w+» (?:died|{PASSED}|crossed the rainbow|was put (?:down|to sleep))\b
possession stopped.phone \b(?:dropped|lost|smashed|broke|sold|drowned|cracked|binned|ditched|retired|traded in) (?:my|the|that|my old) «(?:\w+ )?(?:{PHONE})»|\b«(?:{PHONE})» (?:died|is dead|got stolen|is toast|is gone|gave up|bit the dust|packed in|went)
possession stopped.pet ^(?:poor |little |my |our |the )*«(?!(?:i|we)\b)\w+» (?:flew (?:off|away|out)|ran (?:off|away)|{PASSED}|died|crossed|escaped|is gone|was put (?:down|to sleep)|went (?:missing|to (?:live|a farm))|has gone|didn'?t make it|left us|got rehomed)\b
possession holds.pet \b(?:my|our) (?:{PET})(?:'s| is)?(?: called| named| name is)? «(?-i:[A-Z])\w+»|\b(?:have|got|adopted) (?:an?|two|three|another|a second) «(?:\w+ ){0,2}(?:{PET})»
possession holds.car \b(?:i|we)(?:'ve| have)? (?:drive|own|got|have|ride|bought|run) (?:an?|my|our|the)(?: old| battered| beat-up| second-?hand| used| \d{4}| trusty| little| silver| red| blue| black| white)* «(?:[\w-]+ ){0,2}(?:{CAR}|hatchback|estate|saloon|suv|pickup|scooter|vespa|camper|bike|moped|hybrid|ev)»
possession holds.pet \b(?:have|got|adopted|rescued|own|keep)(?: got)? (?:an?|two|three|another|my|our)(?: \w+){0,2}? «\w+» (?:named|called) (?-i:[A-Z])\w+
children moved \b(?:baby|daughter|son|twins|girl|boy|little one|she|he|number (?:two|three|four|five)|grandson|granddaughter|grandchild)(?:'s| is| has| was)?(?: finally| just| safely| number \w+)* (?:here|arrived|born|came|landed|joined us)\b|\b(?:i'?m|we'?re|became|become) (?:a |an )?(?:dad|mum|mom|father|mother|parents?|grandma|grandpa|grandmother|grandfather|granny|nana|grandad)(?: now| again| of \w+)?\b|\b(?:had|welcomed|gave birth to|having|adopted|fostering) (?:a|our|twin|another)(?: second| third| first| little| baby)* (?:baby|boy|girl|son|daughter|twins|child|grandson|granddaughter)\b|\b(?:a|our|another)(?: \w+)? (?:girl|boy|grandson|granddaughter) at last\b|\bborn (?:this morning|last night|yesterday|today|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b
children holds.count (?:^|\b(?:i'?ve|we'?ve|i|we|got|have|just|only|with)(?: got| have| just| only)* )«(?:no|one|two|three|four|five|six|\d|an? (?:only)?)» (?:kids?|children|boys?|girls?|sons?|daughters?|grandchild\w*|grandkids|grandsons?|granddaughters?|little ones|teenagers?|bairns|nephews)\b|\b«(?:childless|child[- ]free|childfree)»\b
thing stopped.gone \b(?:died|dead|{PASSED}|is gone|has gone|gone now|flew (?:off|away|out)|ran (?:off|away)|escaped|put (?:down|to sleep)|rehomed|gave (?:\w+ )?away|given away|crossed the|lost|buried|went missing|went to live|didn'?t make it|no longer with us|left us|is history|dumped|my ex|broke up|split)\b
thing stopped.disposed \b(?:sold|gave (?:\w+ )?(?:away|up)|given away|got rid of|threw (?:\w+ )?(?:out|away)|chucked|ditched|scrapped|returned|lost|broke|broken|smashed|stolen|binned|donated|traded|swapped|replaced|packed in|died|is dead|gave up the ghost|totall?ed|wrote off|in the drawer|in the bin|retired|auctioned|snapped)\b
thing stopped.cancelled \b(?:cancell?ed|called (?:it )?off|is off|'s off|scrapped|fell through|not happening|(?:is|are|it'?s|'s) over|postponed|no longer on|binned)\b
thing stopped.closed \b(?:closed|shut|folded|gone bust|went bust|went under|bankrupt|quit|left|dropped|walked out|finished at|laid off|let go|no longer (?:at|with|work)|done with|resigned)\b
plan stopped \b(?:cancel(?:l?ed)?|called off|off now|not going|isn'?t happening|fell through)\b
plan stopped \b(?:cancel(?:l?ed)?|call(?:ed|ing)? (?:it )?off|scrapped|scratched|binned|not happening|no longer (?:going|happening|on)|won'?t be (?:going|happening)|is off|'s off|fell through|bailed|pulled out|backed out|ditched|abandoned|not going (?:any ?more|after all))\b
plan moved \b(?:moved|pushed(?: back| out)?|rescheduled|postponed|shifted|brought forward|changed|delayed|bumped|switched|rebooked|rearranged|put back|moved up|swapped|slipped|slid|booked instead)(?: it| them| everything)?(?: from [\w :]{2,20}?)? (?:to|till|until|for|on) «(?:the )?(?:{DAY}|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b|\d{1,2}(?:st|nd|rd|th)|next \w+|noon|\d{1,2}(?::\d\d)? ?(?:am|pm))»
plan moved \b(?:it'?s|now|instead|actually|make it|is now|will be|going)(?: on| for| at| be)* «(?:{DAY}|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b)»(?: instead| now| not)|\b(?:moved|pushed|brought|put)(?: \w+)? (?:back|forward|up|out) (?:by )?(?:a|one|two|\d|three) «(?:days?|weeks?|hours?|months?)»|^(?:my |the |our )«\w+(?: \w+)?» (?:is|'s) (?:actually |now )?(?:on )?(?:{DAY}|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b)
plan holds (?:^|\b(?:i'?m|we'?re|i am) )«(?!having|feeling|being|thinking|loving|getting)\w+ing\b .{0,40}(?:{DAY})»|\b(?:is|'s|are) (?:on |at |due |booked )?(?:\w+ ){0,3}?«(?:{DAY})»|\b(?:i'll|we'll|i will|going to|have an?) «.{2,40}(?:{DAY})»
plan holds \b(?:got|have|booked|there'?s|it'?s|scheduled|due)(?: an?| my| the| for)+ «.{2,40}(?:{DAY}|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b)»
partner holds~ \bmy (?:bf|boyfriend|gf|girlfriend|fella|bloke|missus)\b
any moved \b(?:i meant|i mean|correction|make that|typo|scratch that|strike that|told you wrong|got (?:it|that) wrong|my (?:bad|mistake)|misspoke|mistyped|autocorrect)\b[\s:,.—-]*«.{0,40}»
"""

CORE_WORDS: Final = {
    "I": r"\b(?:i|we|me and \w+|my (?:wife|husband|partner|family) and i)",
    "DWELL": (
        r"live|lives|living|lived|stay(?:ing)?(?= (?:in|at|near|with|over)\b)|reside|residing|dwell|rent|renting|settled|settle|lodge|lodging|board|boarding|based|camped|crash|crashing"
        r"|squatting|housesit(?:ting)?|nest(?:ed|ing)|flatshar(?:e|ing)|houseshar(?:e|ing)|bunking|holed up|been(?= (?:(?:back|down|up|over|out|living|based|here) )?(?:in\b|near\b|outside\b|at (?:my \w+['’]?s?['’]? in |(?-i:[A-Z]))))(?![^,]{0,60}\b(?:all|for the|this|the whole) (?:day|week|weekend|night|morning|afternoon|month)\b)|retired"
    ),
    "SHIFT": (
        r"moved?|moving|relocat(?:ed|ing)|shifted(?: base)?|transferred|decamped|emigrated|immigrated|migrated|resettled|rehoused|upped sticks|uprooted|packed up|settled"
        r"|drove|rehomed|evacuated|posted|swapped [\w ]{3,16} for|traded [\w ]{3,16} for|left [\w ]{3,16} for|bounced|downsized|moved back"
    ),
    "ROOM": (
        r"flat|apartment|house|place|home|room|bedsit|condo|studio|cottage|bungalow|townhouse|duplex|loft|trailer|farm|farmhouse|houseboat|maisonette"
        r"|terrace|semi|two-bed|one-bed|three-bed|\w+-bedroom|council (?:flat|house)|lease|tenancy|mortgage|houseshare|flatshare|digs|pad|cabin|mobile home|granny flat|dorm|dorm room"
    ),
    "TRADE": WORDS["TRADE"]
    + (
        r"|paralegal|attorney|dispatcher|hygienist|sous chef|head chef|line cook|bookkeeper|payroll clerk|trainee|first officer|foreman|supervisor|team lead"
        r"|lifeguard|surveyor|optician|optometrist|physio(?:therapist)?|chiropractor|masseuse|stylist|florist|jeweller|locksmith|mason|bricklayer|plasterer|decorator"
        r"|machinist|miner|rancher|veterinarian|zookeeper|ranger|detective|constable|sergeant|captain|marine|sailor|medic|orderly|phlebotomist|radiographer|surgeon"
        r"|anaesthetist|nutritionist|dietitian|teaching assistant|headteacher|principal|dean|archivist|curator|copywriter|reporter|publicist|recruiter|trader|underwriter"
        r"|statistician|economist|data analyst|data scientist|sysadmin|tester|qa|product manager|project manager|scrum master|business owner|landlord|innkeeper"
        r"|stay-at-home (?:mum|mom|dad|parent)|homemaker|housewife|delivery driver|bus driver|truck driver|taxi driver|streamer|youtuber|influencer|model|dancer|comedian|drummer|guitarist|dj"
    ),
    "DOING": (
        r"(?:drives?|driving)(?= (?:an? |the )?(?:[\w-]+ )?(?:bus|lorr|taxi|cab|truck|tram|train|van|ambulance|number|coach|hgv|forklift|tractor|uber|minibus|\d))|teach|teaching|fix|fixing|stock|stocking|sell|selling|clean|cleaning|deliver|delivering|wait tables|waiting tables|tend bar|bartend(?:ing)?|bake|baking for"
        r"|cook for|cooking at|serve|serving|coach|coaching|manage|managing|run|running|nurse|nursing|code for|build|building|repair|repairing|paint houses|cut hair|cutting hair|do nails|doing nails"
        r"|design|designing|translate|translating|farm|farming|guard|patrol|doing payroll|do payroll|answer phones|make furniture|groom|grooming|babysit|walk dogs|mow lawns|deal cards|weld|welding"
    ),
    "SPOUSE": WORDS["SPOUSE"] + r"|spouse|hubby|wifey|other half|old man",
    "LOVER": r"guy|girl|man|woman|bloke|lad|lass|chap|fella|lady|someone|boy|dude|gal",
    "PET": WORDS["PET"]
    + r"|hens?|beagle|labrador|lab|poodle|terrier|collie|spaniel|husky|corgi|pug|greyhound|goose|geese|ducks?|goats?|sheep|pigs?|donkey|axolotl|newt|canary|cockatiel|rat|rats|mouse|mice|bees",
    "NUMBER": WORDS["NUMBER"],
    "DAY": WORDS["DAY"]
    + r"|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?",
    "HURT": r"wrist|ankle|leg|arm|foot|knee|shoulder|collarbone|rib|ribs|hip|back|neck|elbow|toe|finger|thumb|nose|jaw|hand",
    "NAMED": r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)*",
    "SPORTS": r"run|running|swim|swimming|cycle|cycling|yoga|pilates|lift|lifting|climb|climbing|box|boxing|row|rowing|tennis|football|badminton|squash|gym|jog|jogging|hike|hiking|spin|crossfit|dance|dancing|walk|walking",
    "EATEN": r"meat|chicken|fish|beef|pork|steak|bacon|lamb|turkey|burgers?|seafood|dairy|eggs",
}
"""Classes of words for the expressions on a core: a whole field of meaning in each."""

CORE_TABLE: Final = r"""
habit moved.floor \b(?:moved|switched)(?: up| down)? to the «(?:ground|first|second|third|fourth|fifth|sixth|top|\w+th) floor»
habit holds.floor \b(?:live|living|are|am) on the «(?:ground|first|second|third|fourth|fifth|sixth|top|\w+th) floor»
habit holds.with \b(?:live|living|flatshare|share an? (?:flat|house|place|room|apartment))(?: \w+)? with (?:my )?«\w+»
habit holds.hours \b(?:i|we) (?:start|begin|clock on|clock in)(?: work| school| my shift)? at «\w+(?::\d\d)?(?: ?[ap]m)?»
habit moved.exercise \b(?:give|gave|given|packed|packing) (?:up|in) «(?:{SPORTS}|running|swimming|cycling|jogging|dancing)»|\b(?:can not|cannot) «(?:run|swim|cycle|jog|dance)» any ?more
partner stopped \b(?:dumped|ditched|left|binned|chucked) (?:him|her)\b(?! (?:at|in|a|my|some|alone|to|with))
partner moved \b(?:got|have|found|met)(?: myself)? an? (?:new )?«(?:girlfriend|boyfriend|partner|bf|gf|fella|missus)»\b
partner holds.engaged \b(?:is|are) engaged\b
partner moved.married \bgot (?:married|hitched)\b
school moved \b(?:gone|going|moved|went|starting|started|goes) (?:up )?(?:in)?(?:to )?«(?:year|grade|form) \d{1,2}»
school holds \b(?:is |am |are )?in «(?:year|grade|form) \d{1,2}»
habit holds.weight \b(?:i|we) weigh (?:about |around |roughly |nearly )?«\d+ ?(?:stone|kg|kilos?|lbs?|pounds|st)?»
habit moved.weight \b(?:down|up|dropped|back) to «\d+ ?(?:stone|kg|kilos?|lbs?|pounds|st)»
habit holds.rent \b(?:my |our |the )?rent(?:'s| is| are)? (?:about |around )?[£$€]?«\d[\d,]*»
habit moved.rent \brent (?:has |have )?(?:gone |went |is |got )?(?:put |raised )?(?:up|down|raised|increased) to [£$€]?«\d[\d,]*»
habit holds.shift \b(?:i am|i work|i do|working|doing)(?: the)? (?:on )?«(?:nights|days|earlies|lates|night shifts?|day shifts?|graveyard shift)»
habit moved.shift \b(?:put|moved|switched|changed|back) (?:me )?(?:on|to|onto) «(?:nights|days|earlies|lates|night shifts?|day shifts?)»
home stopped \b(?:not|no longer) (?:live|stay|board|rent|reside)[a-z]* (?:in |at |with |on )?«[\w' ]{0,24}?»(?: any ?more| any longer|$)|\bno more «(?:couch|housemates?|roommates?|flatmates?|landlord|dorm|commune|parents' basement)»
home stopped \b(?:sold|lost|left|gave up|given up|moved out of|cleared out of|evicted from|kicked out of|out of) (?:the|our|my|that)(?: old| little| big)? «{ROOM}»|\bleft «{NAMED}»$
home moved \b(?:{SHIFT})(?: house| home| base| back| over| out| down| up| away| across| in| off| ourselves| myself| us| me| here| and \w+)*(?: from [\w' ]{2,20}?)? (?:to|into|in|for|near|at|with) «(?!(?:tears|me|bed|it|this|that|them|him|her|my (?:seat|chair|desk|other)|together|work|school|the (?:front|back|next|sofa|table|left|right))\b)[\w' ]{2,30}»
home moved \bit(?:'s| is) «{NAMED}» for (?:me|us)\b|\bthis is home\b|\bhome is «{NAMED}»|«{NAMED}» is (?:my |our )?(?:new )?home\b|\bcall «{NAMED}» home\b
home holds \b(?:{DWELL})\b(?: \w+){0,3}? (?:in|at|on (?=(?:an?|the|my|our|(?-i:[A-Z]))\b)|near|outside|out of|with|by) «(?!(?:an? (?!council|rented|shared|bedsit)\w+ |an? \w+$|touch|bed|contact|line|peace|fear|me\b|it|this|that|the (?:moment|present|past|future|gym|phone|weekend|dentist|doctor|hospital)|hospital|town|love|time|school|work))[\w' ]{2,40}»
home holds \b(?:have|got|have got|rent|renting|bought|own|found|took|take|signed|sharing|share|leased|closed on|got the keys to|moved into|in)(?: up)? (?:an?|the|my|our|my own|our own)(?: [\w-]+){0,3}? ?(?:{ROOM})(?: share)? (?:in|at|near|on|by|off|outside) «[\w' ]{2,30}»
home holds \b(?:my|our)(?! (?:family|childhood|parents?|old|holiday|second|first|dream)\b)(?: \w+)? ?(?:{ROOM})(?: is)? (?:in|at|near|on|by|outside) «[\w' ]{2,30}»|(?<!family )\bhome is «[\w' ]{3,30}»
home holds? \b(?:i am|we are) from «[\w' ]{3,24}?»(?:,|$)
home holds \b(?:live|living|sleep|sleeping) (?:out of|aboard|on|in) «an? (?:van|caravan|camper|boat|houseboat|yurt|trailer|motorhome|bus|tent|narrowboat)[\w ]{0,24}»
work stopped \b(?:quit|left|resigned from|walked out of|packed in|jacked in|chucked|gave up|given up|ditched|done with|lost|let go from|fired from|laid off from|handed in my notice at|retired from|dropped|said goodbye to) (?:my |the |that |being an? )?«(?:freelanc\w+|teaching|nursing|driving|{TRADE}|[\w' ]{0,20}(?:job|gig|work|role|firm|company|army|navy|force|marines)|{NAMED})»
work stopped \b(?:«{NAMED}»|they|the (?:company|boss|firm|branch|shop|store|studio|factory|plant|place|school|restaurant|pub|mill|paper|startup)) (?:let me go|let us go|laid me off|laid us off|sacked me|fired me|made me redundant|axed me|folded|shut(?: down)?|closed(?: down)?|went under|went bust|collapsed|went bankrupt)\b|\bmade me redundant\b
work holds? \b(?:got|been|was|am|getting) (?:a |finally |just )*promot(?:ed|ion)\b(?! to)
work moved «{NAMED}» (?:hired|employed|took|poached|recruited|headhunted|snapped) me\b
work moved \b(?:taken|took|hired|snapped|brought|kept) (?:me )?on (?:at|by|as|with) «[\w' ]{2,30}»|\b(?:found|got|landed|started|have) (?:work|a (?:\w+ )?(?:job|gig|role|post|position)) (?:at|with|as|for|in) «[\w' ]{2,30}»
work moved \b(?:start|starting|started|begin|began|joining|joined|join|signed) (?:work )?(?:at|with|for) «(?:a |an |the )?[\w'& ]{2,30}»|\bset up on my own\b|\bself[- ]employed\b|\bgone freelance\b|\bwork for myself\b
work moved \b(?:i am|i have become|got to be|training to be|training as|studying to be) (?:an?|the) «(?:[\w-]+ ){0,3}(?:{TRADE})»
work moved \bin[- ]house at «[\w' ]{2,24}»|\bback (?:in|at) (?:an? |the )?«(?:office|work|classroom|kitchen|shop|hospital|ward|{NAMED})»
work moved \b(?:swapped|traded|left|gave up) «[\w' ]{0,16}?(?:freelanc\w+|teaching|nursing|driving|law|medicine|{TRADE}|\w*(?:job|work|firm|company|office|bank|bakery|shop|school|hospital)|{NAMED})» (?:for|to) (?:\w+ )?«[\w' ]{3,40}»
work moved \bi (?:run|own|opened|started|bought|manage) (?:my |our |the |a |an )?«(?:\w+ ){0,3}(?:firm|business|company|shop|store|bar|caf[eé]|bakery|restaurant|salon|studio|agency|practice|clinic|farm|garage|stall|consultancy|startup|pub|food truck|school)»
work holds \b(?:work|working|works|employed|contracting|temping|volunteering full[- ]time|gig is|job is|do) (?:\w+ ){0,3}?(?:at|for|as|in|on|with) «(?!(?:home|bed|a (?:bit|while)|the (?:moment|morning|evening|end|gym|garden)|me|my (?:own|way)|it|this|that|time|touch|all|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)\b)[\w'& ]{2,40}»
work holds ^(?:i |we )(?:do |am )?«(?:{DOING})\b[\w' ]{0,30}»(?: for a living| for work)?
work holds \bi am (?:an?|the|in) «(?:[\w-]+ ){0,3}?(?:{TRADE})\b[\w' ]{0,24}»|^(?:an? )?«(?:[\w-]+ ){0,2}(?:{TRADE})»(?: here| by trade| by day|, that is me|$)
work holds \b(?:serving|enlisted|stationed|serve) (?:in|with) (?:the )?«[\w' ]{3,20}»|\bmy (?:gig|line of work|trade|day job|job|profession) is «[\w' ]{2,40}»
work holds \b(?:have|had|run|keep) (?:an?|the|my) «(?:[\w-]+ ){0,2}(?:stall|shop|store|practice|business|booth|food truck|salon|round|route|bakery)»\b
work holds.none \b(?:i am|am|currently)? ?(?:between jobs|unemployed|out of work|job[- ]hunting|on the dole|a stay-at-home (?:mum|mom|dad|parent)|a homemaker|a housewife)\b
school moved \b(?:transferred|transferring|switched|changed|moved|swapped) (?:\w+ )?(?:to|into|over to) «[\w' ]{2,24}(?:high|school|college|uni\w*|academy|state|tech|course|degree|major|law|medicine)»
school moved \b(?:am|are) (?:now )?(?:reading|studying|majoring in|doing|taking|on to|enrolled in|enrolled at|accepted at|accepted to|off to|starting at) «[\w' ]{3,24}»(?: classes| course| degree)?
school moved \b(?:begun|began|started|starting|enrolled (?:in|on|at)|accepted (?:to|into|at)|got into|admitted to|on to) (?:an?|my|the)? ?«(?:phd|masters?|master's|doctorate|postdoc|degree|ba|bsc|msc|mba|law school|med school|uni\w*|college|[\w ]{3,16}(?: classes| course| lessons| degree| school)|{NAMED})»
school holds \b(?:doing|reading|studying|taking|take|finishing|working on|pursuing|in) (?:an?|my|the) «[\w' ]{0,16}(?:degree|phd|masters?|master's|course|classes|diploma|doctorate|apprenticeship|a-levels)»(?: (?:in|at) [\w ]{3,20})?|\b(?:take|taking|attend) «[\w' ]{3,16} (?:classes|lessons|school|courses?)»
school holds \b(?:i am|^)(?: an?)? ?«(?:freshman|sophomore|junior|senior|fresher|first[- ]year|second[- ]year|third[- ]year|final[- ]year|undergrad|postgrad|grad student)» (?:at|in)\b|\bi am in «(?:year|grade|form|class) \w+»|\bi am in «\w+ grade»|\b(?:go to|attend|at) «(?:\w+ ){0,2}(?:community college|college|university|high school|high|academy|uni|middle school|grammar school|boarding school)»
school stopped \b(?:quit|left|dropped|dropped out of|finished|completed|done with|flunked out of|graduated(?: from)?) (?:my |the )?«(?:uni\w*|college|school|high school|grad school|[\w' ]{0,14}(?:degree|course|classes|phd|masters?|master's|diploma)|history|physics|maths?|law|medicine|bookkeeping|{NAMED})»|«[\w' ]{0,12}(?:degree|masters?|master's|phd|course|diploma)»(?:'s| is)? (?:done|finished|over|complete|in the bag)
partner stopped \b(?:ghosted|dumped|left|divorced|jilted|finished with|walked out on|cheated on) me\b|\bthat is that\b|\b(?:i|we) (?:are|am) (?:getting|going through|in the middle of) (?:a |an? )?(?:divorced?|separat\w+)
partner moved.married \b(?:got|we are|are|am|i am|have)? ?(?:hitched|remarried|married|wed|eloped|tied the knot)\b(?! (?:to|for)? ?\w* ?(?:years|life|couple))|\b(?:i|we) remarried\b
partner holds \b(?:with|seeing|dating|met|courting|involved with|live with|have)(?: an?| this| my)(?: \w+){0,2}? (?:{LOVER}|{SPOUSE})(?: called| named|,)?(?: «{NAMED}»)?
partner holds \bmy (?:{SPOUSE})(?:'s name)?(?:'s| is| called| named)+ «{NAMED}»|\b(?:{SPOUSE}) (?:called|named|is) «{NAMED}»
partner holds.engaged \bengaged to\b
partner holds.married \bmarried to «{NAMED}»
partner holds.single (?<!not )(?<!longer )\b(?:single|divorced|unattached|widowed|widow|widower|not looking|on my own|a bachelor|a spinster)\b(?! (?:malt|mother|mum|mom|dad|parent|file|room|bed|thing|one|day|time))
name moved \b(?:changed|change) (?:it|my (?:name|surname|last name))(?: (?:by|to|from|back)\b[\w ]{0,20})?|\b(?:gone|went|going|reverted) back to (?:being )?(?:my maiden name|«{NAMED}»)|\b(?:name|it) is «{NAMED}» now\b|\bi (?:am|go by) «{NAMED}» now\b
name holds \b(?:my (?:full |real |first |last )?name is|name is|the name is|i am) «(?-i:[A-Z])[a-z]+ (?-i:[A-Z])[\w'-]+»$
nickname moved \b(?:rather you called|rather be called|prefer to be called|prefer) (?:me )?«{NAMED}»|\bgo by «{NAMED}»(?: these days| now)?|\b(?:drop|lose|forget|skip|enough of) the «{NAMED}»|\bcall me «{NAMED}» (?:from|now|instead|these)
nickname holds \b(?:calls?|call|known as) me «(?!when|if|back|at|on|in|tomorrow|later|like|(?:an?|the|this|next|soon|asap|maybe|please|after|before|anytime|any|again|sometime|now|to|for|from|and|or|tonight|today|you|out|names|your?|his|her|\w+day)\b)[\w']{2,20}»
age holds \b(?:i am|am|aged|age)(?: only| not even| nearly| almost)? «{NUMBER}»(?: years? old)?\b(?! (?:miles|km|minutes|mins|hours|weeks|months|days|people|of|percent|%|kilos|pounds|kg|cm|feet|foot|ft|inches|stone|lbs|metres|meters|blocks|dollars|years? into|in (?:line|the queue)))
age moved \b(?:turned|hit|reached|turning|now) «{NUMBER}»\b|\b«{NUMBER}» now\b|\bi am now «{NUMBER}»\b
health stopped.injury \b(?:plaster|cast|stitches|boot|brace|splint|sling|bandage|braces)\b.{0,6} (?:came|come|is|are|was) off\b
health stopped \b(?:{HURT})(?:'s| is| are)(?: \w+)? (?:mended|healed|right as rain|good as new|better|fine|fixed|recovered|back to normal)\b|\bno more «(?:crutches|cast|plaster|wheelchair|pills|tablets|insulin|inhaler|chemo|meds|medication|brace|sling|injections|dialysis)»
health stopped.pregnancy \b(?:had|delivered) (?:our|my|the|a) (?:baby|twins|little|son|daughter|boy|girl)|\b(?:was|were) born\b|\bgave birth\b
health moved.medicine \b(?:(?:swapped|switched|changed|replaced)(?: me| i)?|moved (?:me|i))(?: from)?(?: my| the)? \w+ (?:for|to|with|onto) «\w+»
health holds.medicine \b(?:has|have|put|keeps?) (?:me|i) on «\w{4,}»|\b(?:on|take|taking|prescribed) «\w{3,}(?:in|ol|ide|ine|ate|pril|arin|statin|pam|mab|xaban|sartan|min|ic|one)» (?:for|daily|every|twice|since|and)\b
health holds.injury \b(?:have|had|got|with) (?:an?|my) (?:broken|fractured|sprained|torn|bad|dodgy|slipped|twisted|dislocated|sore|busted|frozen) «\w+»|\b(?:{HURT}) is in (?:plaster|a cast|a sling|a boot)|\bon crutches\b|\bin a wheelchair\b
health holds.pregnancy \b(?:\w+ )?(?:months|weeks) (?:pregnant|along|gone)\b|\bi am (?:pregnant|expecting)\b
health holds \b(?:i am|i have|i get|i suffer from|have got|living with|diagnosed with|prone to)(?: an?| the| mild| severe| chronic| bad| very| a bit)* «(?:(?:lactose|gluten)(?: intolerant| intolerance)?|deaf|blind|colou?r[- ]?blind|short[- ]sighted|near[- ]sighted|far[- ]sighted|dyslexi\w+|autis\w+|carsick|seasick|migraines?|vertigo|insomnia|tinnitus|arthritis|asthma|eczema|diabet\w+|coeliac|celiac|epilep\w+|hay fever|adhd|ocd|ibs|crohn'?s|lupus|gout|scoliosis|high blood pressure|an(?:a)?emi\w+)»
habit moved.smoke.no \b(?:not|never|have not|no) (?:\w+ )?(?:touched|smoked|had|lit|bought)(?: \w+)? (?:a |an |any |another )?(?:cigarette|smoke|fag|cig|vape|drag|puff|ciggie)s?\b|\b(?:chucked|binned|ditched|dumped|threw away|quit|gave up|stopped|kicked|packed in|jacked in) (?:the |my )?(?:vape|vaping|vapes|fags|cigs|ciggies|cigarettes|smokes|smoking|nicotine|tobacco)\b
habit holds.smoke.yes \b(?:i|we) (?:smoke|vape)\b
habit moved.alcohol.no \b(?:teetotal|sober|dry|off the (?:booze|drink|sauce|wine|beer))\b|\b(?:quit|gave up|stopped|packed in|cut out) (?:the )?(?:drink|drinking|booze|alcohol|wine|beer)\b
habit holds.alcohol.no \b(?:i|we) do not drink(?! (?:tea|coffee|milk|water|juice|soda|cola|\w+ tea)\b)|\bnever drink\b
habit holds.alcohol.yes \b(?:glass|pint|bottle|can|tot|dram|odd pint|nightcap|beer|wine|whisky|g&t)s? (?:of \w+ )?(?:with|after|before|again|every|each|most|a|on)\b|\bdrinking again\b
habit moved.diet.meat \b(?:eat|eating|started eating|back on|having|eaten)(?: \w+){0,2}? (?:{EATEN})\b
habit holds.diet.veg \b(?:vegetarian|vegan|veggie|pescatarian|plant[- ]based)\b|\bdo not eat (?:meat|animals)\b|\b(?:gone|going|went|turned) (?:vegan|veggie|vegetarian|plant[- ]based)\b
habit holds.sleep.late \b(?:bed|asleep|sleep)\b.{0,14}\b(?:[1-4] ?am|[1-4]|two|three|four|midnight|dawn)\b|\bnever in bed before\b
habit holds.meal \b(?:skip|eat|have|cook|never eat|never have) «(?:breakfast|lunch|dinner|supper)»\b
habit holds.exercise \b(?:i|we) (?:go to the )?«(?:{SPORTS})»(?: every| each| most| before| after| on| \w+ times| twice| once| daily| a week)
taste holds- \b(?:gone (?:right |clean )?off|lost (?:my|all) (?:taste|love|appetite) for|done with|sick of|tired of|bored of|bored with|over(?! the (?:moon|top|hill|limit|worst|phone|years?|weekend|holidays?|summer|winter)\b)|through with|fed up with|can not (?:even )?(?:look at|face|stand|bear|stomach)|grew out of|had enough of|not (?:a fan of|fond of|into|keen on)|put off) «[\w' ]{3,30}»|«[\w' ]{3,24}?» (?:is|are|got|became) (?:boring|dull|gross|disgusting|dead to me)\b
taste holds \b(?:adore|love|mad about|obsessed with|crazy about|addicted to|hooked on|nuts about|big fan of|huge fan of|a sucker for|partial to|(?<!moved )(?<!back )into|can not get enough of|live for|swear by|keen on|fond of) «(?!(?:it|this|that|you|how|when|him|her|them|us)\b)[\w' ]{3,30}»|«[\w' ]{3,30}?» (?:is|are) my (?:favou?rite|jam|thing|guilty pleasure|passion|weakness)\b
taste holds- \b(?:hate|loathe|detest|despise|can not stand|can not bear|can not abide|dislike|terrified of|scared of|afraid of|allergic to the sight of) «(?!(?:it|this|that|you|how|when|him|her|them)\b)[\w' ]{3,30}»
possession moved \b(?:bought|got|treated myself to|picked up|upgraded to) (?:an?|the|my) new «[\w' ]{3,24}»
possession holds.car \b(?:i|we) (?:drive|ride) (?:an?|the|my)(?: beat[- ]up| old| battered| vintage| second[- ]hand| new| little)* «[\w' ]{3,24}»
possession holds.phone \b(?:have|have got|got|use|using|phone is)(?: an?| the| my)?(?: \w+)? «(?:iphone|pixel|galaxy|samsung|nokia|oneplus|motorola)[\w ]{0,8}»
possession holds.pet \b(?:i|we)(?: have| have got| own| keep| adopted| got)+ (?:an?|one|two|three|four|five|six|seven|\d+|some|my)(?: [\w-]+){0,2}? ?«(?:{PET})s?(?: called \w+| named \w+)?»|\bthere is an? «(?:{PET})»|\b(?:{PET}) (?:called|named) «{NAMED}»|\b(?:dog|cat|pet)(?:'s name)? is (?:called )?«{NAMED}»
possession holds.thing \b(?:i|we) (?:own|have got|have|play|collect|keep|restore|got) (?:an?|my|two|three|some)? ?(?:old |vintage |second[- ]hand |antique |acoustic |electric )?«(?!\w+(?:ed|ing)\b)(?!(?:to|never|always|still|more|heard|her|him|allergic|go|made|\d+ (?:seconds|minutes|hours|days|weeks)|been|had|gone|lost|left|quit|got|taken|become|begun|given|grown|started|come|not|no|a (?:question|problem|feeling|headache|cold|plan|meeting|bit|lot|idea))\b)[\w'-]{2,}(?: [\w'-]+){0,3}»$|^got (?:an?|my) «[\w ]{2,20}»$
children holds.count \b(?:have|have got|got|raising) «(?:a|an|one|two|three|four|five|no)» (?:kids?|children|child|sons?|daughters?|boys?|girls?)\b|\b«no» kids\b
thing stopped.gone \b(?:died|{PASSED}|put (?:\w+|him|her|it|them) (?:to sleep|down)|to sleep|got the \w+|ran away|ran off|went missing|is gone|are gone|is no more|crossed the rainbow|rehomed|killed|taken by a fox)\b
thing stopped.disposed \b(?:sold|pawned|stolen|nicked|pinched|lost|broke|smashed|crashed|wrecked|totalled|scrapped|binned|chucked|tossed|donated|gave away|given away|got rid of|parted with|flogged|traded in|traded|swapped|returned|retired|died|dead|packed up|gave up the ghost|conked out|is gone|are gone|upgraded from|dropped|uninstalled|deleted)\b
thing stopped.cancelled \b(?:off|cancelled|canceled|called off|scrapped|postponed|fell through|pull(?:ed)? out|backed out|not happening|not going|no longer going|cannot make it|can not make|had to cancel|bailed)\b
thing stopped.closed \b(?:closed|shut|folded|gone|bust|ended|finished|wound up|disbanded|over|stopped|quit|retired from|gave up|jacked in|packed in|left|dropped|done with|no more|let me go|handed in|discharged)\b
thing stopped.quit \b(?:not|no longer|never|stopped|quit|gave up|given up|giving up|packed in|jacked in|chucked|ditched|dropped|done with|finished with|finished|swapped|traded|no more|left|retired from|cut out|off) «[\w' ]{3,40}»
plan moved \b(?:rescheduled|pushed(?: back)?|moved|postponed|brought forward|changed|delayed|shifted|bumped|switched)(?: the \w+)?(?: \w+)? (?:to|for|until|till) «(?:the )?(?:{DAY})»|\bit is «{DAY}» instead\b|\b(?:it|that) is (?:now )?«{DAY}»
plan stopped \b(?:pull(?:ed)? out of|backed out of|cancelled|called off|can not make|not going to|scrapped|ditched) (?:the |my |our )?«[\w' ]{3,24}»|«[\w' ]{3,20}?»(?:'s| is) off\b
plan stopped \b(?:am|are) (?:not|no longer) «moving|leaving|starting|going|getting married|buying|selling|flying|travelling»\b(?=.*\b(?:any ?more|after all|now)\b)|\bno longer «moving|leaving|going»\b
plan holds \b(?:i am|we are|i have|my)\b.{2,40}?\b(?:on|in|at|this|next) «{DAY}»|^[\w ]{3,24}? with \w+ on «{DAY}»
"""
"""As :data:`TABLE`, on the core of a clause (:mod:`memory.text.slot_core`)."""
