"""Occupations in English, as people say that they are it."""

import re

OCCUPATION = (
    r"(?:engineer|developer|programmer|coder|designer|teacher|doctor|nurse|lawyer|manager|student|"
    r"scientist|researcher|writer|author|artist|painter|chef|cook|accountant|architect|analyst|"
    r"consultant|counsell?or|photographer|musician|singer|actor|actress|dancer|journalist|editor|"
    r"professor|lecturer|founder|entrepreneur|freelancer|dentist|pharmacist|therapist|psychologist|"
    r"electrician|plumber|carpenter|mechanic|pilot|driver|barista|translator|administrator"
    r"|recruiter|"
    r"salesperson|marketer|banker|economist|biologist|chemist|physicist|veterinarian|vet|farmer|"
    r"firefighter|librarian|social worker|product owner|scrum master|coach|trainer|intern"
    r"|director|CTO|CEO|"
    r"bricklayer|roofer|scaffolder|locksmith|beekeeper|groundskeeper|shepherd|fisherman|postman"
    r"|postwoman|"
    r"lifeguard|bouncer|paramedic|midwife|optician|radiographer|sonographer|phlebotomist|physio"
    r"|physiotherapist|"
    r"porter|concierge|handyman|tiler|joiner|glazier|decorator|upholsterer|blacksmith|stonemason"
    r"|welder|builder|"
    r"tattooist|beautician|hairdresser|barber|dog walker|groomer|childminder|nanny|carer|"
    r"(?:child)?care (?:worker|assistant)|(?:support|youth|factory|warehouse) worker|"
    r"(?:teaching|shop) assistant|"
    r"receptionist|cashier|waiter|waitress|bartender|bookkeeper|paralegal|solicitor|barrister"
    r"|secretary|"
    r"cabbie|docker|miner|roadie|dishwasher|cobbler|seamstress|dressmaker|tailor|baker|butcher"
    r"|florist|gardener|"
    r"head ?teacher|tutor|sailor|soldier|policeman|policewoman|police officer|flight attendant"
    r"|steward|stewardess|"
    r"undertaker|translator|interpreter|surveyor|cleaner|caretaker|janitor|courier|machinist"
    r"|civil servant|"
    r"farrier|thatcher|falconer|glassblower|chimney sweep|gamekeeper|forester|tree surgeon"
    r"|arborist|landscaper|potter|"
    r"weaver|printer|goldsmith|silversmith|watchmaker|luthier|piano tuner|instructor|referee"
    r"|jockey|groom|vicar|priest|nun|"
    r"minister|rabbi|imam|chaplain|pastor|magistrate|judge|croupier|bookseller|greengrocer"
    r"|fishmonger|milkman|publican|"
    r"sommelier|brewer|winemaker|caterer|dietitian|nutritionist|osteopath|chiropractor|podiatrist"
    r"|masseuse|audiologist|"
    r"surgeon|hygienist|stagehand|choreographer|composer|cellist|violinist|pianist|drummer"
    r"|guitarist|comedian|stylist|"
    r"jeweller|animator|illustrator|geologist|botanist|zoologist|astronomer|meteorologist"
    r"|archaeologist|historian|curator|"
    r"archivist|statistician|mathematician|actuary|auditor|broker|"
    r"(?:estate|travel|letting) agent|dispatcher|diver|"
    r"plasterer|fitter|gas engineer|mason|bailiff|detective|(?:prison|probation) officer"
    r"|security guard|signaller)"
)
PRACTISED = {
    "nursing": "nurse",
    "teaching": "teacher",
    "plumbing": "plumber",
    "hairdressing": "hairdresser",
    "bartending": "bartender",
    "waitressing": "waitress",
    "waiting tables": "waiter",
    "tutoring": "tutor",
    "midwifery": "midwife",
    "accounting": "accountant",
    "accountancy": "accountant",
    "bookkeeping": "bookkeeper",
    "engineering": "engineer",
    "farming": "farmer",
    "welding": "welder",
    "lecturing": "lecturer",
    "nannying": "nanny",
    "childminding": "childminder",
    "bricklaying": "bricklayer",
    "roofing": "roofer",
    "scaffolding": "scaffolder",
    "journalism": "journalist",
    "dentistry": "dentist",
    "social work": "social worker",
    "truck driving": "truck driver",
    "bus driving": "bus driver",
    "taxi driving": "taxi driver",
}
"""Whoever gives it up gives up a trade. Baking, painting and the like may be a pastime."""

PRACTICE = rf"(?:{'|'.join(map(re.escape, PRACTISED))})"
