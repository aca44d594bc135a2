import { caught } from "../../caught.ts";
import type { Context, Defect, ProxyRequest } from "../../defect.ts";
import { header, queryOf } from "../../look.ts";
import { respondProblem, withJson } from "../../shape.ts";
import { connect } from "../../upstream.ts";

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/alive-${id}`,
    description,
    variants.map((name) => `http/stays-alive#${name}`),
    reason,
    hooks,
  );

const die = ({ state }: Pick<Context, "state">) => void state.set("dead", true);

/** Breaks at a request, and answers nothing well afterwards. */
const diesOf = (holds: (request: ProxyRequest) => boolean): Hooks => ({
  request: (request, context) => {
    if (holds(request)) die(context);
    return context.state.has("dead") ? respondProblem(503, "shutting-down") : request;
  },
});
const breaksAt = (holds: (request: ProxyRequest) => boolean): Hooks => ({
  request: (request) => (holds(request) ? respondProblem(500, "internal-error") : request),
});

const latin1 = ({ body }: ProxyRequest) => body.toString("latin1");
const isDeep = (request: ProxyRequest) => /(?:\[|\{"[^"]*":){1000}/.test(latin1(request).slice(0, 10_000));
const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];

export const aliveDefects: readonly Defect[] = [
  defect(
    "gone-clients",
    "Breaks when a client goes away before its answer.",
    ["half-requests", "aborted-chunks", "many-connections", "aborted-answers", "garbage"],
    /200|503|status/,
    {
      socket: (client, { state }) => {
        client.once("end", () => {
          if (client.bytesWritten === 0) die({ state });
        });
        return false;
      },
      ...diesOf(() => false),
    },
  ),
  defect("half-users", "Creates the user of a request whose client has gone.", ["aborted-create"], /409|201/, {
    // The next request waits for it: which of them comes first must not depend on how fast the target is.
    request: async (request, { state }) => {
      await state.get("creating");
      return request;
    },
    socket: (client, { target, state }) => {
      const chunks: Buffer[] = [];
      client.on("data", (chunk: Buffer) => chunks.push(chunk));
      client.once("end", () => {
        const bytes = Buffer.concat(chunks);
        // A whole body ends with the braces of `data` and of itself.
        if (!bytes.includes("user.create") || bytes.toString().endsWith("}}")) return;
        const upstream = connect(target).on("error", () => {});
        upstream.write(Buffer.concat([bytes, Buffer.from("}")]));
        upstream.on("data", () => upstream.destroy());
        state.set("creating", new Promise((resolve) => upstream.on("close", resolve)));
      });
      return false;
    },
  }),
  defect("depth", "Breaks at deep JSON.", ["deep-json"], /fault of the server/, breaksAt(isDeep)),
  defect("depth-for-good", "Never comes back from deep JSON.", ["deep-json"], /fault|200/, diesOf(isDeep)),
  defect("pollution", "Lets a body change all objects.", ["hostile-json"], /as documented/, {
    answer: (answer, request, { state }) => {
      if (request.method === "POST" && latin1(request).includes("__proto__")) state.set("polluted", true);
      return state.has("polluted") && answer.status === 200
        ? withJson(answer, (json) => ({ ...json, polluted: true }))
        : answer;
    },
  }),
  defect(
    "no-object",
    "Breaks at a body that is no object.",
    ["hostile-json"],
    /fault of the server/,
    breaksAt((request) => latin1(request) === "null"),
  ),
  defect(
    "surrogates",
    "Breaks at half a character.",
    ["hostile-json"],
    /fault of the server/,
    breaksAt((request) => latin1(request).includes("\\ud800")),
  ),
  defect(
    "bytes",
    "Breaks at bytes that are no text.",
    ["bytes-in-bodies"],
    /fault of the server/,
    breaksAt((request) => /[\xc0\xff]/.test(latin1(request))),
  ),
  defect(
    "nul",
    "Breaks at a NUL.",
    ["bytes-in-bodies"],
    /fault of the server/,
    breaksAt((request) => latin1(request).includes("\0")),
  ),
  defect(
    "prototype",
    "Looks operations up in an object.",
    ["hostile-queries"],
    /fault of the server/,
    breaksAt((request) => names.includes(queryOf(request).get("@") ?? "")),
  ),
  defect(
    "repeated",
    "Breaks at a parameter that is repeated.",
    ["hostile-queries"],
    /fault of the server/,
    breaksAt((request) => queryOf(request).getAll("@").length > 1),
  ),
  defect(
    "cursor",
    "Hands a cursor to the storage as it is.",
    ["hostile-queries"],
    /fault of the server/,
    breaksAt((request) => (queryOf(request).get("cursor") ?? "").includes("'")),
  ),
  defect(
    "key-bytes",
    "Breaks at a key that is no text.",
    ["hostile-headers"],
    /fault of the server/,
    breaksAt((request) => /[\x80-\xff]/.test(header(request, "X-API-KEY") ?? "")),
  ),
  defect(
    "range",
    "Breaks at many ranges.",
    ["hostile-headers"],
    /fault of the server/,
    breaksAt((request) => (header(request, "Range")?.length ?? 0) > 100),
  ),
  defect(
    "upgrade",
    "Hands an upgrade to nobody.",
    ["hostile-headers"],
    /fault|200/,
    diesOf((request) => header(request, "Upgrade") !== null),
  ),
  defect(
    "entity-tags",
    "Breaks at a long list of entity tags.",
    ["hostile-headers"],
    /fault of the server/,
    breaksAt((request) => (header(request, "If-None-Match")?.length ?? 0) > 1000),
  ),
  defect("garbage", "Breaks at what is no request.", ["garbage"], /200|503|status/, {
    ...diesOf(() => false),
    unreadable: (_bytes, context) => {
      die(context);
      return null;
    },
  }),
  defect(
    "small-chunks",
    "Counts chunks.",
    ["one-byte-chunks"],
    /422/,
    breaksAt((request) => request.rawBytes.length > request.body.length * 3 && request.body.length > 1000),
  ),
  defect("small-segments", "Wants a request line in one segment.", ["one-byte-segments"], /an answer/, {
    socket: (client) => {
      client.once("data", (first: Buffer) => {
        if (!first.includes("\r\n")) client.destroy();
      });
      return false;
    },
  }),
];
