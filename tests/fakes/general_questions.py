"""Two hundred lines that ask nothing of the past: the world, how things are done, small talk."""

from typing import Final

CHINESE: Final = """
水为什么会结冰？
月球离地球有多远？
世界上最高的山是哪座？
中国有多少个省？
光合作用是怎么回事？
为什么天空是蓝色的？
猫一天要睡多久？
鸡蛋煮几分钟最好？
怎么做番茄炒蛋？
红烧肉怎么做才不腻？
米饭和水的比例是多少？
如何快速入睡？
怎么学好英语口语？
Python 里怎么读取文件？
什么是区块链？
量子计算机和普通电脑有什么区别？
地铁早上几点开门？
长城有多长？
秦始皇是哪一年统一六国的？
第二次世界大战是什么时候结束的？
谁写了《红楼梦》？
《哈姆雷特》的作者是谁？
诺贝尔奖有哪些奖项？
奥运会几年举办一次？
足球比赛一场多少分钟？
篮球场有多大？
怎么练腹肌？
跑步前要热身吗？
感冒了该吃什么药？
发烧多少度要去医院？
喝咖啡会影响睡眠吗？
维生素C有什么作用？
怎么才能减肥？
一天应该喝多少水？
牛奶和豆浆哪个更有营养？
怎么去除衣服上的油渍？
白色的鞋子怎么洗？
手机屏幕碎了怎么办？
电脑很慢怎么处理？
无线网络连不上怎么办？
怎么在Excel里求和？
怎么备份照片？
怎么给阳台的花浇水？
多肉植物多久浇一次水？
养狗需要注意什么？
仓鼠能活几年？
金鱼为什么会翻肚子？
坐飞机可以带多少毫升液体？
护照怎么办理？
去日本要签证吗？
北京到上海坐高铁要几个小时？
云南什么季节最适合旅游？
海南冬天冷吗？
今天天气怎么样？
明天会下雨吗？
现在几点了？
今天星期几？
你好呀，在干嘛呢？
你吃饭了吗？
你会唱歌吗？
你会说几种语言？
你叫什么名字？
你喜欢什么颜色？
给我讲个笑话吧。
讲一个睡前故事吧。
推荐一部好看的科幻电影。
有什么好听的轻音乐吗？
有没有适合新手的吉他曲？
周末去哪里玩比较好？
晚饭吃什么好呢？
我该穿什么去面试？
我不知道该不该换工作，你怎么看？
压力大的时候怎么放松？
怎么跟领导提加薪？
怎么写一份好的简历？
面试的时候怎么自我介绍？
怎么安慰失恋的人？
朋友过生日送什么礼物好？
结婚红包一般给多少？
怎么教孩子认字？
宝宝几个月可以吃辅食？
什么年龄学钢琴最合适？
圆的面积怎么算？
一元二次方程怎么解？
勾股定理是什么？
十二生肖怎么排列？
中秋节为什么要吃月饼？
二十四节气是哪些？
人民币怎么换成欧元？
房贷利率是怎么计算的？
股票和基金有什么不同？
什么是通货膨胀？
汽车多久保养一次？
轮胎气压多少合适？
红灯右转可以吗？
驾照怎么换证？
垃圾应该怎么分类？
微波炉可以加热鸡蛋吗？
冰箱里的剩菜能放几天？
早上好，今天也要加油！
""".strip().splitlines()

ENGLISH: Final = """
Why is the sky blue?
How far away is the moon?
What is the tallest mountain in the world?
How many countries are there in Africa?
How does photosynthesis work?
Why do cats purr?
How long do I boil an egg?
How do I make pancakes?
What temperature should chicken be cooked to?
How much water do I need for a cup of rice?
How can I fall asleep faster?
What's the best way to learn Spanish?
How do I read a file in Python?
What is a blockchain?
What's the difference between a list and a tuple?
When does the library usually open on Sundays?
How long is the Great Wall of China?
When did the Second World War end?
Who wrote Hamlet?
Who painted the Mona Lisa?
What is the capital of Australia?
What language do people speak in Brazil?
How often are the Olympic Games held?
How long does a football match last?
How big is a basketball court?
How do I train my core?
Should I stretch before running?
What helps against a cold?
When should I see a doctor about a fever?
Does coffee keep you awake?
What does vitamin C do?
How can I lose weight in a healthy way?
How much water should I drink a day?
Is soy milk better than cow's milk?
How do I get grease out of a shirt?
How do I clean white sneakers?
What do I do if my phone screen is cracked?
Why is my computer so slow?
The wifi does not work, what can I try?
How do I sum a column in a spreadsheet?
What's a good way to back up photos?
How often should I water a cactus?
What do I need to know before getting a dog?
How long do hamsters live?
Can rabbits eat lettuce?
How much liquid may I take on a plane?
How do I renew a passport?
Do I need a visa for Japan?
How long is the train from Paris to London?
What's the best season to visit Iceland?
Is it cold in Florida in winter?
What's the weather like today?
Will it rain tomorrow?
What time is it?
What day is it today?
Hey, what are you up to?
How are you today?
Can you sing?
How many languages do you speak?
What's your name?
What's your favourite colour?
Tell me a joke.
Tell me a bedtime story.
Can you recommend a good science fiction movie?
Do you know any relaxing music?
What's an easy song to play on the guitar?
Where could I go this weekend?
What should I have for dinner?
What should I wear to a job interview?
I don't know whether to change jobs, what do you think?
How do I relax when everything is too much?
How do I ask for a raise?
What makes a good résumé?
How should I introduce myself in an interview?
How do you comfort somebody after a breakup?
What's a nice birthday present for a friend?
How much should I tip in New York?
How do I teach a child to read?
When can babies eat solid food?
What age is best to start the piano?
How do I calculate the area of a circle?
How do I solve a quadratic equation?
What is the Pythagorean theorem?
What are the planets of the solar system?
Why do leaves turn red in autumn?
Why is Easter on a different day every year?
How do I convert euros to dollars?
How is a mortgage rate calculated?
What's the difference between stocks and bonds?
What is inflation?
How often does a car need an oil change?
What's the right tyre pressure?
Is it legal to turn right on red?
How do I parallel park?
What goes into the recycling bin?
Can I put metal in the microwave?
How long do leftovers keep in the fridge?
Good morning! Have a nice day.
I'm bored, let's play a game.
What is the meaning of life?
""".strip().splitlines()
