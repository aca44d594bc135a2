import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { commands, paged, simplest } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { contract } from "../../contract.ts";
import { membersOf, type Operation } from "../../oracle/contract.ts";
import { type Check, check } from "../check.ts";
import { judgeLetIn } from "../credentials/calls.ts";
import { answered, credentialFields, inEach, JSON_TYPE, reach } from "../probe.ts";

/** Checks of a body that one plain request cannot show: how it arrives, its effect on later requests (D7). The rest is a list. */

const harmless = ({ name }: Operation) => JSON.stringify({ "@": name, data: {} });
const post = (api: Api, { id }: Operation, body: string) => api.call(id, { body });

function inChunksOf(bytes: Buffer, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

const polluters = ({ name }: Operation) =>
  [
    '"data":{"__proto__":{"polluted":"yes","status":299,"nextCursor":"polluted"}}',
    '"__proto__":{"polluted":"yes"},"data":{}',
    '"data":{"constructor":{"prototype":{"polluted":"yes"}}}',
    '"constructor":{"prototype":{"polluted":"yes"}},"data":{}',
  ].map((members) => `{"@":"${name}",${members}}`);

async function expectClean(api: Api, command: Operation): Promise<void> {
  const asked: (readonly [Operation, Reply])[] = [];
  for (const one of [simplest, ...paged]) asked.push([one, await reach(api, one)]);
  asked.push([command, await post(api, command, harmless(command))]);
  for (const [, reply] of asked)
    if (reply.text.includes("polluted"))
      fail("body", "responses without the members of an earlier request", describe(reply), reply);
  for (const [one, reply] of asked) judgeLetIn(reply, one);
}

/** A member of a command that takes any text up to a length, and the others of its input, each with a wrong value. */
const texts = commands.flatMap((command) => {
  const members = Object.entries(membersOf(contract, command.schema));
  return members.flatMap(([member, { type, format, maxLength }]) => {
    const wrong = Object.fromEntries(members.flatMap(([name]) => (name === member ? [] : [[name, {}]])));
    const isFree = type === "string" && format === undefined && maxLength !== undefined;
    return isFree && Object.keys(wrong).length > 0 ? [{ command, member, maxLength, wrong }] : [];
  });
});

export const body: readonly Check[] = [
  ...texts.slice(0, 1).map(({ command, member, maxLength, wrong }) =>
    check("http/not-utf8#in-pieces", {}, async (api) => {
      // The longest valid text: a server that decodes a split character as two makes it too long.
      const data = { ...wrong, [member]: "\u{1f600}".repeat(maxLength) };
      const rejected = Object.keys(wrong).map((name) => `#/data/${name}`);
      const bytes = Buffer.from(JSON.stringify({ "@": command.name, data }));
      const fields = [...credentialFields(api), JSON_TYPE] as const;
      await inEach([1, 3, 5, 101], async (size) => {
        const headers = [...fields, ["Transfer-Encoding", "chunked"] as const];
        const request = { method: "POST", target: api.path("/api/"), headers, body: inChunksOf(bytes, size) };
        const reply = answered(await api.raw(api.rawRequest(request)), `a body in chunks of ${size} bytes`);
        const { errors } = expectProblem(reply, 422, "invalid-input");
        if (errors.some(({ pointer }) => !rejected.includes(String(pointer))))
          fail(
            "body:/errors",
            `a ${member} of ${maxLength} code points accepted`,
            excerpt(JSON.stringify(errors)),
            reply,
          );
      });
    }),
  ),
  ...commands.slice(0, 1).map((command) =>
    check("http/proto-member#changes-no-later-answer", { effect: "hostile" }, (api) =>
      inEach(polluters(command), async (text) => {
        expectStatus(await post(api, command, text), 400, 422);
        await expectClean(api, command);
      }),
    ),
  ),
];
