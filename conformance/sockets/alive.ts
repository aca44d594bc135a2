import type { Finding } from "../exchange.ts";
import { excerpt } from "../laws/difference.ts";
import { membersOf, type Schema } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";
import { Lacking, type Script } from "../run/state.ts";
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
import { type Talk, withFields } from "./talk.ts";

/** After any traffic, the deployment still works (D7, D13). */

const GARBAGE = ["\r\n", "\x00", "GET ", ":\r\n", "\xff".repeat(70)].map((bytes) =>
  bytes.repeat(1000),
);
const UPGRADE = Object.entries({
  Connection: "Upgrade",
  Upgrade: "h2c",
  "HTTP2-Settings": "AAMAAABkAAQAAP__",
});

/** Bytes whose sender leaves without reading: requests and chunks that are cut, responses, and bytes that are no request. */
function attacks(talk: Talk): readonly Buffer[] {
  const { run } = talk;
  const command = post(run);
  const whole = talk.bytesOf(command, true);
  const padded = { ...command, body: command.body.padEnd(5000), framing: { chunks: [100] } };
  const chunked = talk.bytesOf(padded, true);
  const large = talk.bytesOf(page(run), false);
  return [
    ...[0, 1, 5, 40, -20, -5].map((end) => whole.subarray(0, end)),
    ...[-5, -100, -4000].map((end) => chunked.subarray(0, end)),
    ...[
      Buffer.concat(Array.from({ length: 20 }, () => large)),
      ...GARBAGE.map((text) => Buffer.from(text, "latin1")),
    ],
    talk.bytesOf(withFields(simple(run), ...UPGRADE), true),
  ];
}

/** A response may be missing, but none may have a 5xx status. */
async function leave(talk: Talk, bytes: Buffer): Promise<readonly Finding[]> {
  const conversation = await talk.send(bytes, { heads: [false], leaves: true });
  const at = conversation.responses.findIndex(({ status }) => status >= 500);
  const actual = `${conversation.responses[at]?.status}`;
  return at < 0
    ? []
    : [
        talk.unlike("no fault of the server", bytes, conversation, {
          aspect: "status",
          actual,
          at,
        }),
      ];
}

const alive = (id: string, traffic: Play): Script =>
  script(id, "http/stays-alive", "hostile", async function* (talk) {
    yield* traffic(talk);
    yield* talk.each(
      plainOf(talk).filter(
        ({ method, target }) => method !== "HEAD" && target.startsWith("/api/?"),
      ),
    );
    const commands = commandsOf(talk.run).slice(0, 1);
    yield* talk.each(commands.map((one) => call(talk.run, one)));
  });

/** Members that change later responses where a server copies them into its own objects. */
const POLLUTERS = [
  '"data":{"__proto__":{"polluted":"yes","status":299,"nextCursor":"polluted"}}',
  '"__proto__":{"polluted":"yes"},"data":{}',
  '"data":{"constructor":{"prototype":{"polluted":"yes"}}}',
  '"constructor":{"prototype":{"polluted":"yes"}},"data":{}',
];

async function* pollution(talk: Talk) {
  const { run } = talk;
  const [command] = commandsOf(run);
  if (!command) throw new Lacking("the contract has no command that this run may call");
  for (const members of POLLUTERS) {
    const polluting = { ...call(run, command), body: `{"@":"${command.name}",${members}}` };
    if (!talk.allows(polluting)) throw new Lacking("this run may not send the data of a command");
    const after = [...queriesOf(run).map((one) => call(run, one)), post(run)].filter(talk.allows);
    for (const request of [polluting, ...after]) {
      const exchange = await talk.exchange(request);
      yield* talk.compared(exchange, false);
      if (request !== polluting) talk.exercised();
      const text = exchange.response?.body.toString("latin1") ?? "";
      const place = text.indexOf("polluted");
      if (request !== polluting && place >= 0)
        yield talk.differs(
          exchange,
          "body",
          "no member of an earlier request",
          excerpt(text, place),
        );
    }
  }
}

/** The longest right text of characters in four bytes, cut in chunks: a server that decodes each chunk alone makes it too long. */
function textInPieces({ run, allows }: Talk): readonly Request[] {
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
  const [one] = texts;
  if (!one) return [];
  const sizes = [1, 3, 5, 101].filter((size) => one.body.length / size <= 1024);
  return sizes.map((size) => ({ ...one, framing: { chunks: [size] } })).filter(allows);
}

export const stayingAlive: readonly Script[] = [
  alive("left", async function* (talk) {
    for (let turn = 0; turn < 2; turn += 1)
      for (const bytes of attacks(talk)) yield* await leave(talk, bytes);
  }),
  alive("left at once", async function* (talk) {
    const opening = Buffer.from(simple(talk.run).target.replace(/^(.*=).*/s, "GET $1"));
    const all = await Promise.all(Array.from({ length: 50 }, () => leave(talk, opening)));
    yield* all.flat();
  }),
  script("members that change later responses", "http/proto-member", "hostile", pollution),
  single("a text in pieces", "http/not-utf8", "read", textInPieces),
];
