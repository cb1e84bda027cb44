"""Names that say in English what something is: makes, banks, kitchens, ways of eating, callings, cities."""

CAR_MAKES = """
    Toyota|Honda|Ford|Volkswagen|VW|BMW|Mercedes|Mercedes-Benz|Audi|Tesla|Nissan|Hyundai|Kia|Mazda|Subaru|
    Volvo|Peugeot|Renault|Citroën|Citroen|Fiat|Skoda|Škoda|Seat|Cupra|Opel|Vauxhall|Mini|MINI Cooper|Porsche|
    Jaguar|Land Rover|Range Rover|Lexus|Infiniti|Acura|Chevrolet|Chevy|Dodge|Jeep|Chrysler|Ram|GMC|Buick|
    Cadillac|Lincoln|Rivian|Lucid|Polestar|BYD|NIO|MG|Suzuki|Mitsubishi|Dacia|Alfa Romeo|Saab|Smart|Genesis|
    Isuzu|Ferrari|Bentley|Prius|Corolla|Camry|Civic|Accord|Golf GTI|Passat|Model 3|Model Y|Model S|Model X|
    Outback|Forester|Cybertruck|Wrangler|Mustang|F-150|Leaf|Clio|Octavia|Fiesta
"""
PHONES = """
    iPhone|Pixel|Google Pixel|Galaxy|Samsung Galaxy|Samsung|OnePlus|Xiaomi|Redmi|Huawei|Honor|Oppo|Vivo|
    Realme|Nokia|Motorola|Moto|Razr|Sony Xperia|Xperia|Fairphone|Nothing Phone|BlackBerry|Poco|Asus Zenfone|
    Zenfone|HTC|LG
"""
BANKS = """
    HSBC|Barclays|Monzo|Revolut|Starling|Lloyds|NatWest|Santander|Halifax|Nationwide|First Direct|TSB|
    Metro Bank|Chase|JPMorgan|JP Morgan|Wells Fargo|Bank of America|Citibank|Citi|Capital One|US Bank|U.S. Bank|PNC|
    Ally|Ally Bank|Schwab|Charles Schwab|Fidelity|SoFi|Chime|Navy Federal|TD|TD Bank|RBC|Scotiabank|BMO|
    CIBC|Tangerine|Westpac|ANZ|NAB|Commonwealth Bank|CommBank|Kiwibank|ING|N26|Bunq|Rabobank|ABN AMRO|
    Deutsche Bank|Commerzbank|Sparkasse|DKB|Comdirect|BNP Paribas|Société Générale|Crédit Agricole|UniCredit|
    Intesa|UBS|Credit Suisse|Raiffeisen|Nordea|SEB|Handelsbanken|Swedbank|Danske Bank|DBS|OCBC|UOB|ICICI|
    HDFC|Axis Bank|Truist|Discover|Wise|Bank of China|ICBC|Standard Chartered|Triodos|Boursorama
"""
GYMS = """
    PureGym|Pure Gym|Planet Fitness|Gold's Gym|Anytime Fitness|24 Hour Fitness|LA Fitness|Equinox|Crunch|
    Crunch Fitness|Virgin Active|David Lloyd|The Gym Group|Fitness First|McFit|Basic-Fit|YMCA|Snap Fitness|
    Lifetime Fitness|Life Time|Orangetheory|F45|CrossFit|Curves|Nuffield Health|Third Space|Barry's|JD Gyms
"""
KITCHENS = """
    Italian|Thai|Mexican|Indian|Japanese|Korean|Chinese|Vietnamese|French|Greek|Spanish|Turkish|Lebanese|
    Ethiopian|Moroccan|Peruvian|Brazilian|Argentine|Argentinian|Cuban|Caribbean|Jamaican|Cajun|Creole|Malaysian|
    Indonesian|Filipino|Persian|Iranian|Georgian|Polish|Russian|Ukrainian|German|Portuguese|Hungarian|Swedish|
    Nordic|British|American|Middle Eastern|Levantine|Sichuan|Szechuan|Cantonese|Hunan|Taiwanese|Nepali|
    Nepalese|Burmese|Sri Lankan|Pakistani|Afghan|Israeli|Tex-Mex|West African|Nigerian|Hawaiian|Basque|
    Catalan|Sicilian|Neapolitan|Tunisian|Egyptian|Syrian|Uzbek|Mongolian|Singaporean|Cambodian
"""
DIETS = """
    vegan|vegetarian|pescatarian|flexitarian|keto|ketogenic|paleo|carnivore|omnivore|omnivorous|plant-based|
    whole-food plant-based|raw vegan|raw food|low-carb|low carb|high-protein|high protein|Mediterranean|Whole30|
    Atkins|DASH|macrobiotic|lacto-vegetarian|ovo-vegetarian|lacto-ovo|fruitarian|intermittent fasting|
    16:8 fasting|16:8|one meal a day|OMAD|time-restricted eating|calorie counting|clean eating|slow-carb|
    volumetrics|zone diet
"""
CALLINGS = """
    engineer|developer|programmer|coder|architect|designer|manager|director|analyst|scientist|researcher|
    consultant|administrator|technician|electrician|plumber|carpenter|mechanic|welder|nurse|doctor|surgeon|
    physician|dentist|pharmacist|paramedic|midwife|therapist|physiotherapist|psychologist|psychiatrist|
    veterinarian|vet|teacher|lecturer|professor|tutor|principal|librarian|lawyer|attorney|solicitor|barrister|
    paralegal|judge|accountant|auditor|bookkeeper|actuary|economist|banker|trader|broker|journalist|reporter|
    editor|writer|author|copywriter|translator|interpreter|photographer|videographer|illustrator|animator|
    artist|musician|composer|actor|actress|producer|chef|cook|baker|barista|bartender|waiter|waitress|
    server|butcher|florist|gardener|farmer|landscaper|driver|pilot|flight attendant|courier|dispatcher|
    firefighter|police officer|officer|soldier|sailor|captain|guard|cashier|clerk|receptionist|secretary|
    assistant|coordinator|supervisor|foreman|planner|buyer|recruiter|marketer|strategist|salesperson|
    salesman|realtor|agent|representative|specialist|associate|intern|apprentice|trainee|instructor|
    coach|trainer|hairdresser|barber|tailor|jeweller|potter|CEO|CTO|CFO|COO|VP|vice president|president|founder|
    owner|partner at|head of \\w+|team lead|tech lead|lead|scrum master|product owner|tester|biologist|chemist|
    physicist|mathematician|statistician|geologist|astronomer|archaeologist|historian|curator|surveyor|
    social worker|caregiver|carer|nanny|cleaner|janitor|housekeeper|operator|machinist|inspector|estimator
"""
CITIES = """
    London|Paris|Berlin|Madrid|Barcelona|Rome|Milan|Turin|Naples|Florence|Venice|Vienna|Prague|Budapest|Warsaw|
    Kraków|Krakow|Amsterdam|Rotterdam|Utrecht|Brussels|Antwerp|Ghent|Zurich|Zürich|Geneva|Basel|Bern|Munich|
    Hamburg|Cologne|Frankfurt|Stuttgart|Leipzig|Dresden|Düsseldorf|Copenhagen|Aarhus|Stockholm|Gothenburg|Malmö|
    Oslo|Bergen|Helsinki|Tampere|Tallinn|Riga|Vilnius|Dublin|Cork|Galway|Edinburgh|Glasgow|Manchester|Liverpool|Leeds|
    Sheffield|Bristol|Birmingham|Cardiff|Belfast|Newcastle|Brighton|Oxford|Cambridge|Lisbon|Porto|Seville|
    Valencia|Bilbao|Lyon|Marseille|Toulouse|Bordeaux|Nice|Nantes|Lille|Strasbourg|Athens|Thessaloniki|
    Istanbul|Ankara|Izmir|Moscow|Kyiv|Bucharest|Sofia|Belgrade|Zagreb|Ljubljana|New York|New York City|NYC|
    Brooklyn|Boston|Chicago|Los Angeles|San Francisco|San Diego|San Jose|Oakland|Seattle|Portland|Denver|
    Boulder|Austin|Dallas|Houston|San Antonio|Phoenix|Tucson|Las Vegas|Salt Lake City|Minneapolis|Milwaukee|
    Detroit|Cleveland|Columbus|Cincinnati|Pittsburgh|Philadelphia|Baltimore|Washington|Washington DC|
    Atlanta|Miami|Orlando|Tampa|Charlotte|Raleigh|Nashville|Memphis|New Orleans|St. Louis|Kansas City|
    Omaha|Albuquerque|Honolulu|Anchorage|Toronto|Montreal|Vancouver|Calgary|Ottawa|Edmonton|Winnipeg|Halifax|
    Mexico City|Guadalajara|Monterrey|Bogotá|Bogota|Medellín|Medellin|Lima|Quito|Santiago|Buenos Aires|
    Montevideo|São Paulo|Rio de Janeiro|Cairo|Casablanca|Marrakesh|Tunis|Lagos|Accra|Nairobi|Cape Town|
    Johannesburg|Durban|Tel Aviv|Jerusalem|Amman|Beirut|Dubai|Abu Dhabi|Doha|Mumbai|Delhi|New Delhi|Bangalore|
    Bengaluru|Chennai|Hyderabad|Pune|Kolkata|Karachi|Lahore|Dhaka|Colombo|Kathmandu|Bangkok|Chiang Mai|
    Hanoi|Ho Chi Minh City|Saigon|Singapore|Kuala Lumpur|Jakarta|Bali|Manila|Hong Kong|Taipei|Beijing|
    Shanghai|Shenzhen|Guangzhou|Chengdu|Hangzhou|Tokyo|Osaka|Kyoto|Fukuoka|Sapporo|Nagoya|Seoul|Busan|
    Sydney|Melbourne|Brisbane|Perth|Adelaide|Canberra|Hobart|Auckland|Wellington|Christchurch|Reykjavik
"""
