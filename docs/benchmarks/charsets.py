"""Guessing charsets: ``python docs/benchmarks/charsets.py [--size 200]``.

Every charset of the Encoding Standard (https://encoding.spec.whatwg.org), with those of the
languages below that it was made for or can write, in pieces of some hundred characters within a
small page that declares nothing. Right is a page whose text is read back; charsets that differ in
no byte of a piece are one. Prints the share by charset, by language and in all, what was read
wrongly, and the time per page.
"""

from __future__ import annotations

import argparse
import html
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from weps.html.text import decode_page

TEXTS = {
    "English": "The clockmaker’s daughter was born in 1951 in a small town near the sea – her "
    "mother taught music there. “I never wanted to leave,” she says today, and for £20 a month "
    "she rented a room above the workshop. Since then she has written four books, among them "
    "“Time and Tide”, and she lectures on old instruments at the university’s museum. Her "
    "husband, a naïve painter, keeps a café in the harbour; the children live abroad…",
    "French": "Né à Orléans en 1948, le professeur a enseigné l’histoire médiévale à "
    "l’université où il dirigea longtemps le département. Élève de grands maîtres, il a publié "
    "une dizaine d’ouvrages sur les cités oubliées du Midi, dont « Les pierres et le temps ». Sa "
    "fille aînée, Françoise, est devenue ingénieure ; son fils préfère la forêt et élève des "
    "chèvres près d’un château abandonné. Il reçoit volontiers ses anciens étudiants à la fin de "
    "l’été.",
    "German": "Die Tochter des Müllers wurde 1950 in einem Dorf südlich von Köln geboren und "
    "ging später nach Österreich, wo sie über ältere Übersetzungen schrieb. Während des Studiums "
    "hörte sie Vorlesungen über Größenlehre und Völkerkunde. Heute führt sie ein Geschäft für "
    "schöne Bücher in der Nähe der großen Brücke, fährt täglich Rad und erzählt gern, daß früher "
    "alles länger gedauert habe. Für ihre Gäste bäckt sie Äpfel und süße Brötchen.",
    "Spanish": "El señor Muñoz nació en un pequeño pueblo de montaña y llegó a la capital cuando "
    "tenía dieciséis años. Allí estudió música y después enseñó canción española en una escuela "
    "pública. ¿Quién no recuerda su última función? Mañana cumplirá ochenta años y, según su "
    "compañera, todavía compone cada día. También cuidó durante años el jardín botánico, donde "
    "plantó más de cien árboles. ¡Qué corazón tan grande!",
    "Portuguese": "A professora nasceu numa aldeia do interior e começou a lecionar aos vinte "
    "anos. Não há ninguém na região que não conheça as suas lições de história e de botânica. "
    "Depois da revolução, foi eleita para a câmara e defendeu a construção da estação nova. Os "
    "irmãos emigraram, mas ela ficou: “As raízes são o coração”, dizia às crianças. Também "
    "escreveu crônicas, canções e um romance sobre a infância.",
    "Italian": "La maestra è nata in una città del nord e già da bambina sognava di viaggiare. "
    "Perché la libertà, diceva, è più preziosa dell’oro. All’università studiò filosofia, poi "
    "andò in Perù e vi restò quasi vent’anni. Oggi vive in campagna, coltiva la virtù della "
    "pazienza e scrive ogni lunedì per un giornale di qualità. Però ammette: «Mi mancherà sempre "
    "il mare». La società agraria le ha dato una medaglia.",
    "Dutch": "De oud-burgemeester werd in 1939 geboren als zoon van een brugwachter. Hij is één "
    "van de laatsten die het dorp vóór de overstroming hebben gekend. In zijn vrije tijd leest "
    "hij graag poëzie, fietst naar België en schrijft over de geïllustreerde kaarten die zijn "
    "grootvader verzamelde. De zeeën zijn volgens hem niet leeg, maar vol verhalen; zijn ideeën "
    "daarover vond men vroeger maar zozo. Zijn crêpes zijn beroemd, zijn café is geopend.",
    "Swedish": "Läraren föddes på en gård utanför Växjö och flyttade till Göteborg när hon var "
    "nitton år. Där läste hon språk och började översätta böcker från ryska. Hennes första "
    "diktsamling kom ut på sjuttiotalet och väckte stor uppmärksamhet. Nu bor hon på en ö i "
    "skärgården, odlar äpplen och håller föreläsningar för äldre. ”Havet är för mig både väg och "
    "hem”, säger hon på frågan varför hon blev kvar där ute.",
    "Danish": "Smeden blev født i en lille by på Sjælland og lærte håndværket af sin mormor. Som "
    "ung rejste han til Færøerne, hvor han øvede sig i at bygge både. Året efter købte han et "
    "gammelt værksted ved åen, og siden har han lavet låse, nøgler og køkkenknive til hele øen. "
    "Børnene i skolen besøger ham hvert år på hans fødselsdag. Han spår, at håndværket vil "
    "overleve, så længe nogen ønsker smukke ting.",
    "Finnish": "Opettaja syntyi pienessä kylässä Itä-Suomessa ja muutti myöhemmin Jyväskylään "
    "töihin. Hän on kääntänyt yli kymmenen näytelmää ja kirjoittanut väitöskirjan vanhoista "
    "säveltäjistä. Kesäisin hän hoitaa mehiläisiä, lämmittää saunaa järven rannalla ja pitää "
    "päiväkirjaa, jota kukaan ei saa lukea. Häneltä kysytään usein, miksi hän ei lähtenyt "
    "ulkomaille; hän vastaa, että täällä on kyllin hyvä elää.",
    "Icelandic": "Kennarinn fæddist á litlum bæ norður í landi og fór ung að heiman til þess að "
    "læra læknisfræði. Hún varð síðar þekkt fyrir rannsóknir sínar á þjóðsögum og hefur skrifað "
    "margar bækur um það efni. Maðurinn hennar er bóndi og saman eiga þau fjögur börn, sem öll "
    "búa í Reykjavík. Á veturna kennir hún íslensku, en á sumrin gengur hún á fjöll og safnar "
    "jurtum. Þau ætla að flytja suður næsta ár.",
    "Polish": "Zegarmistrz urodził się w Łodzi i tam ukończył szkołę rzemieślniczą. Później "
    "przeprowadził się do Poznania, gdzie założył własną pracownię. Jego żona, Małgorzata, jest "
    "tłumaczką i wykłada na uniwersytecie. Często mówi, że największą przyjemność sprawia jej "
    "czytanie starych książek. Ich córka śpiewa w chórze, a syn gra w piłkę nożną i marzy, żeby "
    "zostać inżynierem. Mieszkają blisko rzeki, wśród dębów i świerków.",
    "Czech": "Hodinář se narodil v malé vesnici u Plzně a vyučil se řemeslu u svého strýce. "
    "Později odešel do Prahy, kde si otevřel dílnu nedaleko řeky. Jeho žena překládá knihy z "
    "němčiny a přednáší na univerzitě. Říká, že největší radost jí dělají dopisy od čtenářů. "
    "Mají dvě děti: dcera studuje lékařství, syn hraje na housle a příští rok půjde na vojnu. "
    "Žijí v domě, který kdysi patřil učiteli hudby.",
    "Slovak": "Učiteľka sa narodila v dedine pod Tatrami a od detstva túžila po ďalekých "
    "cestách. Vyštudovala dejepis a potom pôsobila na škole v Košiciach, kde viedla aj krúžok "
    "mladých včelárov. Jej manžel je lekár, najstarší syn žije vo Viedni. Napísala štyri knihy o "
    "ľudových piesňach a ešte stále zbiera staré príbehy. Ľudia z okolia ju majú radi, lebo "
    "každému pomôže, keď môže.",
    "Hungarian": "Az órásmester egy kis faluban született, nem messze a Dunától, és már "
    "gyermekként megszerette a régi szerkezeteket. Később Győrbe költözött, ahol saját műhelyt "
    "nyitott. Felesége könyveket fordít németből, és az egyetemen tanít. Két gyermekük van: a "
    "lányuk orvos, a fiuk hegedűművész. Esténként hosszú leveleket írnak egymásnak, mert a fiú "
    "külföldön él. Az idősebb szomszédok szerint ő a legkedvesebb ember az utcában.",
    "Romanian": "Profesoara s-a născut într-un sat de lângă Brașov și a învățat să citească "
    "înainte de a merge la școală. După terminarea facultății s-a întors acasă, unde a înființat "
    "o bibliotecă pentru țărani. Soțul ei este pădurar și cunoaște toate potecile munților. "
    "Împreună au scris o carte despre plantele și păsările din ținut. Astăzi locuiește singură, "
    "dar copiii o vizitează adesea și îi aduc fotografii vechi.",
    "Croatian": "Učiteljica je rođena u malom mjestu blizu mora, gdje je njezin otac popravljao "
    "brodove. Završila je studij povijesti i počela raditi u školi na otoku. Često kaže da joj "
    "je najveća sreća kad joj bivši učenici pišu pisma. Muž joj je liječnik, a kći živi u Beču i "
    "bavi se kazalištem. Objavila je više knjiga o običajima i pjesmama svojega kraja. Sljedeće "
    "godine ići će u mirovinu, ali želi još putovati.",
    "Slovene": "Učiteljica se je rodila v majhni vasi pod Triglavom in že kot otrok rada brala "
    "stare knjige. Končala je študij zgodovine ter začela učiti na šoli v Škofji Loki. Mož je "
    "čebelar, hčerka živi v Žalcu in se ukvarja z gledališčem. Napisala je več člankov o "
    "ljudskih običajih, ki jih še vedno zbira po okoliških hišah. Prihodnje leto bo šla v pokoj, "
    "a želi še veliko potovati in pisati.",
    "Turkish": "Öğretmen küçük bir köyde doğdu ve ilkokulu orada bitirdi. Daha sonra İstanbul’a "
    "gidip üniversitede tarih okudu. Eşi ressamdır; ikisi de eski şarkıları çok sever. Yıllarca "
    "lisede ders verdi, öğrencileri onu hiç unutmadı. Şimdi Ege kıyısında, zeytin ağaçlarının "
    "arasında yaşıyor ve çocukluğunu anlattığı bir kitap yazıyor. Kızı doktor oldu, oğlu ise "
    "dışarıda çalışıyor. Akşamları güneşin batışını seyrediyor.",
    "Estonian": "Õpetaja sündis väikeses külas Pärnu lähedal ja läks hiljem Tartusse õppima. Ta "
    "on tõlkinud üle kümne raamatu ning kirjutanud luuletusi, mida lugejad väga armastavad. Tema "
    "mees töötab metsas ja peab mesilasi. Kõige rohkem meeldib talle jalutada õhtuti mööda "
    "randa, kui päike loojub. Lapsed elavad välismaal, kuid käivad igal jõulude ajal kodus. "
    "Möödunud aastal anti talle selle töö eest žürii auhind.",
    "Latvian": "Skolotāja dzimusi nelielā ciemā pie jūras un jau bērnībā iemīlēja vecās "
    "dziesmas. Vēlāk viņa pārcēlās uz Rīgu, kur studēja vēsturi un strādāja bibliotēkā. Viņas "
    "vīrs ir ārsts, meita dzīvo ārzemēs un raksta disertāciju. Tagad viņa krāj stāstus par "
    "senajām mājām un ļaudīm, kas tajās dzīvojuši. Nākamajā gadā iznāks viņas ceturtā grāmata. "
    "Kaimiņi saka, ka viņa ir laipnākā sieviete visā pagastā.",
    "Lithuanian": "Mokytoja gimė nedideliame kaime prie Šiaulių ir nuo vaikystės mėgo senas "
    "dainas. Vėliau ji persikėlė į Vilnių, kur studijavo istoriją ir dirbo bibliotekoje. Jos "
    "vyras yra gydytojas, duktė gyvena užsienyje ir rašo disertaciją. Dabar ji renka pasakojimus "
    "apie senuosius namus ir žmones, kurie juose gyveno. Kitąmet išeis jau ketvirtoji jos knyga. "
    "Kaimynai sako, kad ji esanti maloniausia moteris visame valsčiuje.",
    "Maltese": "L-għalliema twieldet f’raħal żgħir ħdejn il-baħar u marret l-iskola "
    "mas-sorijiet. Wara studjat l-istorja fl-università u bdiet tgħallem fil-belt. Żewġha huwa "
    "tabib u għandhom żewġt itfal, li llum jgħixu barra minn Malta. Kitbet ħafna kotba dwar "
    "id-drawwiet tal-poplu u l-għana tal-bdiewa. Il-ġirien jgħidu li hija l-aktar mara twajba "
    "tat-triq. Kull filgħaxija timxi max-xatt u tħares lejn id-dgħajjes.",
    "Esperanto": "La instruistino naskiĝis en malgranda vilaĝo apud la maro kaj jam en sia "
    "infanaĝo ŝatis malnovajn kantojn. Poste ŝi translokiĝis al la ĉefurbo, kie ŝi studis "
    "historion. Ŝia edzo estas kuracisto, kaj iliaj gefiloj loĝas eksterlande. Nun ŝi kolektas "
    "rakontojn pri ĉiuj domoj de la ĉirkaŭaĵo kaj pri la homoj, kiuj loĝis en ili. Venontjare "
    "aperos ŝia kvara libro. La najbaroj diras, ke ŝi ĉiam ĝojas pri gastoj.",
    "Welsh": "Ganwyd yr athrawes mewn pentref bychan ger y môr, lle’r oedd ei thad yn trwsio "
    "cychod. Aeth i’r brifysgol i astudio hanes ac yna bu’n dysgu plant yng nghefn gwlad. Mae ei "
    "gŵr yn feddyg ac mae ganddynt ddau o blant. Ysgrifennodd lyfrau am ganeuon gwerin, ac mae’n "
    "dal i gasglu hen straeon am y tŷ a’r dŵr. Dywed y cymdogion mai hi yw’r wraig garedicaf yn "
    "y cwm. Yn yr haf bydd yn cysgu dan y sêr.",
    "Russian": "Профессор Иванов родился в небольшом городе на Волге и преподаёт историю в "
    "университете. Он пишет книги о старых городах и собирает народные песни. Его жена работает "
    "в областной больнице, дочь живёт за границей и занимается театром. Каждое лето вся семья "
    "встречается в деревне, где до сих пор стоит дом деда. Ученики любят его за доброту и за то, "
    "что он никогда не повышает голоса. В будущем году выйдет его четвёртая книга.",
    "Ukrainian": "Учителька народилася в невеликому селі біля Полтави і ще з дитинства любила "
    "старовинні пісні. Згодом вона переїхала до Києва, де вивчала історію й працювала в "
    "бібліотеці. Її чоловік лікар, донька живе за кордоном і пише дисертацію. Тепер вона збирає "
    "оповідання про давні оселі та людей, які в них жили. Наступного року вийде її четверта "
    "книжка. Сусіди кажуть, що вона найпривітніша жінка в усій окрузі, їй завжди раді.",
    "Bulgarian": "Учителката е родена в малко село близо до морето и още като дете обичала "
    "старите песни. По-късно се преместила в София, където изучавала история и работила в "
    "библиотека. Мъжът ѝ е лекар, а дъщеря им живее в чужбина и пише дисертация. Сега тя събира "
    "разкази за старите къщи и за хората, които са живели в тях. Догодина ще излезе четвъртата ѝ "
    "книга. Съседите казват, че тя е най-добрата жена в целия град.",
    "Serbian": "Учитељица је рођена у малом месту близу Дунава, где је њен отац поправљао чамце. "
    "Завршила је студије историје и почела да ради у школи. Често каже да јој је највећа срећа "
    "кад јој бивши ђаци пишу писма. Муж јој је лекар, а кћи живи у Бечу и бави се позориштем. "
    "Објавила је више књига о обичајима и песмама свога краја. Следеће године ићи ће у пензију, "
    "али жели још да путује и да скупља приче својих суграђана.",
    "Greek": "Ο καθηγητής γεννήθηκε σε ένα μικρό χωριό κοντά στη θάλασσα και διδάσκει ιστορία "
    "στο πανεπιστήμιο. Γράφει βιβλία για παλιές πόλεις και συλλέγει δημοτικά τραγούδια. Η "
    "γυναίκα του εργάζεται στο νοσοκομείο, ενώ η κόρη τους ζει στο εξωτερικό και ασχολείται με "
    "το θέατρο. Κάθε καλοκαίρι όλη η οικογένεια συναντιέται στο σπίτι του παππού. Του χρόνου θα "
    "εκδοθεί το τέταρτο βιβλίο του. Οι γείτονες λένε ότι είναι ο ευγενέστερος άνθρωπος.",
    "Hebrew": "הפרופסור נולד בעיירה קטנה ליד הים ומלמד היסטוריה באוניברסיטה. הוא כותב ספרים על "
    "ערים עתיקות ואוסף שירי עם. אשתו עובדת בבית החולים, ובתם גרה בחוץ לארץ ועוסקת בתיאטרון. בכל "
    "קיץ נפגשת כל המשפחה בבית הסבא. בשנה הבאה יצא לאור ספרו הרביעי. השכנים אומרים שהוא האיש "
    "הנחמד ביותר ברחוב, ותלמידיו אוהבים אותו מפני שאינו מרים את קולו לעולם. בערבים הוא מטייל "
    "לאורך החוף ומביט בסירות החוזרות אל הנמל.",
    "Arabic": "ولد الأستاذ في قرية صغيرة قرب البحر وهو يدرس التاريخ في الجامعة. يكتب كتبا عن "
    "المدن القديمة ويجمع الأغاني الشعبية. تعمل زوجته في المستشفى، أما ابنتهما فتعيش في الخارج "
    "وتهتم بالمسرح. في كل صيف تجتمع العائلة كلها في بيت الجد. سيصدر كتابه الرابع في السنة "
    "القادمة. يقول الجيران إنه ألطف رجل في الشارع، ويحبه تلاميذه لأنه لا يرفع صوته أبدا. وفي "
    "المساء يمشي على الشاطئ وينظر إلى القوارب العائدة.",
    "Persian": "استاد در روستایی کوچک نزدیک دریا به دنیا آمد و در دانشگاه تاریخ درس می‌دهد. او "
    "درباره شهرهای کهن کتاب می‌نویسد و ترانه‌های مردم را گرد می‌آورد. همسرش در بیمارستان کار "
    "می‌کند و دخترشان بیرون از کشور زندگی می‌کند. هر تابستان همه خانواده در خانه پدربزرگ گرد هم "
    "می‌آیند. سال آینده چهارمین کتاب او چاپ خواهد شد. همسایگان می‌گویند که او مهربان‌ترین مرد "
    "کوچه است.",
    "Thai": "อาจารย์เกิดในหมู่บ้านเล็ก ๆ ใกล้ทะเลและสอนประวัติศาสตร์ที่มหาวิทยาลัย "
    "เขาเขียนหนังสือเกี่ยวกับเมืองเก่าและรวบรวมเพลงพื้นบ้าน ภรรยาของเขาทำงานที่โรงพยาบาล "
    "ส่วนลูกสาวอาศัยอยู่ต่างประเทศและสนใจการละคร "
    "ทุกฤดูร้อนครอบครัวทั้งหมดจะพบกันที่บ้านของคุณปู่ ปีหน้าหนังสือเล่มที่สี่ของเขาจะออกจำหน่าย "
    "เพื่อนบ้านพูดว่าเขาเป็นคนใจดีที่สุดในซอยนี้ ลูกศิษย์รักเขาเพราะเขาไม่เคยขึ้นเสียงกับใครเลย",
    "Vietnamese": "Cô giáo sinh ra ở một làng nhỏ gần biển và dạy lịch sử tại trường đại học. Cô "
    "viết sách về những thành phố cổ và sưu tầm các bài hát dân gian. Chồng cô làm việc ở bệnh "
    "viện, còn con gái sống ở nước ngoài và quan tâm đến sân khấu. Mỗi mùa hè cả gia đình gặp "
    "nhau tại nhà ông nội. Sang năm cuốn sách thứ tư của cô sẽ được xuất bản. Hàng xóm nói rằng "
    "cô là người hiền lành nhất trong phố này.",
    "Simplified Chinese": "王教授出生在海边的一个小村庄，现在在大学教历史。他写了几本关于古老城市"
    "的书，也收集民间歌曲。他的妻子在医院工作，女儿住在国外，从事戏剧。每年夏天全家人都在祖父的老"
    "房子里见面。明年他的第四本书将要出版。邻居们说他是这条街上最和气的人，学生们喜欢他，因为他从"
    "来不大声说话。傍晚他常常沿着海岸散步，看着渔船慢慢回到港口。有时候朋友们从远方来看他，他们一"
    "起喝茶，谈论过去的事情，直到深夜才回去。他希望将来能够把这些故事都写下来，留给孩子们，让他们"
    "知道从前的人怎样生活，怎样工作，又怎样在困难的时候互相帮助。因此他每天早晨五点起床，先读两个"
    "小时的书，然后才去学校上课。他认为学习没有结束的一天。",
    "Traditional Chinese": "王教授出生在海邊的一個小村莊，現在在大學教歷史。他寫了幾本關於古老城"
    "市的書，也收集民間歌曲。他的妻子在醫院工作，女兒住在國外，從事戲劇。每年夏天全家人都在祖父的"
    "老房子裡見面。明年他的第四本書將要出版。鄰居們說他是這條街上最和氣的人，學生們喜歡他，因為他"
    "從來不大聲說話。傍晚他常常沿著海岸散步，看著漁船慢慢回到港口。有時候朋友們從遠方來看他，他們"
    "一起喝茶，談論過去的事情，直到深夜才回去。他希望將來能夠把這些故事都寫下來，留給孩子們，讓他"
    "們知道從前的人怎樣生活，怎樣工作，又怎樣在困難的時候互相幫助。因此他每天早晨五點起床，先讀兩"
    "個小時的書，然後才去學校上課。他認為學習沒有結束的一天。",
    "Japanese": "田中教授は海の近くの小さな村で生まれ、現在は大学で歴史を教えています。古い町につ"
    "いての本を書き、民謡を集めるのが趣味です。妻は病院で働いており、娘は外国に住んで演劇の仕事を"
    "しています。毎年夏になると、家族全員が祖父の家に集まります。来年には四冊目の本が出版される予"
    "定です。近所の人たちは、彼がこの通りで一番親切な人だと言います。学生たちは、先生が決して大声"
    "を出さないので好きだそうです。夕方には海岸を散歩し、港に戻ってくる船を眺めながら、ゆっくりと"
    "お茶を飲みます。コンピューターはあまり使わず、いつもノートに鉛筆で書いています。友人が遠くか"
    "ら訪ねてくると、夜遅くまで昔の話をします。子どものころの思い出や、なくなった商店街のことなど"
    "、話は尽きません。",
    "Korean": "김 교수는 바닷가의 작은 마을에서 태어났으며 지금은 대학에서 역사를 가르치고 있다. "
    "오래된 도시에 대한 책을 쓰고 민요를 모은다. 아내는 병원에서 일하고 딸은 외국에 살면서 "
    "연극을 한다. 해마다 여름이면 온 가족이 할아버지 댁에 모인다. 내년에는 네 번째 책이 나올 "
    "예정이다. 이웃 사람들은 그가 이 거리에서 가장 친절한 사람이라고 말한다. 학생들은 그가 한 "
    "번도 목소리를 높이지 않기 때문에 좋아한다. 저녁이 되면 바닷가를 거닐며 항구로 돌아오는 배를 "
    "바라본다. 친구들이 멀리서 찾아오면 함께 차를 마시며 밤늦게까지 옛날이야기를 나눈다. 그는 "
    "언젠가 이 모든 이야기를 책으로 남기고 싶어 한다.",
}
"""A text in each language, of people who do not exist."""

