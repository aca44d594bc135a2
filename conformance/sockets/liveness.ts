import type { Finding } from "../exchange.ts";
import { excerpt } from "../laws/difference.ts";
import { membersOf, type Schema } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { MissingPrecondition, type Script } from "../run/state.ts";
import { type SocketTestContext, withFields } from "./context.ts";
import {
  call,
  commandsOf,
  type Play,
  page,
  plainOf,
  post,
  queriesOf,
  script,
  simple,
  single,
} from "./requests.ts";

/** After any traffic, the deployment still works (D7, D13). */

const GARBAGE = ["\r\n", "\x00", "GET ", ":\r\n", "\xff".repeat(70)].map((bytes) =>
  bytes.repeat(1000),
);
const UPGRADE = Object.entries({
  Connection: "Upgrade",
  Upgrade: "h2c",
  "HTTP2-Settings": "AAMAAABkAAQAAP__",
});

/**
 * Bytes whose sender leaves without reading: requests and chunks that are cut, responses, and bytes
 * that are no request.
 */
function attacks(context: SocketTestContext): readonly Buffer[] {
  const { run } = context;
  const command = post(run);
  const whole = context.bytesOf(command, true);
  const padded = { ...command, body: command.body.padEnd(5000), framing: { chunks: [100] } };
  const chunked = context.bytesOf(padded, true);
  const large = context.bytesOf(page(run), false);
  return [
    ...[0, 1, 5, 40, -20, -5].map((end) => whole.subarray(0, end)),
    ...[-5, -100, -4000].map((end) => chunked.subarray(0, end)),
    Buffer.concat(Array.from({ length: 20 }, () => large)),
    ...GARBAGE.map((text) => Buffer.from(text, "latin1")),
    context.bytesOf(withFields(simple(run), ...UPGRADE), true),
  ];
}

/** A response may be missing, but none may have a 5xx status. */
async function leave(context: SocketTestContext, bytes: Buffer): Promise<readonly Finding[]> {
  const conversation = await context.send(bytes, { heads: [false], leaves: true });
  const index = conversation.responses.findIndex(({ status }) => status >= 500);
  const actual = `${conversation.responses[index]?.status}`;
  return index < 0
    ? []
    : [
        context.unlike("no fault of the server", bytes, conversation, {
          aspect: "status",
          actual,
          at: index,
        }),
      ];
}

const alive = (id: string, traffic: Play): Script =>
  script(id, "http/stays-alive", "hostile", async function* (context) {
    yield* traffic(context);
    yield* context.each(
      plainOf(context).filter(
        ({ method, target }) => method !== "HEAD" && target.startsWith("/api/?"),
      ),
    );
    const commands = commandsOf(context.run).slice(0, 1);
    yield* context.each(commands.map((one) => call(context.run, one)));
  });

/** Members that change later responses where a server copies them into its own objects. */
const POLLUTERS = [
  '"data":{"__proto__":{"polluted":"yes","status":299,"nextCursor":"polluted"}}',
  '"__proto__":{"polluted":"yes"},"data":{}',
  '"data":{"constructor":{"prototype":{"polluted":"yes"}}}',
  '"constructor":{"prototype":{"polluted":"yes"}},"data":{}',
];

async function* pollution(context: SocketTestContext) {
  const { run } = context;
  const [command] = commandsOf(run);
  if (!command) throw new MissingPrecondition("the contract has no command that this run may call");
  for (const members of POLLUTERS) {
    const polluting = { ...call(run, command), body: `{"@":"${command.name}",${members}}` };
    if (!context.allows(polluting))
      throw new MissingPrecondition("this run may not send the data of a command");
    const after = [...queriesOf(run).map((one) => call(run, one)), post(run)].filter(
      context.allows,
    );
    for (const request of [polluting, ...after]) {
      const exchange = await context.exchange(request);
      yield* context.compared(exchange, false);
      if (request !== polluting) context.exercised();
      const text = exchange.response?.body.toString("latin1") ?? "";
      const place = text.indexOf("polluted");
      if (request !== polluting && place >= 0)
        yield context.differs(
          exchange,
          "body",
          "no member of an earlier request",
          excerpt(text, place),
        );
    }
  }
}

/**
 * The longest right text of characters in four bytes, cut in chunks: a server that decodes each
 * chunk alone makes it too long.
 */
function textInPieces({ run, allows }: SocketTestContext): readonly Request[] {
  const texts = commandsOf(run).flatMap((command) => {
    const members = Object.entries(membersOf(run.suite.oracle.contract, command.schema));
    const isFree = ({ type, format, maxLength }: Schema) =>
      type === "string" && !format && maxLength !== undefined;
    const [free, { maxLength = 0 } = {}] = members.find(([, schema]) => isFree(schema)) ?? [];
    // The others are wrong: nothing is created.
    const data = members.map(
      ([name]) => [name, name === free ? "\u{1f600}".repeat(maxLength) : {}] as const,
    );
    const body = Buffer.from(
      JSON.stringify({ "@": command.name, data: Object.fromEntries(data) }),
    ).toString("latin1");
    return free === undefined || members.length < 2 ? [] : [{ ...call(run, command), body }];
  });
  const [request] = texts;
  if (!request) return [];
  const sizes = [1, 3, 5, 101].filter((size) => request.body.length / size <= 1024);
  return sizes.map((size) => ({ ...request, framing: { chunks: [size] } })).filter(allows);
}

export const stayingAlive: readonly Script[] = [
  alive("left", async function* (context) {
    for (let turn = 0; turn < 2; turn += 1)
      for (const bytes of attacks(context)) yield* await leave(context, bytes);
  }),
  alive("left at once", async function* (context) {
    const opening = Buffer.from(simple(context.run).target.replace(/^(.*=).*/s, "GET $1"));
    const all = await Promise.all(Array.from({ length: 50 }, () => leave(context, opening)));
    yield* all.flat();
  }),
  script("members that change later responses", "http/proto-member", "hostile", pollution),
  single("a text in pieces", "http/not-utf8", "read", textInPieces),
];
