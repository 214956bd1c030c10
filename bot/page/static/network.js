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
  let colours = [], ink = "", soft = "", line = "";
  const frames = { count: 0, spent: 0 };
  window.networkFrames = frames;

  const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const readColours = () => {
    colours = ["--accent", "--c1", "--c2", "--c3", "--c4"].map(styled);
    ink = styled("--ink"); soft = styled("--soft"); line = styled("--line");
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
  const screen = (at) => [
    (places[2 * at] - view.x) * view.scale + canvas.clientWidth / 2,
    (places[2 * at + 1] - view.y) * view.scale + canvas.clientHeight / 2,
  ];

  function draw() {
    waiting = false;
    const begun = performance.now(), ratio = window.devicePixelRatio || 1;
    const wide = canvas.clientWidth, high = canvas.clientHeight;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    const shown = nodes.map(there);
    const beside = chosen >= 0 ? near[chosen] : null;
    pen.lineWidth = 1; pen.strokeStyle = line; pen.beginPath();
    for (const [a, b] of links) {
      if (!shown[a] || !shown[b]) continue;
      const [ax, ay] = screen(a), [bx, by] = screen(b);
      if ((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > wide && bx > wide) || (ay > high && by > high)) continue;
      pen.moveTo(ax, ay); pen.lineTo(bx, by);
    }
    pen.stroke();
    if (beside) {
      pen.strokeStyle = colours[0]; pen.lineWidth = 1.6; pen.beginPath();
      for (const other of beside) {
        if (!shown[other]) continue;
        pen.moveTo(...screen(chosen)); pen.lineTo(...screen(other));
      }
      pen.stroke();
    }
    nodes.forEach((node, at) => {
      if (!shown[at]) return;
      const [x, y] = screen(at), radius = size(node) * Math.min(Math.max(Math.sqrt(view.scale), 0.55), 2.2);
      if (x < -20 || y < -20 || x > wide + 20 || y > high + 20) return;
      pen.globalAlpha = ended(node) ? 0.22 : 0.3 + 0.7 * node[4] / 100;
      pen.fillStyle = colours[node[2] % colours.length];
      pen.beginPath(); pen.arc(x, y, radius, 0, 7); pen.fill();
      if (at === chosen || (sought && node[7].includes(sought))) {
        pen.globalAlpha = 1; pen.strokeStyle = ink; pen.lineWidth = 2; pen.stroke();
      }
    });
    pen.globalAlpha = 1;
    label(shown, beside, wide, high);
    frames.count += 1; frames.spent += performance.now() - begun;
  }

  function label(shown, beside, wide, high) {
    pen.font = "13px " + getComputedStyle(document.body).fontFamily;
    pen.textAlign = "center"; pen.textBaseline = "top";
    const taken = new Set();
    const order = [...nodes.keys()].sort((a, b) => weight(b) - weight(a));
    function weight(at) { return (at === chosen ? 9e6 : 0) + (beside && beside.has(at) ? 9e4 : 0) + (sought && nodes[at][7].includes(sought) ? 9e5 : 0) + nodes[at][3]; }
    let left = 70;
    for (const at of order) {
      if (!left) break;
      if (!shown[at]) continue;
      const [x, y] = screen(at);
      if (x < 0 || y < 0 || x > wide || y > high) continue;
      const half = pen.measureText(nodes[at][1]).width / 2 + 6, row = Math.round(y / 18);
      const cells = [];
      for (let column = Math.floor((x - half) / 20); column <= Math.ceil((x + half) / 20); column += 1) cells.push(`${column},${row}`, `${column},${row + 1}`);
      if (at !== chosen && cells.some((each) => taken.has(each))) continue;
      cells.forEach((each) => taken.add(each));
      pen.fillStyle = at === chosen ? ink : soft;
      pen.fillText(nodes[at][1], x, y + size(nodes[at]) + 3);
      left -= 1;
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
    touched = true; ask();
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
    ask();
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
    } else { view.x -= dx / view.scale; view.y -= dy / view.scale; touched = true; ask(); }
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
    if (moves[event.key]) { view.x += moves[event.key][0]; view.y += moves[event.key][1]; touched = true; ask(); }
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
