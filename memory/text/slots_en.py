"""The English ways of speaking of a slot: see :func:`memory.text.slot_cues.cues` for the notation.

Each expression is searched in one clause, in which I stands for the speaker. The first that fits
wins within its slot, so what is more particular comes first.
"""

from typing import Final

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)

_ORDINAL: Final = r"\d{1,2}(?:st|nd|rd|th)?"

WORDS: Final = {
    "DATE": rf"(?:the )?{_ORDINAL}(?: of)? {_MONTH}\b|{_MONTH} (?:the )?{_ORDINAL}\b",
    "DAY": (
        rf"(?:the )?{_ORDINAL}(?: of)? {_MONTH}\b|{_MONTH} (?:the )?{_ORDINAL}\b"
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
    "DONE": r"(?:'ve|'ve just|have|just|finally|recently|have just)",
}

TABLE: Final = r"""
home moved \b(?:moved|relocated|moving)\b(?: house| back| over| out| down| up| away| across)?(?: from [\w' ]{2,20}?)? (?:to|into|back to) «(?!(?:a|an|the|my|our|new|his|her|their|this|that|it|tears|me)\b)[\w' ]{2,30}»
home moved \b(?:moved|relocated)\b(?: house)? (?:to|into) (?:a|an|the|my|our) (?:\w+ ){0,2}(?:flat|house|place|apartment|home|studio|cottage|room)\b(?: (?:in|at|near|on) «[\w' ]{2,30}»)?
home moved \bi'?m (?:back )?in «(?!the\b|a\b|bed|town|love|my)[\w' ]{2,25}?» (?:for good|now|these days)
home moved \b(?:we|i) (?:now )?live in «[\w' ]{2,25}?» now\b|\bnow (?:live|living|based) (?:in|at) «[\w' ]{2,25}»
home moved \bnew address\b|\bgot the keys\b|^(?:our |my )?own place|\bpacked up and\b|\bnew (?:flat|place|house|apartment|home) (?:is |'s )?in\b|\bhome is now\b|\bmoved in(?:to)?\b(?: with)?
home stopped \bmoved out\b|\bmoved house\b|\bwe(?:'ve| have)? moved$
home holds \b(?:lives?|living|reside[sd]?|based|settled|renting|rent|residing)\b (?:[\w']+ ){0,3}?(?:in|at|near|outside) «(?!(?:a|an|this|that|fear|hope|peace|the (?:moment|present|past|future))\b)[\w' ]{2,40}»
home holds \b(?:my|our) (?:house|flat|place|home|apartment|address)(?:'s| is)(?: \w+)? (?:in|at|near) «[\w' ]{2,40}»
home holds «(?-i:[A-Z])\w+» living$|^home(?:'s| is) «(?-i:[A-Z])[\w' ]{2,20}»
home holds? ^(?:i'?m|i am|we'?re|we are) in «(?-i:[A-Z])[\w' ]{2,30}»
work moved \b(?:start(?:ed|ing|s)?|began|hired|working|work|retrained|job)\b(?: \w+){0,2}? as (?:an?|the) «[\w' -]{3,40}»
work moved \bi'?m (?:now|officially) (?:an?|the) «(?:[\w-]+ ){0,3}?{JOB}»|\bi'?m (?:an?|the) «(?:[\w-]+ ){0,3}?{JOB}»(?: (?:at|for) [\w' ]{2,20})? now\b
work moved \b(?:left|quit) [\w' ]{2,20}(?: and| to| for)+ (?:join(?:ed)? |work at |work for )?«[\w' ]{2,30}»|\bjoined «(?-i:[A-Z])[\w' ]{2,30}»
work moved \b(?:new job|new role|promot(?:ed|ion)|got the job|switched (?:jobs|careers)|as of today i|changed jobs)\b
work stopped \bquit (?:my|the) job\b|\bi (?:just )?(?:quit|resigned)$|\bresigned\b|\bhanded (?:in )?my notice\b|\blaid off\b|\bgot (?:fired|sacked)\b|\bi was (?:fired|sacked)\b|\bmade redundant\b|\blost my job\b|\blet me go\b|\bout on my ear\b|\bsigning on\b|\bgone bust\b|\b(?:shut|closed) the [\w ]{3,20}(?:for good|down)?
work holds.none \bi'?m (?:now )?(?:retired|unemployed|jobless|out of work|between jobs)\b|^(?:retired|unemployed)\b|\bi(?:'ve)? retired\b
work holds \bi (?:now )?(?:\w+ly )?(?:teach|run an?|run the|manage an?|manage the|own an?|drive an? (?:tram|bus|cab|taxi|lorry|truck|train|van)\b|deliver|tend bar|wait tables|nurse|clean (?:houses|offices)|sell)\b «[\w' ]{0,30}»
work holds \b(?:works?|working|employed)\b (?:[\w']+ ){0,2}?(?:at|for|as|in) «(?!home|(?:a|my|the) (?:current |new |same )?(?:company|team|garden|gym|boss|future|project)|the (?:moment|morning|evening|end)|a (?:bit|while)|me\b|bed)[\w' -]{2,40}»
work holds \bi'?m (?:an?|the) «(?:[\w-]+ ){0,3}?{JOB}»|\bi am (?:an?|the) «(?:[\w-]+ ){0,3}?{JOB}»
work holds \bmy (?:job|profession|occupation|trade)(?:'s| is) «(?!(?:very|so|quite|too|really|not|pretty|stable|stressful|boring|hard|fine|great|good|ok|killing|the same)\b)[\w' -]{3,40}»
work holds ^«(?:[\w-]+ ){0,2}(?:{TRADE})»(?: (?:at|for|with|in) [\w' ]{2,30})?$
work holds ^«(?:[\w-]+ ){0,2}{JOB}» (?:at|for|with) (?:the |an? )?(?-i:[A-Z])[\w' ]{2,30}$
school moved \b(?:declared|(?:switched|changed) (?:my )?(?:majors?|degrees?|courses?) (?:to|from \w+ to)|transferred to|now (?:studying|majoring in))\b «[\w' ]{2,30}»
school moved \bnew (?:school|college|uni)\b|\bfirst day at «(?-i:[A-Z])[\w' ]{2,30}(?:school|high|college|uni|academy|university)»|\bgot into «(?-i:[A-Z])[\w' ]{2,30}»
school stopped \bdropped out\b|\bi(?:'ve)? (?:just |finally )?graduated\b|^graduated\b|\bleft (?:school|uni|college)\b
school holds \b(?:freshman|sophomore|junior|senior|(?:first|second|third|final)[- ]year|undergrad|grad student|student) (?:at|in) «[\w' ]{2,30}»
school holds \b(?:majoring in|my major(?:'s| is)|doing my (?:\w+ )?(?:at|in)|i study) «[\w' ]{2,30}»|\bstudying «[\w ]{2,20}» at\b
school holds \b(?:i )?(?:go to|attend|study at) «[\w' ]{2,25}(?:high|school|college|uni|university|academy|state|tech)\b»
partner stopped ^(?:me and [\w]+|\w+ and i|we|we've|we have|i|i've)(?:'ve| have)?(?: finally| just| both)? (?:broke(?:n)? up|split(?: up)?|separated|called it (?:off|quits)|got divorced|are (?:over|done|finished)|divorced)\b
partner stopped \b(?:he|she|«(?-i:[A-Z])\w+») (?:dumped|left) me\b(?! (?:a|the|some|my|feeling|with|in|at|alone|on)\b)|\bi (?:dumped|left) (?:him\b|her\b|my (?:{SPOUSE})|«(?-i:[A-Z])\w+»$)|\bbroke up with\b|\b(?:divorce|breakup) (?:came through|is final|papers)|\bi'?m (?:now )?divorced\b
partner stopped ^«[A-Z]\w+» is (?:history|my ex|out of the picture|gone)|^«[A-Z]\w+» and i are (?:over|done)
partner moved.married \b(?:we|i)(?:'ve| have)?(?: just| finally)? (?:got married|tied the knot|eloped|married)\b|^(?:just )?married (?:at|in|on|to|last|today|yesterday)|\bi'?m (?:now )?married\b|\bwe'?re married\b|\bsaid i do\b
partner moved.engaged \b(?:we|i)(?:'re|'m| got| are)(?: now| just)? engaged\b|\bsaid yes\b|\b(?:he|she) proposed\b
partner moved \b(?:seeing|dating|going out with|i'?m with|together with) «[A-Z]\w+»(?: now| these days)\b|\bit'?s official\b|\bi'?m with «(?-i:[A-Z])\w+»
partner holds.married ^married\b(?! (?:life|couple))|\bmy wedding anniversary
partner holds.engaged ^engaged\b
partner holds.single \b(?:i'?m|still|^|been|am) ?single\b(?! (?:malt|mother|mum|mom|dad|parent|file|room|bed|thing|one|day|time))
partner holds \bmy (?:{SPOUSE})(?:'s| is)?(?: called| named| name is)? «(?-i:[A-Z])[\w']+»
partner holds \b(?:dating|seeing|going out with|been with|together with) (?:an? (?:\w+ )?(?:guy|girl|man|woman|bloke|lad|lass) (?:called|named) )?«(?-i:[A-Z])\w+»
partner holds \bdating «an? [\w ]{3,20}»
name holds \bmy (?:full |real |first |actual )?name(?:'s| is) «[\w' -]{2,24}»|^name'?s «[\w']{2,20}»|\bit'?s «(?-i:[A-Z])\w+»$
name moved \bchanged my (?:name|surname|last name) to «[\w' ]{2,24}»
nickname stopped \b(?:stop|quit|don'?t) (?:with|calling me|call me|say(?:ing)?) «\w+»
nickname holds ^(?:you can |you may |please |just |and |but |or |now |could you |everyone |everybody |people |friends |they |all |so )*(?:calls? (?:me|i)|says) «(?!when|if|back|at|on|in|tomorrow|later|like|a |an |the )[\w']{2,20}»|\b(?:i )?go by «[\w']{2,20}»|\bi'?m known as «[\w']{2,20}»
age moved \b(?:just |finally )?turned «{NUMBER}»\b
age holds \b(?:i'?m|i am|im)(?: only| just| now| already)? «{NUMBER}»(?: years (?:old|young))?(?= now\b| and\b| but\b|$|[,.!]| years| today| next| in [a-z]+uary)
birthday holds \bbirthday(?:'s| is|:)?(?: really| actually| now)?(?: on)? «{DATE}»|\bborn (?:on )?«{DATE}»|«{DATE}»,? birthday|\b(?:put|mark) me down for «{DATE}»|\bbirthday'?s? (?:is )?(?:on )?«the \d{1,2}\w\w»
health stopped.allergy \b(?:not|no longer|never was|isn'?t|wasn'?t) (?:actually |really )?allergic\b
health holds.allergy \ballergic to «[\w' ]{3,30}»|\b«\w+» allergy\b
health stopped.pregnancy \blost the baby\b|\bmiscarr\w+|\bgave birth\b|\b(?:he|she|baby)(?:'s| is) (?:finally )?(?:here|born)\b
health holds.pregnancy \b(?:i'?m|we'?re|am) (?:\w+ )?(?:pregnant|expecting)\b|\b\d+ weeks pregnant
health stopped.medicine \b(?:took me off|taken off|came off|come off|coming off|i'?m off|weaned off)(?: the| my)? «\w+»|\b(?:tablets|pills|inhaler|crutches) (?:are )?in the bin\b
health moved.medicine \b(?:switched|moved|put) me (?:to|on|onto)(?: the)? «\w+»
health stopped \bin remission\b|\ball clear\b|\bcured\b|\bhealed\b|\bfully recovered\b|\bback to normal\b|\beverything'?s (?:back to )?normal\b|\bcast (?:is|came) off\b|\bwas a misdiagnosis\b|\btest was wrong\b
health holds.medicine \bon «\w+» (?:twice|once|daily|every|for)\b|\b«\w+» tablets\b
health moved.injury \b(?:torn|tore|sprained|broke|broken|fractured|dislocated|pulled) (?:my |a |the )?«\w+»|\bno (?:running|lifting|sport) for\b
health holds \b(?:i'?m|i am|says i'?m|i have|i'?ve got|diagnosed with|suffer from|^)(?: an?| the)?(?: \w+)?(?: \w+)? ?«(?:diabetic|diabetes|an(?:a)?emic|an(?:a)?emia|asthma(?:tic)?|coeliac|celiac|epilep\w+|depress\w+|adhd|arthritis|eczema|cancer|migraines?|insomnia|hypertension|lupus)»\b
health holds.injury \b(?:knees?|back|shoulder|ankle) (?:is|are) «(?:great|fine|bad|knackered|sore)»
habit moved.smoke.no \b(?:quit|quitting|stopped|gave up|given up|packed in) (?:smoking|the (?:cigs|cigarettes|fags)|cigarettes|vaping)\b|\bsmoke[- ]free\b|\bnon[- ]?smoker\b|\bdon'?t smoke\b
habit holds.smoke.yes \bsmoker\b|\bpack a day\b|\bi smoke\b|\b(?:smoking|vaping) again\b|\bi vape\b
habit holds.alcohol.no \bno booze\b|\bsober\b|\bteetotal\b|\b(?:quit|stopped|gave up|given up) (?:drinking|alcohol|booze)\b|\bdon'?t drink\b|\boff the booze\b
habit holds.alcohol.yes \b(?:drinking|boozing) again\b|\bglass of (?:wine|red) (?:every|each|a) \w+\b|\bi drink\b(?! (?:tea|coffee|water|milk))
habit moved.diet.meat \b(?:eat(?:ing)?|back on) (?:meat|chicken|fish|steak|bacon)(?: again| now)|\b(?:not|no longer|stopped being|gave up being) (?:a )?(?:vegan|vegetarian|veggie)\b|\beat meat\b
habit holds.diet.veg \b(?:vegan|vegetarian|veggie|plant[- ]based)\b|\bdon'?t eat meat\b|\bno (?:more )?meat\b|\b(?:stopped|gave up|quit) (?:eating )?meat\b
habit holds.sleep.late \bnight owl\b|\b(?:bed|asleep|sleep) (?:at|until|till|past|after) (?:[1-4]|two|three|four)\b|\bup (?:until|till) (?:[1-4]|two|three)\b
habit holds.sleep.early \bin bed (?:by|before) (?:\d|nine|ten)|\bearly (?:nights|bird|riser)\b|\b(?:asleep|bed) by (?:9|10|nine|ten)\b|\bup at (?:five|six|[4-6])\b
habit stopped.exercise \bcancell?ed my (?:gym )?membership\b|\b(?:quit|stopped|gave up) (?:the )?«{SPORT}»
habit moved.exercise \bi «{SPORT}»\b.{0,30}\binstead\b|\bswapped .{2,20} for «{SPORT}»
habit holds.exercise «{SPORT}» (?:every|each|\w+ (?:times|mornings|nights))\b|\bi «{SPORT}» (?:every|each|daily|at)\b
habit holds.commute \bi (?:cycle|bike|walk|drive|take the (?:bus|train|tram)|bus it) to (?:work|school|uni|the office)\b
taste holds- \b(?:hate|can'?t stand|dislike|despise|loathe|detest|gone off|went off|sick of|fed up with|so over|no more|can'?t watch|can'?t eat|won'?t eat|don'?t (?:like|enjoy|watch|eat|drink|play)|no longer (?:like|love|enjoy|into))\b «[\w' ]{0,30}»
taste holds- ^«[\w' ]{3,20}» (?:is|are|'s) (?:eyeballs|disgusting|gross|the worst|vile|revolting|overrated)\b
taste holds \b(?:love|loves|(?<!feel )(?<!feels )(?<!look )(?<!looks )(?<!sounds )(?<!seems )(?<!seem )(?<!just )(?<!something )like|adore|enjoy|prefer|obsessed with|(?:i'?m|i am) (?:\w+ )?into|crazy about|mad about|fan of|addicted to|hooked on|can'?t get enough of) «(?!you\b|it\b|that\b|to (?:hear|know)|how|when|him\b|her\b)[\w' ]{3,30}»
taste holds ^«[\w' ]{3,25}» (?:is|are) my (?:\w+ )?(?:comfort food|favou?rite|whole life|life|jam|thing|passion|happy place|guilty pleasure|everything)\b|\bmy favou?rite [\w ]{2,20} (?:is|are) «[\w' ]{2,25}»|«\w+» (?:girl|guy|boy|person|fan) now\b
possession stopped.car \b(?:sold|scrapped|totall?ed|wrote off|crashed|got rid of) (?:the|my|our) «(?:\w+ ){0,2}(?:{CAR})»
possession moved.car \b(?:bought|got|picked up|leased|drive|driving)(?: myself)? (?:a|an|my|our) new «(?:\w+ ){0,2}(?:{CAR})»
possession holds.car \bi (?:now )?drive (?:a|an|my) «(?!tram|bus|cab|taxi|lorry|train)[\w' ]{3,30}»|\bmy car(?:'s| is) «[\w' ]{3,30}»
possession moved.phone «(?:[\w]+ ){0,2}(?:{PHONE})[\w ]{0,8}?» is my (?:new )?phone now|\b(?:new|upgraded to|switched to|replaced \w+ with)(?: an?| my| the)? «(?:\w+ ){0,2}(?:{PHONE})[\w ]{0,8}»|\bgave me an? «(?:{PHONE})»
possession stopped.phone \b(?:dropped|lost|smashed|broke|sold|drowned) (?:my|the) «(?:{PHONE})»|\b«(?:{PHONE})» (?:went in the drawer|died|is dead|got stolen|is toast)
possession holds.phone \b(?:rocking|using|have|on|got)(?: an?| my| the)?(?: \w+)? «(?:{PHONE})(?: ?\w+)?»|\bmy phone(?:'s| is) «[\w' ]{3,20}»
possession stopped.pet \b(?:lost|put down|rehomed|gave away|buried|said goodbye to) (?:my|our|the)? ?«(?:[\w']+ ){0,2}(?:{PET})|(?-i:[A-Z])\w+»|\bmy (?:{PET}) (?:«\w+» )?(?:died|passed|crossed|ran away|is gone)|^«(?-i:[A-Z])\w+» (?:died|passed(?: away)?|crossed the rainbow|was put (?:down|to sleep))\b
possession holds.pet \b(?:my|our) (?:{PET})(?:'s| is)?(?: called| named| name is)? «(?-i:[A-Z])\w+»|\b(?:have|got|adopted) (?:an?|two|three|another|a second) «(?:\w+ ){0,2}(?:{PET})»
plan stopped \b(?:cancel(?:l?ed)?|called off|off now|not going|isn'?t happening|fell through)\b
plan moved \b(?:moved|pushed(?: back)?|rescheduled|postponed|shifted|brought forward|changed|delayed|bumped)(?: it)?(?: from [\w ]{2,16}?)? (?:to|till|until|for) «(?:{DAY})»|\bnow (?:on|it'?s) «(?:{DAY})»
plan holds (?:^|\b(?:i'?m|we'?re|i am) )«(?!having|feeling|being|thinking|loving|getting)\w+ing\b .{0,40}(?:{DAY})»|\b(?:is|'s|are) (?:on |at |due |booked )?(?:\w+ ){0,3}?«(?:{DAY})»|\b(?:i'll|we'll|i will|going to|have an?) «.{2,40}(?:{DAY})»
any moved \b(?:i meant|i mean|correction|make that|typo|scratch that)\b[\s:,.—-]*«.{0,40}»
"""
