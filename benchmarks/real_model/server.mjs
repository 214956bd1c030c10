// A chat-completions server with one slot around a GGUF model that was trained with ChatML.
//
//     node server.mjs MODEL.gguf PORT CONTEXT_TOKENS THREADS
//
// Like llama.cpp's own server: it says in /props that it has one slot, keeps what it read of the
// latest prompts, and stops between two batches if whoever asked has gone. It knows no
// response_format and refuses it.
import http from "node:http";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";

const BATCH = 128;
const KEPT_PROMPTS = 5; // persona, judgement and summary in turn, each in two languages
const WORTH_KEEPING = 300; // tokens two prompts must share for the later to take the other's place

const [path, port, contextTokens, threads] = process.argv.slice(2);
const llama = await getLlama({
  gpu: false,
  build: "never",
  logLevel: LlamaLogLevel.error,
  maxThreads: Number(threads),
});
const model = await llama.loadModel({ modelPath: path });
const context = await model.createContext({
  contextSize: Number(contextTokens),
  batchSize: BATCH,
  threads: Number(threads),
  sequences: KEPT_PROMPTS,
});
const kept = Array.from({ length: KEPT_PROMPTS }, () => ({ seq: context.getSequence(), used: 0 }));
const special = text => model.tokenize(text, true);
const plain = text => model.tokenize(text, false);

function promptOf(messages) {
  const said = messages.flatMap(({ role, content }) => [
    ...special("<|im_start|>"),
    ...plain(`${role}\n${content}`),
    ...special("<|im_end|>"),
    ...plain("\n"),
  ]);
  return [...said, ...special("<|im_start|>"), ...plain("assistant\n")];
}

function sharedLength(one, other) {
  let length = 0;
  while (length < one.length && length < other.length - 1 && one[length] === other[length]) length++;
  return length;
}

function placeFor(prompt) {
  const rated = kept.map(place => ({ place, shared: sharedLength(place.seq.contextTokens, prompt) }));
  const [best] = rated.toSorted((a, b) => b.shared - a.shared);
  const [oldest] = rated.toSorted((a, b) => a.place.used - b.place.used);
  return best.shared > WORTH_KEEPING ? best : oldest;
}

async function answer(body, isGone, say) {
  const prompt = promptOf(body.messages);
  const room = Number(contextTokens) - prompt.length;
  if (room <= 0) {
    const message = `This model's maximum context length is ${contextTokens} tokens.`;
    return { error: { message, code: "context_length_exceeded" } };
  }
  const { place, shared } = placeFor(prompt);
  const { seq } = place;
  place.used = Date.now();
  const held = seq.contextTokens.length;
  if (shared < held) await seq.eraseContextTokenRanges([{ start: shared, end: held }]);
  let read = shared;
  for (; prompt.length - read > BATCH; read += BATCH) {
    if (isGone()) return null;
    await seq.evaluateWithoutGeneratingNewTokens(prompt.slice(read, read + BATCH));
  }
  const most = Math.min(body.max_tokens ?? room, room);
  const made = [];
  let shown = "";
  const dials = { temperature: body.temperature ?? 0.7, topK: 40, topP: 0.95, seed: body.seed };
  for await (const token of seq.evaluate(prompt.slice(read), dials)) {
    if (isGone()) return null;
    made.push(token);
    const text = model.detokenize(made);
    if (!text.endsWith("\uFFFD")) {
      say(text.slice(shown.length)); // half a character is held back
      shown = text;
    }
    if (made.length >= most) break;
  }
  const usage = {
    prompt_tokens: prompt.length,
    completion_tokens: made.length,
    total_tokens: prompt.length + made.length,
    prompt_tokens_details: { cached_tokens: shared },
  };
  return { finish: made.length >= most ? "length" : "stop", usage };
}

let turn = Promise.resolve();

function complete(body, response, refuse) {
  let isGone = false;
  response.on("close", () => (isGone = true));
  const send = event => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${event === "[DONE]" ? event : JSON.stringify(event)}\n\n`);
  };
  const choice = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
  turn = turn
    .then(async () => {
      if (isGone) return;
      const made = await answer(body, () => isGone, text => send(choice({ content: text })));
      if (made?.error) refuse(400, made.error);
      if (!made?.usage) return;
      send(choice({}, made.finish));
      if (body.stream_options?.include_usage) send({ choices: [], usage: made.usage });
      send("[DONE]");
      response.end();
    })
    .catch(error => refuse(500, { message: String(error) }));
}

http
  .createServer((request, response) => {
    const tell = (status, value) => {
      if (!response.headersSent) response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const refuse = (status, error) => tell(status, { error });
    if (request.url === "/props") return tell(200, { total_slots: 1 });
    if (request.url === "/v1/models") return tell(200, { data: [{ id: "model" }] });
    if (request.url !== "/v1/chat/completions") return refuse(404, { message: "not found" });
    let text = "";
    request.on("data", part => (text += part));
    request.on("end", () => {
      const body = JSON.parse(text);
      if (body.response_format) return refuse(400, { message: "response_format is not supported" });
      complete(body, response, refuse);
    });
  })
  .listen(Number(port), "127.0.0.1");
