"""Texts of our own in six languages, with what laboratories call their columns."""

from dataclasses import dataclass
from itertools import cycle

SYSTEMS = ("BART", "T5", "GPT-4")
PEOPLE = ("Anna", "Ben", "Kim")


@dataclass(frozen=True)
class Language:
    """Texts: (before, phrase, after, three replacements, two references). `words` are names of
    columns by what they hold, and words of answers."""

    code: str
    texts: tuple
    words: dict

    def __getitem__(self, word):
        return self.words[word]

    @property
    def sentences(self):
        return [before + phrase + after for before, phrase, after, *_ in self.texts]

    @property
    def phrases(self):
        return [text[1] for text in self.texts]

    def news(self, system):
        """The replacements that a system gives."""
        return [text[3][SYSTEMS.index(system)] for text in self.texts]

    def wholes(self, system):
        """The same as whole sentences."""
        return [
            b + new + a for (b, _, a, *_), new in zip(self.texts, self.news(system), strict=True)
        ]

    def references(self, at):
        return [text[4][at] for text in self.texts]


def points(n, start, most=5):
    """So many values from 1 to `most`, in no order that could be one by chance."""
    source = cycle([3, 1, 4, 1, 5, 5, 2, 4, 3, 2, 5, 1, 4, 4, 2])
    for _ in range(start):
        next(source)
    return [1 + (next(source) - 1) * (most - 1) // 4 for _ in range(n)]


EN = Language(
    "en",
    (
        (
            "The committee ",
            "reached a dead end",
            " on Friday.",
            ("came to a standstill", "got stuck", "stalled"),
            ("On Friday the committee got no further.", "Friday saw the committee stuck."),
        ),
        (
            "She ",
            "made no secret of",
            " her doubts.",
            ("did not hide", "was open about", "showed"),
            ("Her doubts were plain to see.", "She was frank about what she doubted."),
        ),
        (
            "It takes ",
            "a great deal of",
            " patience to dry herbs.",
            ("much", "a lot of", "plenty of"),
            ("Drying herbs asks for patience.", "You need to be patient when you dry herbs."),
        ),
        (
            "Most of the crew ",
            "stayed put",
            " after the storm.",
            ("remained", "did not leave", "kept still"),
            (
                "After the storm, few of the crew left.",
                "The storm passed and the crew hardly moved.",
            ),
        ),
        (
            "They will ",
            "look into",
            " the broken lift.",
            ("examine", "check", "investigate"),
            ("The broken lift will be examined.", "Someone is going to check the lift."),
        ),
        (
            "The old bridge ",
            "gave way",
            " last winter.",
            ("collapsed", "broke", "fell down"),
            ("Last winter the old bridge broke.", "In winter, the bridge came down."),
        ),
    ),
    {
        "id": "ID",
        "sentence": "Original sentence",
        "phrase": "Target phrase",
        "new": "Generated Text",
        "system": "System name",
        "person": "Annotator",
        "scale": "Scale",
        "value": "Score",
        "meaning": "Meaning",
        "grammar": "Grammar",
        "mean": "average",
        "sd": "SD",
        "total": "Total",
        "remark": "Remarks",
        "outputs": "System outputs",
        "reference": "Reference",
        "human": "Human",
        "rater": "Rater",
        "left": "Left context",
        "key": "Keyword",
        "right": "Right context",
        "genre": "Genre",
        "one": "one",
        "two": "two",
        "date": "Date",
        "sys": "Sys",
        "degrees": ("very bad", "bad", "fair", "good", "very good"),
        "yes": ("no", "yes"),
        "none": "cannot judge",
    },
)
DE = Language(
    "de",
    (
        (
            "Der Ausschuss ist am Freitag ",
            "nicht weitergekommen",
            ".",
            ("stecken geblieben", "gescheitert", "stehen geblieben"),
            (
                "Am Freitag kam der Ausschuss nicht voran.",
                "Freitags ging es im Ausschuss nicht weiter.",
            ),
        ),
        (
            "Für das Trocknen der Kräuter braucht man ",
            "viel Geduld",
            ".",
            ("große Ruhe", "Ausdauer", "einen langen Atem"),
            ("Kräuter zu trocknen verlangt Geduld.", "Wer Kräuter trocknet, muss geduldig sein."),
        ),
        (
            "Müde Gäste bleiben ",
            "gern sitzen",
            " am Abend.",
            ("lieber sitzen", "lange da", "bequem sitzen"),
            ("Abends stehen müde Gäste ungern auf.", "Am Abend rühren sich müde Gäste kaum."),
        ),
        (
            "Sie machte aus ihren Zweifeln ",
            "kein Geheimnis",
            " mehr.",
            ("keinen Hehl", "nichts Verborgenes", "kein Rätsel"),
            ("Ihre Zweifel verbarg sie nicht.", "Offen sprach sie von ihren Zweifeln."),
        ),
        (
            "Die alte Brücke ",
            "gab im Winter nach",
            ", wie erwartet.",
            ("stürzte im Winter ein", "brach im Winter", "hielt nicht stand"),
            ("Wie erwartet, brach die Brücke.", "Im Winter stürzte die alte Brücke ein."),
        ),
    ),
    {
        "id": "Nr.",
        "sentence": "Ausgangssatz",
        "phrase": "Ausdruck",
        "new": "Generierter Text",
        "system": "Systemname",
        "person": "Bewerter",
        "scale": "Kriterium",
        "value": "Bewertung",
        "meaning": "Bedeutung",
        "grammar": "Grammatik",
        "mean": "Mittelwert",
        "sd": "Standardabweichung",
        "total": "Gesamt",
        "remark": "Bemerkungen",
        "outputs": "Systemausgaben",
        "reference": "Referenz",
        "human": "Mensch",
        "rater": "Bewerter",
        "left": "Kontext links",
        "key": "Ausdruck",
        "right": "Kontext rechts",
        "genre": "Textsorte",
        "one": "eins",
        "two": "zwei",
        "date": "Datum",
        "sys": "Sys",
        "degrees": ("sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"),
        "yes": ("nein", "ja"),
        "none": "weiß nicht",
    },
)
FR = Language(
    "fr",
    (
        (
            "Le comité ",
            "s’est arrêté là",
            " vendredi.",
            ("n’est pas allé plus loin", "a échoué", "a renoncé"),
            ("Vendredi, le comité n’avançait plus.", "Le comité est resté bloqué vendredi."),
        ),
        (
            "Elle ",
            "n’a pas caché",
            " ses doutes à l’équipe.",
            ("a montré", "a exposé", "a avoué"),
            ("L’équipe connaissait ses doutes.", "Ses doutes étaient connus de tous."),
        ),
        (
            "Il faut ",
            "énormément de",
            " patience pour sécher les herbes.",
            ("beaucoup de", "bien de la", "une grande"),
            (
                "Sécher les herbes demande de la patience.",
                "Qui sèche des herbes doit être patient.",
            ),
        ),
        (
            "L’équipage ",
            "est resté à bord",
            " après la tempête.",
            ("n’a pas quitté le bateau", "est demeuré là", "a attendu"),
            (
                "Après la tempête, personne n’a débarqué.",
                "La tempête passée, l’équipage ne bougeait pas.",
            ),
        ),
        (
            "Le vieux pont ",
            "a cédé",
            " l’hiver dernier.",
            ("s’est effondré", "est tombé", "s’est rompu"),
            ("L’hiver dernier, le pont s’est rompu.", "Le pont n’a pas tenu l’hiver."),
        ),
    ),
    {
        "id": "N°",
        "sentence": "Phrase source",
        "phrase": "Expression",
        "new": "Texte généré",
        "system": "Nom du système",
        "person": "Annotateur",
        "scale": "Critère",
        "value": "Note",
        "meaning": "Sens",
        "grammar": "Grammaire",
        "mean": "Moyenne",
        "sd": "Écart type",
        "total": "Total",
        "remark": "Remarques",
        "outputs": "Sorties des systèmes",
        "reference": "Référence",
        "human": "Humain",
        "rater": "Juge",
        "left": "Contexte gauche",
        "key": "Expression",
        "right": "Contexte droit",
        "genre": "Genre",
        "one": "un",
        "two": "deux",
        "date": "Date",
        "sys": "Sys",
        "degrees": ("très mauvais", "mauvais", "moyen", "bon", "très bon"),
        "yes": ("non", "oui"),
        "none": "ne sais pas",
    },
)
ES = Language(
    "es",
    (
        (
            "El comité ",
            "no avanzó más",
            " el viernes.",
            ("se detuvo", "se atascó", "fracasó"),
            ("El viernes el comité quedó parado.", "Nada avanzó en el comité el viernes."),
        ),
        (
            "Ella ",
            "no ocultó",
            " sus dudas al equipo.",
            ("mostró", "expuso", "confesó"),
            ("El equipo sabía de sus dudas.", "Sus dudas eran conocidas por todos."),
        ),
        (
            "Hace falta ",
            "muchísima",
            " paciencia para secar hierbas.",
            ("mucha", "una gran", "bastante"),
            ("Secar hierbas pide paciencia.", "Quien seca hierbas debe ser paciente."),
        ),
        (
            "La tripulación ",
            "se quedó a bordo",
            " tras la tormenta.",
            ("permaneció allí", "no bajó", "esperó"),
            ("Tras la tormenta nadie desembarcó.", "Pasó la tormenta y nadie se movió."),
        ),
        (
            "El viejo puente ",
            "cedió",
            " el invierno pasado.",
            ("se hundió", "cayó", "se rompió"),
            ("El invierno pasado se rompió el puente.", "El puente no resistió el invierno."),
        ),
    ),
    {
        "id": "Núm.",
        "sentence": "Oración original",
        "phrase": "Expresión",
        "new": "Texto generado",
        "system": "Nombre del modelo",
        "person": "Anotador",
        "scale": "Criterio",
        "value": "Puntuación",
        "meaning": "Significado",
        "grammar": "Gramática",
        "mean": "Media",
        "sd": "Desviación",
        "total": "Total",
        "remark": "Observaciones",
        "outputs": "Salidas de los sistemas",
        "reference": "Referencia",
        "human": "Humano",
        "rater": "Juez",
        "left": "Contexto izquierdo",
        "key": "Expresión",
        "right": "Contexto derecho",
        "genre": "Género",
        "one": "uno",
        "two": "dos",
        "date": "Fecha",
        "sys": "Sis",
        "degrees": ("muy malo", "malo", "regular", "bueno", "muy bueno"),
        "yes": ("no", "sí"),
        "none": "no sabe",
    },
)
KO = Language(
    "ko",
    (
        (
            "위원회는 금요일에 ",
            "막다른 길에 이르렀다",
            ".",
            ("더 나아가지 못했다", "멈추었다", "중단되었다"),
            ("금요일에 위원회는 진전이 없었다.", "위원회 논의는 금요일에 막혔다."),
        ),
        (
            "그녀는 의심을 ",
            "숨기지 않았다",
            ".",
            ("드러냈다", "보여 주었다", "털어놓았다"),
            ("그녀의 의심은 누구나 알았다.", "의심하고 있음을 그녀는 밝혔다."),
        ),
        (
            "허브를 말리려면 ",
            "많은 인내심",
            "이 필요하다.",
            ("큰 참을성", "오랜 기다림", "끈기"),
            ("허브 말리기는 참을성을 요구한다.", "허브는 느긋하게 말려야 한다."),
        ),
        (
            "선원 대부분은 폭풍 뒤에도 ",
            "그 자리에 머물렀다",
            ".",
            ("떠나지 않았다", "움직이지 않았다", "남아 있었다"),
            ("폭풍이 지나도 선원들은 가지 않았다.", "선원들은 폭풍 뒤에 거의 그대로였다."),
        ),
        (
            "낡은 다리가 지난겨울에 ",
            "무너졌다",
            ".",
            ("내려앉았다", "부서졌다", "끊어졌다"),
            ("지난겨울 오래된 다리가 부서졌다.", "그 다리는 겨울을 견디지 못했다."),
        ),
    ),
    {
        "id": "번호",
        "sentence": "원문",
        "phrase": "대상 어구",
        "new": "생성문",
        "system": "모델명",
        "person": "평가자",
        "scale": "평가 기준",
        "value": "점수",
        "meaning": "의미",
        "grammar": "문법",
        "mean": "평균",
        "sd": "표준편차",
        "total": "합계",
        "remark": "비고",
        "outputs": "시스템 출력",
        "reference": "참조문",
        "human": "사람",
        "rater": "평가자",
        "left": "왼쪽 문맥",
        "key": "핵심어",
        "right": "오른쪽 문맥",
        "genre": "장르",
        "one": "하나",
        "two": "둘",
        "date": "날짜",
        "sys": "시스템",
        "degrees": ("매우 나쁨", "나쁨", "보통", "좋음", "매우 좋음"),
        "yes": ("아니오", "예"),
        "none": "모름",
    },
)
ZH = Language(
    "zh",
    (
        (
            "委员会星期五",
            "陷入了僵局",
            "。",
            ("停了下来", "没有进展", "谈不下去"),
            ("星期五委员会毫无进展。", "委员会的讨论在星期五停住了。"),
        ),
        (
            "她从不",
            "掩饰自己的",
            "疑虑。",
            ("隐藏她的", "掩盖自己", "回避那些"),
            ("她的疑虑人人皆知。", "她总是坦率地说出怀疑。"),
        ),
        (
            "晾干香草需要",
            "极大的耐心",
            "才行。",
            ("很多耐心", "耐着性子", "慢慢等待"),
            ("晾香草的人必须有耐心。", "没有耐心晾不好香草。"),
        ),
        (
            "暴风雨过后大多数船员",
            "留在原地",
            "。",
            ("没有离开", "还在那里", "没有动"),
            ("船员们在暴风雨后几乎没走。", "风暴过去，船员仍未下船。"),
        ),
        (
            "那座旧桥去年冬天",
            "塌了下来",
            "。",
            ("断了", "垮掉了", "倒塌了"),
            ("去年冬天旧桥垮掉了。", "旧桥没能撑过冬天。"),
        ),
    ),
    {
        "id": "编号",
        "sentence": "原句",
        "phrase": "目标短语",
        "new": "生成文本",
        "system": "系统名称",
        "person": "标注者",
        "scale": "维度",
        "value": "得分",
        "meaning": "意思",
        "grammar": "语法",
        "mean": "平均分",
        "sd": "标准差",
        "total": "合计",
        "remark": "备注",
        "outputs": "系统输出",
        "reference": "参考译文",
        "human": "人工",
        "rater": "评分员",
        "left": "左侧语境",
        "key": "关键词",
        "right": "右侧语境",
        "genre": "体裁",
        "one": "甲",
        "two": "乙",
        "date": "日期",
        "sys": "系统",
        "degrees": ("很差", "较差", "一般", "较好", "很好"),
        "yes": ("否", "是"),
        "none": "无法判断",
    },
)
