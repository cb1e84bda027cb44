"""Topics of what people set out to do: journeys, work, what is to be written, free time."""

from palimpsest_language.topics.topic import QuestionTopic

ACTIVITY_TOPICS = (
    QuestionTopic(
        "travel",
        "trip travel holiday vacation flight fly hotel hostel airbnb train itinerary airport sightseeing"
        " getaway weekend_away city_break hike camp camping cruise ferry suitcase pack luggage honeymoon"
        " abroad drive tour excursion journey beach place_to_stay day_out route visit commute destination"
        " get_to go_to travelling car taxi bus outing",
        "旅 出门 出差 行程 酒店 宾馆 机票 车票 火车 高铁 出去 自驾 度假 假期 国庆 出国 行李 露营 海边 爬山"
        " 出游 玩 走走 攻略 景点 郊游 春游 开车 坐车 打车 路线 怎么去 去哪 逛 民宿 带什么",
        "flying carsick seasick airsick seat hotel passport wheelchair heights swim driving licence license"
        " motion sickness visa vertigo"
        " 坐飞机 晕车 晕船 靠窗 酒店 护照 轮椅 恐高 游泳 驾照 签证 高铁 晕机",
        (
            "The user is afraid of flying.",
            "The user gets carsick and seasick.",
            "The user prefers a window seat and a quiet hotel.",
            "The user's passport expires in May.",
            "The user cannot walk far and uses a wheelchair.",
            "The user is afraid of heights and cannot swim.",
            "The user has no driving licence.",
            "用户怕坐飞机。",
            "用户晕车晕船。",
            "用户喜欢靠窗的座位，住酒店要安静。",
            "用户的护照五月到期。",
            "用户走不了远路，要坐轮椅。",
            "用户恐高，也不会游泳。",
            "用户没有驾照。",
        ),
    ),
    QuestionTopic(
        "writing",
        "write draft email e-mail letter report summarise summarize summary plan proposal presentation slide"
        " reply explain outline essay memo announcement newsletter minutes document compose rewrite rephrase"
        " speech article agenda post blog describe checklist table list schedule roadmap message text"
        " overview brief edit proofread translate format wording answer respond",
        "写 起草 邮件 报告 总结 汇报 文案 回复 计划 方案 周报 日报 发言稿 解释 翻译 大纲 文章 通知 提纲 润色"
        " 改写 纪要 整理 讲讲 说明 幻灯片 清单 介绍 拟 回信 措辞 讲解 归纳 梳理",
        "short bullet points concise conclusion tone formal informal table headings plain words answers"
        " introduction style spelling sentences brief examples jargon emoji"
        " 简短 分点 结论 正式 语气 表格 要点 清单 通俗 书面 口语 简洁 回答 风格",
        (
            "The user wants answers short and as bullet points.",
            "The user prefers the conclusion first and no long introduction.",
            "The user likes a formal tone in letters.",
            "The user wants plans as a table with dates.",
            "The user prefers plain words and examples.",
            "用户喜欢简短的回答，分点列出。",
            "用户希望先说结论，不要长篇开场。",
            "用户写信喜欢正式的语气。",
            "用户希望计划做成表格，写明日期。",
            "用户希望用通俗的话，多举例子。",
        ),
    ),
    QuestionTopic(
        "code",
        "code function script program bug refactor api unit_test sql regex implement deploy framework"
        " endpoint algorithm debug backend frontend parser python javascript typescript rust java snippet"
        " pull_request commit repository database server",
        "代码 函数 脚本 程序 接口 单元测试 重构 部署 数据库 算法 模块 前端 后端 调试 报错 编程 正则 上线"
        " 服务器 仓库",
        "python typescript javascript rust java go code type hints tests comments library libraries framework"
        " postgresql tabs snake camel functional naming indentation docker dependencies"
        " 代码 注释 命名 类型 第三方 框架 下划线 缩进 测试 数据库 接口 发布",
        (
            "The user writes code in Python with type hints.",
            "The user wants tests with every function and few comments.",
            "The team names variables in snake case.",
            "The user prefers the standard library over dependencies.",
            "The project runs on PostgreSQL and deploys on Tuesdays.",
            "用户写代码用Python，要有类型标注。",
            "用户希望每个函数都有测试，注释写中文。",
            "团队规定变量用下划线命名。",
            "用户不喜欢引入第三方库。",
            "项目用的是PostgreSQL，周二发布。",
        ),
    ),
    QuestionTopic(
        "money",
        "buy purchase budget spend invest save saving afford price expensive cheap loan mortgage money finance"
        " insurance upgrade replace cost pay tax shop order splurge",
        "买 钱 预算 投资 理财 贷款 房贷 开销 划算 便宜 换个 换台 换辆 购 保险 开支 花销 税 入手 下单",
        "saving budget loan debt mortgage afford spend money income salary"
        " 攒钱 预算 贷款 房贷 手头 省钱 工资 收入 花钱 生活费 债",
        (
            "The user is saving for a house and wants to spend less.",
            "The user has a budget of 300 a month.",
            "The user has to repay a loan.",
            "The user earns little and is short of money.",
            "用户在攒钱买房，想少花钱。",
            "用户每月预算三千。",
            "用户要还贷款。",
            "用户收入不高，手头紧。",
        ),
        secondary=True,
    ),
    QuestionTopic(
        "leisure",
        "movie film book novel read music concert playlist podcast game museum watch series hobby weekend"
        " evening theatre theater festival song fun bored date party friend afternoon craft instrument",
        "电影 剧 书 小说 音乐 演唱会 歌 展 博物馆 周末 游戏 爱好 播客 综艺 看点 解闷 聚 好玩 派对 约会"
        " 下午 晚上 无聊 朋友",
        "loves likes dislikes horror crowds crowded jazz fiction thrillers novels films music genre hobby"
        " 喜欢 爱 讨厌 科幻 恐怖 爵士 小说 人多 吵 听",
        (
            "The user loves science fiction and cannot stand horror.",
            "The user listens to jazz.",
            "The user dislikes crowds and loud places.",
            "The user likes to read crime novels in the evening.",
            "用户喜欢科幻，不看恐怖片。",
            "用户爱听爵士乐。",
            "用户不喜欢人多吵闹的地方。",
            "用户晚上爱看侦探小说。",
        ),
        secondary=True,
    ),
    QuestionTopic(
        "study",
        "study learn exam revise revision course lesson homework class tutor teach practise practice quiz"
        " improve language skill vocabulary beginner",
        "学 复习 考试 课程 备考 背单词 作业 补习 教我 练习 考研 考证 入门 提高",
        "learns exam dyslexia concentrate adhd flash cards studies university degree certificate"
        " 考试 背书 注意力 学习 在读 备考 考",
        (
            "The user learns best with flash cards in short blocks.",
            "The user wants to pass an exam in June.",
            "The user has dyslexia and finds it hard to concentrate.",
            "The user is in the third year of law school.",
            "用户喜欢早上背书，每次半小时。",
            "用户六月要考试。",
            "用户注意力不集中，阅读有困难。",
            "用户在读大三，学法律。",
        ),
    ),
    QuestionTopic(
        "time",
        "meeting meet appointment calendar reschedule slot workday routine tomorrow week deadline call arrange"
        " organise organize invite morning available",
        "安排 会议 开会 约 日程 合适 排期 见面 时间表 作息 明天 下周 规划 截止",
        "works shifts monday tuesday wednesday thursday friday saturday sunday picks meetings deadline"
        " 上班 周一 周二 周三 周四 周五 周六 周日 轮班 夜班 值班 截止",
        (
            "The user works from Monday to Thursday and has Fridays off.",
            "The user takes no meetings before ten in the morning.",
            "The user picks up the children at four.",
            "The user works shifts.",
            "用户周一到周四上班，周五休息。",
            "用户上午十点前不开会。",
            "用户下午四点要接孩子。",
            "用户轮班。",
        ),
        secondary=True,
    ),
    QuestionTopic(
        "work",
        "job career interview resume cv boss colleague client customer promotion raise quit resign negotiate"
        " team project office business startup launch strategy workplace offer hire freelance",
        "工作 老板 同事 面试 简历 跳槽 升职 客户 团队 离职 辞职 项目 公司 创业 生意 加薪 涨薪 领导 单位 上班",
        "works job company career boss team clients promotion deadline project manager"
        " 工作 公司 职业 老板 团队 客户 升职 项目 经理 从事",
        (
            "The user works as a nurse in a children's hospital.",
            "The user wants to become head of the team within two years.",
            "The user's boss dislikes surprises and reads mails in the morning.",
            "The project has to be finished by the end of March.",
            "用户在儿童医院做护士。",
            "用户想两年内当上组长。",
            "用户的老板不喜欢突然的变动，早上看邮件。",
            "项目三月底前要完成。",
        ),
        secondary=True,
    ),
    QuestionTopic(
        "devices",
        "laptop phone computer tablet app internet wifi router printer backup keyboard screen monitor camera"
        " headphones software password settings browser tv install",
        "电脑 手机 平板 软件 网络 路由器 键盘 屏幕 显示器 相机 耳机 打印机 密码 电视 安装 备份 上网",
        "laptop phone computer mac windows linux iphone android hearing eyesight colour-blind left-handed"
        " 电脑 手机 苹果 安卓 系统 听力 视力 色弱 左撇子",
        (
            "The user has a MacBook and an Android phone.",
            "The user works on Linux only.",
            "The user is colour-blind and prefers large print.",
            "The user is left-handed.",
            "用户用苹果电脑和安卓手机。",
            "用户只用Linux系统。",
            "用户色弱，喜欢大字体。",
            "用户是左撇子。",
        ),
    ),
)
