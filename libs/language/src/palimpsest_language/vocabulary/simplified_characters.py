"""Simplifies traditional characters one by one, because the tables use simplified ones."""

_PAIRS = """
    們们 個个 這这 裡里 裏里 來来 時时 間间 過过 還还 會会 說说 話话 對对 開开 關关 點点 週周 記记
    請请 幫帮 讓让 給给 買买 賣卖 學学 習习 寫写 讀读 聽听 見见 現现 實实 認认 識识 覺觉 愛爱 歡欢
    討讨 厭厌 車车 飛飞 機机 電电 腦脑 視视 頻频 書书 報报 告告 檢检 查查 發发 動动 麼么 為为 什什
    樣样 當当 從从 後后 該该 須须 應应 總总 結结 論论 決决 換换 錢钱 銀银 壓压 醫医 藥药 過过 敏敏
    貓猫 狗狗 媽妈 爺爷 奶奶 兒儿 孫孙 親亲 師师 課课 場场 訂订 約约 預预 號号 樓楼 門门 東东 車车
    輛辆 條条 隻只 雙双 歲岁 養养 貴贵 慣惯 歷历 經经 驗验 單单 詳详 細细 簡简 嗎吗 別别 沒没 種种
    類类 數数 據据 錯错 難难 題题 館馆 餐餐 飯饭 麵面 雞鸡 魚鱼 湯汤 蔥葱 鹽盐 糖糖 雖虽 業业 務务
    畢毕 團团 隊队 標标 計计 劃划 畫画 準准 備备 離离 職职 進进 辦办 離离 遠远 邊边 萬万 與与 並并
    歸归 顧顾 優优 價价 較较 續续 終终 於于 產产 紀纪 慶庆 禮礼 錄录 儲储 剛刚 講讲 刪删 憶忆 檔档
    內内 無无 兩两 傳传 訴诉 戶户 證证 駕驾 駛驶 險险 護护 碼码 嘴嘴 訊讯 倆俩 誰谁 嚴严 權权 夠够
"""
_SIMPLIFIED = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split() if len(pair) == 2})


def simplify_characters(text: str) -> str:
    """Return the text in simplified characters, with the same length."""
    return text.translate(_SIMPLIFIED)
