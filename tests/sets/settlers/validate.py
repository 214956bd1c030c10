import json,collections
D='/work/writers/settlers/';ids=set();bad=0
def err(*a):
    global bad;bad+=1;print(*a)
for n in('life_changes','look_alikes'):
  for p in('','scored/'):
    rows=[json.loads(l) for l in open(D+p+n+'.jsonl',encoding='utf-8')]
    c=collections.Counter(r['lang'] for r in rows);fill=0;nul=0
    F=["id","lang","told","learnt"]+(["question","now","past"] if n[0:2]=='li' else [])
    for r in rows:
        if list(r)!=F: err(r['id'],'fields')
        if r['id'] in ids: err(r['id'],'dup')
        ids.add(r['id']);T=[t['text'] for t in r['told']];d=[t['day'] for t in r['told']]
        if d!=sorted(d) or d[0]!=0: err(r['id'],'days')
        if len(T)!=len(r['learnt']) or any(l not in(None,t) for l,t in zip(r['learnt'],T)): err(r['id'],'learnt')
        if len(T)>2: fill+=1
        nul+=r['learnt'][-1] is None
        if 'past' in r:
            for s in r['past']:
                if s not in T[0]: err(r['id'],'past not old',s)
                if any(s.lower() in t.lower() for t in T[1:]): err(r['id'],'past in newer',s)
                if s.lower() in r['question'].lower(): err(r['id'],'past in q',s)
            if not any(s.lower() in T[-1].lower() for s in r['now']): err(r['id'],'now not in newer')
            for s in r['now']:
                if s.lower() in T[0].lower(): err(r['id'],'now in old',s)
                if s.lower() in r['question'].lower(): err(r['id'],'now in q',s)
                if any(s.lower() in t.lower() for t in T[1:-1]): err(r['id'],'now in filler',s)
        elif len(T)!=2: err(r['id'],'len')
    print(p+n,len(rows),dict(c),'with between-lines',fill,'last learnt null',nul)
print('unique ids',len(ids),'problems',bad)