_WESTERN = "English French German Spanish Portuguese Italian Dutch Swedish Danish Finnish Icelandic"
_CENTRAL = "Polish Czech Slovak Hungarian Croatian Slovene German"
_CYRILLIC = "Russian Ukrainian Bulgarian Serbian"
CHARSETS = {
    "utf-8": "*",
    "ibm866": "Russian",
    "iso-8859-2": _CENTRAL,
    "iso-8859-3": "Maltese Esperanto",
    "iso-8859-4": "Latvian Lithuanian Estonian",
    "iso-8859-5": _CYRILLIC,
    "iso-8859-6": "Arabic",
    "iso-8859-7": "Greek",
    "iso-8859-8": "Hebrew",
    "iso-8859-10": "Icelandic Swedish Danish Finnish",
    "iso-8859-13": "Latvian Lithuanian Estonian Polish",
    "iso-8859-14": "Welsh",
    "iso-8859-15": "French Finnish Estonian German Spanish",
    "iso-8859-16": "Romanian Polish Hungarian",
    "koi8-r": "Russian",
    "koi8-u": "Ukrainian Russian",
    "macintosh": "English French German Spanish Italian Swedish",
    "windows-874": "Thai",
    "windows-1250": _CENTRAL,
    "windows-1251": _CYRILLIC,
    "windows-1252": _WESTERN,
    "windows-1253": "Greek",
    "windows-1254": "Turkish German",
    "windows-1255": "Hebrew",
    "windows-1256": "Arabic Persian",
    "windows-1257": "Latvian Lithuanian Estonian",
    "windows-1258": "Vietnamese",
    "x-mac-cyrillic": "Russian Ukrainian Bulgarian Serbian",
    "gbk": "Simplified Chinese",
    "gb18030": "Simplified Chinese",
    "big5": "Traditional Chinese",
    "euc-jp": "Japanese",
    "iso-2022-jp": "Japanese",
    "shift_jis": "Japanese",
    "euc-kr": "Korean",
    "utf-16be": "*",
    "utf-16le": "*",
}
"""The languages of each charset; ``*`` for all."""
CODECS = {
    "windows-874": "cp874",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}
