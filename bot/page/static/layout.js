// Finds places for the nodes, away from the page, so that it never stands still.
"use strict";
const from = new URL(self.location.href).searchParams.get("v") || "";
for (const name of ["dispatch", "quadtree", "timer", "force"]) importScripts(`vendor/d3-${name}.min.js?v=${from}`);

const TICKS = 160;

self.onmessage = ({ data }) => {
  const nodes = data.sizes.map((size, index) => ({ index, size }));
  const links = data.links.map(([source, target, strength]) => ({ source, target, strength }));
  const simulation = d3.forceSimulation(nodes)
    .force("charge", d3.forceManyBody().strength((each) => -14 - 3 * each.size).theta(1.1).distanceMax(420))
    .force("link", d3.forceLink(links).distance(34).strength((each) => 0.08 + each.strength / 220))
    .force("x", d3.forceX().strength(0.05))
    .force("y", d3.forceY().strength(0.05))
    .force("collide", d3.forceCollide((each) => each.size + 2))
    .stop();
  for (let tick = 1; tick <= TICKS; tick += 1) {
    simulation.tick();
    if (tick % 8 && tick !== TICKS) continue;
    const places = new Float32Array(nodes.length * 2);
    nodes.forEach((each, at) => { places[2 * at] = each.x; places[2 * at + 1] = each.y; });
    self.postMessage({ places, done: tick === TICKS }, [places.buffer]);
  }
};
