// The network of memories on a canvas. Words come as JSON and are only ever drawn or set as text.
"use strict";
(() => {
  const box = document.getElementById("network");
  const canvas = document.getElementById("canvas");
  const pen = canvas.getContext("2d");
  const until = document.getElementById("until");
  const find = document.getElementById("find");
  const picked = document.getElementById("picked");
  const SPAN = 86400000;
  let nodes = [], links = [], places = new Float32Array(0), near = [];
  let view = { x: 0, y: 0, scale: 1 }, chosen = -1, sought = "", today = 0, touched = false, waiting = false;
  let colours = [], ink = "", soft = "", line = "", font = "", order = [], moved = -1e9;
  const frames = { count: 0, spent: 0 };
  window.networkFrames = frames;

  const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const readColours = () => {
    colours = ["--accent", "--c1", "--c2", "--c3", "--c4"].map(styled);
    ink = styled("--ink"); soft = styled("--soft"); line = styled("--line");
    font = "13px " + getComputedStyle(document.body).fontFamily;
  };
  const size = (node) => 3 + node[3] / 14;
  const there = (node) => {
    const day = Number(until.value);
    return node[5] <= day && (day >= today || !node[6] || node[6] > day);
  };
  const ended = (node) => node[6] && node[6] <= Number(until.value);

  const resize = () => {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    ask();
  };
  const ask = () => { if (!waiting) { waiting = true; requestAnimationFrame(draw); } };
  const move = () => { moved = performance.now(); touched = true; ask(); };
  const screen = (at) => [
    (places[2 * at] - view.x) * view.scale + canvas.clientWidth / 2,
    (places[2 * at + 1] - view.y) * view.scale + canvas.clientHeight / 2,
  ];

  // The scene is drawn once, larger than what is seen, and only moved and stretched while somebody
  // drags or zooms; it is drawn anew when they pause. So it is smooth where drawing is slow.
  const MARGIN = 0.25, PAUSE = 140;
  const back = document.createElement("canvas"), behind = back.getContext("2d");
  let scene = null, pausing = 0;

  function draw() {
    waiting = false;
    const begun = performance.now(), wide = canvas.clientWidth, high = canvas.clientHeight;
    const busy = begun - moved < PAUSE;
    if (!scene || !busy) {
      paint(wide * (1 + 2 * MARGIN), high * (1 + 2 * MARGIN));
      scene = { ...view, wide, high };
    } else {
      clearTimeout(pausing);
      pausing = setTimeout(ask, PAUSE + 20);
    }
    const ratio = window.devicePixelRatio || 1, grown = view.scale / scene.scale;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    const across = scene.wide * (1 + 2 * MARGIN) * grown, down = scene.high * (1 + 2 * MARGIN) * grown;
    const x = (scene.x - view.x) * view.scale + wide / 2, y = (scene.y - view.y) * view.scale + high / 2;
    pen.drawImage(back, x - across / 2, y - down / 2, across, down);
    frames.count += 1; frames.spent += performance.now() - begun;
  }

  // In small parts: one path of thousands of crossing lines takes a second to fill.
  const PART = 50;
  function stroke(pairs, xs, ys) {
    behind.beginPath();
    pairs.forEach(([a, b], n) => {
      behind.moveTo(xs[a], ys[a]); behind.lineTo(xs[b], ys[b]);
      if (n % PART === PART - 1) { behind.stroke(); behind.beginPath(); }
    });
    behind.stroke();
  }

  function paint(wide, high) {
    const ratio = window.devicePixelRatio || 1;
    back.width = Math.round(wide * ratio); back.height = Math.round(high * ratio);
    behind.setTransform(ratio, 0, 0, ratio, 0, 0);
    const shown = nodes.map(there), xs = new Float32Array(nodes.length), ys = new Float32Array(nodes.length);
    for (let at = 0; at < nodes.length; at += 1) {
      xs[at] = (places[2 * at] - view.x) * view.scale + wide / 2;
      ys[at] = (places[2 * at + 1] - view.y) * view.scale + high / 2;
    }
    const outside = (a, b, end) => (a < 0 && b < 0) || (a > end && b > end);
    behind.lineWidth = 1; behind.strokeStyle = line;
    stroke(links.filter(([a, b]) => shown[a] && shown[b] && !outside(xs[a], xs[b], wide) && !outside(ys[a], ys[b], high)), xs, ys);
    const beside = chosen >= 0 ? near[chosen] : null;
    if (beside) {
      behind.strokeStyle = colours[0]; behind.lineWidth = 1.6;
      stroke([...beside].filter((other) => shown[other]).map((other) => [chosen, other]), xs, ys);
    }
    const grown = Math.min(Math.max(Math.sqrt(view.scale), 0.55), 2.2);
    nodes.forEach((node, at) => {
      const x = xs[at], y = ys[at];
      if (!shown[at] || x < -20 || y < -20 || x > wide + 20 || y > high + 20) return;
      behind.globalAlpha = ended(node) ? 0.22 : 0.3 + 0.7 * node[4] / 100;
      behind.fillStyle = colours[node[2] % colours.length];
      behind.beginPath(); behind.arc(x, y, size(node) * grown, 0, 7); behind.fill();
      if (at === chosen || (sought && node[7].includes(sought))) {
        behind.globalAlpha = 1; behind.strokeStyle = ink; behind.lineWidth = 2; behind.stroke();
      }
    });
    behind.globalAlpha = 1;
    label(shown, xs, ys, wide, high, 90);
  }

  const rank = () => {
    const beside = chosen >= 0 ? near[chosen] : new Set();
    const weight = nodes.map((node, at) => (at === chosen ? 9e6 : 0) + (sought && node[7].includes(sought) ? 9e5 : 0) + (beside.has(at) ? 9e4 : 0) + node[3]);
    order = [...nodes.keys()].sort((a, b) => weight[b] - weight[a]);
  };

  function label(shown, xs, ys, wide, high, most) {
    behind.font = font; behind.textAlign = "center"; behind.textBaseline = "top";
    const taken = new Set();
    let left = most;
    for (const at of order) {
      if (!left) break;
      const x = xs[at], y = ys[at];
      if (!shown[at] || x < 0 || y < 0 || x > wide || y > high) continue;
      const half = behind.measureText(nodes[at][1]).width / 2 + 6, row = Math.round(y / 18);
      const cells = [];
      for (let column = Math.floor((x - half) / 20); column <= Math.ceil((x + half) / 20); column += 1) cells.push(`${column},${row}`, `${column},${row + 1}`);
      left -= 1;
      if (at !== chosen && cells.some((each) => taken.has(each))) continue;
      cells.forEach((each) => taken.add(each));
      behind.fillStyle = at === chosen ? ink : soft;
      behind.fillText(nodes[at][1], x, y + size(nodes[at]) + 3);
    }
  }

  function whole() {
    if (!nodes.length) return;
    const xs = [], ys = [];
    nodes.forEach((_, at) => { xs.push(places[2 * at]); ys.push(places[2 * at + 1]); });
    xs.sort((a, b) => a - b); ys.sort((a, b) => a - b);
    const cut = Math.floor(xs.length / 100), last = xs.length - 1 - cut;
    const wide = xs[last] - xs[cut] + 80, high = ys[last] - ys[cut] + 80;
    view = { x: (xs[cut] + xs[last]) / 2, y: (ys[cut] + ys[last]) / 2, scale: Math.min(canvas.clientWidth / wide, canvas.clientHeight / high, 2.5) };
    ask();
  }
  function zoom(by, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const dx = x - canvas.clientWidth / 2, dy = y - canvas.clientHeight / 2;
    const scale = Math.min(Math.max(view.scale * by, 0.05), 8);
    view.x += dx / view.scale - dx / scale; view.y += dy / view.scale - dy / scale; view.scale = scale;
    move();
  }
  function choose(at) {
    chosen = at;
    picked.textContent = "";
    if (at >= 0) {
      const link = document.createElement("a");
      link.href = `/memory/${nodes[at][0]}`;
      link.textContent = `#${nodes[at][0]} ${nodes[at][1]}`;
      picked.append(link);
    }
    rank(); ask();
  }
  function at(x, y) {
    let best = -1, least = 18 * 18;
    nodes.forEach((node, n) => {
      if (!there(node)) return;
      const [nx, ny] = screen(n), far = (nx - x) ** 2 + (ny - y) ** 2;
      if (far < least) { least = far; best = n; }
    });
    return best;
  }

  const hands = new Map();
  canvas.addEventListener("pointerdown", (event) => { hands.set(event.pointerId, [event.offsetX, event.offsetY, 0]); canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    const known = hands.get(event.pointerId);
    if (!known) return;
    const dx = event.offsetX - known[0], dy = event.offsetY - known[1];
    if (hands.size === 2) {
      const other = [...hands].find(([id]) => id !== event.pointerId)[1];
      const before = Math.hypot(known[0] - other[0], known[1] - other[1]);
      const after = Math.hypot(event.offsetX - other[0], event.offsetY - other[1]);
      if (before > 1) zoom(after / before, other[0], other[1]);
    } else { view.x -= dx / view.scale; view.y -= dy / view.scale; move(); }
    hands.set(event.pointerId, [event.offsetX, event.offsetY, known[2] + Math.abs(dx) + Math.abs(dy)]);
  });
  canvas.addEventListener("pointerup", (event) => {
    const known = hands.get(event.pointerId);
    hands.delete(event.pointerId);
    if (known && known[2] < 6) choose(at(event.offsetX, event.offsetY));
  });
  canvas.addEventListener("pointercancel", (event) => hands.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 60 / view.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) { view.x += moves[event.key][0]; view.y += moves[event.key][1]; move(); }
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "Enter" && chosen >= 0) location.href = `/memory/${nodes[chosen][0]}`;
    else return;
    event.preventDefault();
  });
  document.getElementById("nearer").addEventListener("click", () => zoom(1.4));
  document.getElementById("farther").addEventListener("click", () => zoom(1 / 1.4));
  document.getElementById("whole").addEventListener("click", whole);
  const tell = () => { document.getElementById("day").textContent = new Date(Number(until.value) * SPAN).toISOString().slice(0, 10); };
  until.addEventListener("input", () => { tell(); ask(); });
  find.addEventListener("input", () => {
    sought = find.value.trim().toLowerCase();
    const exact = sought ? nodes.findIndex((node) => node[7].includes(sought) && there(node)) : -1;
    if (exact >= 0) { view.x = places[2 * exact]; view.y = places[2 * exact + 1]; view.scale = Math.max(view.scale, 1.2); touched = true; }
    choose(exact);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); ask(); });
  new ResizeObserver(resize).observe(canvas);

  async function begin() {
    readColours();
    const answer = await fetch("/network.json", { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const told = await answer.json();
    nodes = told.nodes.map((node) => [...node, node[1].toLowerCase()]);
    links = told.links; today = told.today;
    near = nodes.map(() => new Set());
    for (const [a, b] of links) { near[a].add(b); near[b].add(a); }
    rank();
    until.min = nodes.reduce((least, node) => Math.min(least, node[5]), today);
    until.max = today; until.value = today; tell();
    const names = document.getElementById("names");
    nodes.filter((node) => node[2] === 4 || node[3] > 70).slice(0, 200).forEach((node) => { const one = document.createElement("option"); one.value = node[1]; names.append(one); });
    places = new Float32Array(nodes.length * 2);
    nodes.forEach((_, n) => { const far = 9 * Math.sqrt(n + 1), turn = n * 2.4; places[2 * n] = far * Math.cos(turn); places[2 * n + 1] = far * Math.sin(turn); });
    const wanted = Number(box.dataset.chosen);
    const first = wanted ? nodes.findIndex((node) => node[0] === wanted) : -1;
    whole();
    const worker = new Worker(box.dataset.layout);
    worker.onmessage = ({ data }) => {
      places = data.places;
      if (!touched) whole(); else ask();
      if (data.done) { worker.terminate(); box.dataset.ready = "1"; if (first >= 0) choose(first); }
    };
    worker.postMessage({ sizes: nodes.map(size), links });
  }
  begin();
})();