"""What Python calls them."""
_TONES = "\u0300\u0301\u0303\u0309\u0323"


def pieces(size: int) -> Iterator[tuple[str, str, str]]:
    """Charset, language and text of every page; the last piece of a text may be up to half as long.

    A page of a language whose letters a charset lacks would have references for them.
    """
    for charset, languages in CHARSETS.items():
        for language in TEXTS if languages == "*" else _named(languages):
            text = TEXTS[language]
            for start in range(0, max(len(text) - size // 2, 1), size):
                yield charset, language, text[start : start + size].strip()


def page_of(text: str, charset: str) -> bytes:
    """A page in a charset, which it does not tell."""
    if charset == "windows-1258":  # has the vowels, and the tones as signs behind them
        parts = (unicodedata.normalize("NFD", letter) for letter in text)
        text = "".join(
            unicodedata.normalize("NFC", "".join(sign for sign in part if sign not in _TONES))
            + "".join(sign for sign in part if sign in _TONES)
            for part in parts
        )
    page = f"<html><head><title>Page 1</title></head><body><p>{text}</p></body></html>"
    return page.encode(CODECS.get(charset, charset), "xmlcharrefreplace")


def is_read(text: str, page: bytes) -> bool:
    """Whether a page is decoded to its text."""
    found = html.unescape(decode_page(page))
    return unicodedata.normalize("NFC", text) in unicodedata.normalize("NFC", found)


def _named(languages: str) -> list[str]:
    """The languages of a line, of which some have two words."""
    return [
        language
        for language in TEXTS
        if language.replace(" Chinese", "") in languages.split() or language == languages
    ]


def main() -> None:
    """Read all pieces and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--size", type=int, default=200, help="characters of a page (default: 200)")
    size = parser.parse_args().size
    right: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    start = time.process_time()
    for charset, language, text in pieces(size):
        page = page_of(text, charset)
        right["charset", charset].append(is_read(text, page))
        right["language", language].append(right["charset", charset][-1])
        if not right["charset", charset][-1]:
            print(f"wrong: {charset:<16}{language:<20}{decode_page(page)[54:110]!r}")
    outcomes = [each for (kind, _), each in right.items() if kind == "charset"]
    for (kind, name), each in sorted(right.items()):
        print(f"{kind:<10}{name:<22}{sum(each):>4} of {len(each):>4}")
    total = sum(map(len, outcomes))
    print(
        f"right: {sum(map(sum, outcomes)) / total:.1%} of {total:,}; "
        f"{(time.process_time() - start) / total * 1000:.2f} ms a page"
    )


if __name__ == "__main__":
    main()
