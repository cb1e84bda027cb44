"""Topics of body, house and family."""

from palimpsest_language.topics.topic import QuestionTopic

HOUSEHOLD_TOPICS = (
    QuestionTopic(
        "food",
        "cook dinner lunch supper breakfast brunch meal recipe snack restaurant eat menu dish dessert"
        " bake baking cake barbecue bbq grill picnic takeaway takeout food grocery groceries potluck drink"
        " cocktail buffet catering bistro cafe pizza soup salad sandwich feast cuisine ingredient appetizer"
        " dine dining hungry smoothie leftovers treat cookie bread curry stew pasta canteen feed host",
        "吃 喝 饭 菜 餐 煮 夜宵 宵夜 零食 食谱 食材 馆子 外卖 请客 火锅 烧烤 奶茶 甜品 甜点 点心 蛋糕"
        " 辅食 便当 下厨 开火 炖 汤 饮料 饮食 烘焙 小吃 伙食 零嘴 招待 水果",
        "allergic allergy intolerant intolerance vegetarian vegan pescatarian diabetic diabetes gluten coeliac"
        " celiac lactose dairy halal kosher pork beef meat diet spicy sugar salt eat food alcohol drink fish"
        " seafood shellfish nuts peanut eggs milk wheat cholesterol pregnant caffeine coffee religious"
        " stomach cook sweet taste cuisine"
        " 过敏 忌口 吃素 素食 全素 糖尿病 不吃 少吃 爱吃 不能吃 乳糖 不耐受 清真 痛风 少盐 吃辣 辣 戒酒 喝酒"
        " 酒精 怀孕 血糖 血脂 胃 海鲜 尿酸 口味 清淡 甜 牛奶 鸡蛋 花生 咖啡",
        (
            "The user is allergic to nuts.",
            "The user is vegetarian and eats no meat.",
            "The user cannot tolerate lactose or gluten.",
            "The user has diabetes and avoids sugar.",
            "The user dislikes olives and does not eat spicy food.",
            "The guest eats only halal food and drinks no alcohol.",
            "用户对花生过敏。",
            "用户吃素，不吃肉。",
            "用户乳糖不耐受，不能喝牛奶。",
            "用户有糖尿病，要少吃糖。",
            "用户不吃香菜，也不吃辣。",
            "家里有人忌口，不喝酒。",
        ),
    ),
    QuestionTopic(
        "health",
        "doctor dentist physician clinic hospital surgeon surgery nurse pharmacist pharmacy medicine medication"
        " painkiller pill headache fever flu vaccine vaccination symptom checkup check-up anaesthetist"
        " anesthetist specialist therapist physiotherapist prescription emergency paramedic medical"
        " treatment optician gp remedy sick ill illness cough sore health blood supplement vitamin massage",
        "医生 大夫 看病 牙 医院 体检 药 感冒 发烧 头疼 头痛 手术 挂号 问诊 病 疫苗 护士 诊所 急诊 就诊 看诊"
        " 麻醉 不舒服 住院 中医 健康 咳嗽 保健 养生 按摩 急救",
        "allergic allergy takes medication tablets pills thinner warfarin insulin diabetes diabetic asthma"
        " pregnant surgery operation heart blood pressure pacemaker epilepsy chronic disease condition"
        " penicillin stent migraine implant diagnosed ulcer aspirin inhaler kidney liver depression anxiety"
        " 过敏 吃药 降压药 阿司匹林 高血压 糖尿病 哮喘 怀孕 手术 心脏 起搏器 癫痫 慢性 青霉素 支架 偏头痛"
        " 胰岛素 抗凝 病史 肾 肝 抑郁 服用 贫血",
        (
            "The user takes a blood thinner every day.",
            "The user is allergic to penicillin.",
            "The user has high blood pressure and a heart condition.",
            "The user was operated on last year.",
            "The user has asthma and uses an inhaler.",
            "The user is pregnant.",
            "用户每天吃降压药。",
            "用户对青霉素过敏。",
            "用户有高血压和心脏病。",
            "用户去年做过手术。",
            "用户有哮喘，随身带着吸入剂。",
            "用户怀孕了。",
        ),
    ),
    QuestionTopic(
        "children",
        "babysitter babysit babysitting sitter nanny childminder au_pair daycare nursery kindergarten kid"
        " child children toddler baby daughter son granddaughter grandson grandchild grandchildren"
        " sleepover playdate bedtime little_one twins",
        "保姆 阿姨 带娃 月嫂 育儿 幼儿园 宝宝 孩子 娃 儿子 女儿 孙子 孙女 外孙 小朋友 托班 小孩 亲子 闺女"
        " 接送 双胞胎",
        "daughter son child children baby twins toddler allergic afraid asleep bedtime asthma inhaler"
        " kindergarten granddaughter grandson school"
        " 女儿 儿子 孩子 宝宝 双胞胎 岁 过敏 怕 睡 哮喘 幼儿园 小学 孙子 孙女 娃 闺女",
        (
            "The user's daughter is allergic to eggs and carries an auto-injector.",
            "The user's son is three and afraid of the dark.",
            "The children go to bed at eight and may watch half an hour of television.",
            "The user's little boy has asthma.",
            "The baby falls asleep only with the stuffed rabbit.",
            "用户的女儿对鸡蛋过敏。",
            "用户的儿子三岁，怕黑。",
            "孩子八点睡觉，每天只能看半小时电视。",
            "用户的小儿子有哮喘。",
            "宝宝要抱着小兔子才能睡着。",
        ),
    ),
    QuestionTopic(
        "gifts",
        "gift present birthday anniversary christmas xmas valentine wedding surprise unwrap father's_day"
        " mother's_day souvenir retirement farewell housewarming graduation bouquet celebrate thank-you"
        " baby_shower hanukkah easter",
        "礼 送什么 送点 送啥 送她 送他 送给 生日 过寿 大寿 纪念日 情人节 七夕 圣诞 惊喜 母亲节 父亲节 乔迁"
        " 毕业 庆祝 心意 拜年 过年 春节 中秋",
        "loves likes collects collector fan mad hobby enjoys obsessed keen passionate crazy into favourite"
        " favorite"
        " 喜欢 爱 收集 迷 爱好 收藏 集邮 想要",
        (
            "The user's brother collects stamps.",
            "The user's mother loves gardening.",
            "The user's friend is a fan of jazz and detective novels.",
            "The user's niece is mad about horses.",
            "The user's wife likes hand-made pottery.",
            "用户的哥哥喜欢集邮。",
            "用户的妈妈爱种花。",
            "用户的朋友喜欢爵士乐和侦探小说。",
            "用户的侄女迷恐龙和积木。",
            "用户的妻子喜欢手工陶器。",
        ),
    ),
    QuestionTopic(
        "pets",
        "pet dog cat puppy kitten parrot rabbit hamster vet veterinarian kennel cattery groomer leash",
        "宠物 狗 猫 遛 寄养 兽医 铲屎 鹦鹉 兔子 仓鼠 毛孩子",
        "dog cat puppy kitten parrot rabbit bites afraid startled 狗 猫 宠物 鹦鹉 兔 怕生 咬",
        (
            "The user's dog takes heart tablets every morning.",
            "The user's cat is afraid of strangers and hides.",
            "The dog bites when it is startled.",
            "The cat eats only special food for its kidneys.",
            "用户的狗每天早上要吃心脏药。",
            "用户的猫怕生，会躲起来。",
            "狗受了惊吓会咬人。",
            "猫只吃肾病处方粮。",
        ),
    ),
    QuestionTopic(
        "exercise",
        "exercise workout sport gym run jog training fitness swim yoga stretch marathon cycling lose_weight"
        " pilates climb tennis cardio fit active weight squat jogging posture physical",
        "运动 健身 锻炼 跑 减肥 瘦 游泳 瑜伽 拉伸 打球 骑车 爬山 马拉松 体能 动起来 增肌 体重",
        "knee back pain injury heart asthma ankle lose weight training marathon shoulder disc hip joint run"
        " 膝盖 腰 旧伤 心脏 哮喘 脚踝 减肥 马拉松 训练 肩 跑步 骨折 锻炼 关节",
        (
            "The user has a bad knee and must not run.",
            "The user has a slipped disc and back pain.",
            "The user wants to lose weight.",
            "The user's doctor advised against strain because of the heart.",
            "The user broke an ankle last winter.",
            "The user is training for a half marathon.",
            "用户膝盖有旧伤，不能跑步。",
            "用户腰椎间盘突出，腰疼。",
            "用户想减肥。",
            "用户心脏不好，医生说不能剧烈运动。",
            "用户去年冬天脚踝骨折过。",
            "用户在准备半程马拉松。",
        ),
    ),
    QuestionTopic(
        "rest",
        "sleep tired insomnia relax unwind rest nap stress stressed calm wind_down exhausted bedtime burnout"
        " overwhelmed anxious nervous sad lonely mood meditate",
        "睡 失眠 放松 累 休息 压力 午觉 解压 疲 熬夜 焦虑 心情 难过 烦 紧张 冥想 情绪",
        "sleep sleeps coffee migraine anxiety anxious night shifts stress insomnia"
        " 睡眠 咖啡 偏头痛 焦虑 夜班 失眠 熬夜 压力 睡",
        (
            "The user sleeps badly and drinks no coffee after noon.",
            "The user gets migraines from too little sleep.",
            "The user suffers from anxiety and feels better after a walk.",
            "The user works night shifts.",
            "用户睡眠不好，下午不喝咖啡。",
            "用户熬夜会偏头痛。",
            "用户容易焦虑，散步会好些。",
            "用户上夜班。",
        ),
    ),
    QuestionTopic(
        "clothing",
        "clothes wear outfit shoe dress jacket coat trainers sneakers suit trousers shirt sweater wardrobe"
        " skincare sunscreen makeup haircut perfume cream shampoo cosmetics soap lotion jewellery jewelry",
        "衣服 穿 鞋 外套 裙 裤 西装 换季 毛衣 大衣 护肤 防晒 化妆 理发 香水 面霜 洗发 首饰 打扮",
        "size wears wool colour color shoes sensitive skin nickel perfume fragrance eczema"
        " 码 穿 羊毛 颜色 素色 皮肤 深色 湿疹 香精 敏感",
        (
            "The user wears size L and shoes in size 42.",
            "The user does not tolerate wool on the skin.",
            "The user likes plain dark colours.",
            "The user has sensitive skin and reacts to perfume.",
            "用户穿L码，鞋码42。",
            "用户皮肤敏感，不能穿羊毛。",
            "用户喜欢素净的深色衣服。",
            "用户皮肤容易过敏，不用带香味的东西。",
        ),
    ),
    QuestionTopic(
        "home",
        "apartment furniture furnish decorate renovate plant garden balcony sofa lamp wallpaper bedroom"
        " kitchen move rent clean flatmate roommate room house paint shelf landlord vacuum curtain carpet"
        " mattress chair desk office_chair heating neighbour neighbor",
        "装修 家具 打扫 绿植 植物 房 阳台 沙发 灯 搬家 布置 客厅 卧室 收纳 室友 合租 床 椅 桌 窗帘 种花"
        " 种点 家里 邻居 扫地",
        "rents flat apartment floor lift landlord balcony dust pollen allergic pets"
        " 租 楼 电梯 房东 阳台 灰尘 花粉 过敏 尘螨 装修 宠物 平米",
        (
            "The user rents a small flat on the fifth floor without a lift.",
            "The landlord forbids pets and drilling.",
            "The user is allergic to dust and pollen.",
            "The user's balcony faces north and gets little sun.",
            "用户租的房子在六楼，没有电梯。",
            "房东不让养宠物，也不让打孔。",
            "用户对灰尘和花粉过敏。",
            "用户家阳台朝北，晒不到太阳。",
        ),
    ),
)
