import type { Contract } from "../oracle/contract.ts";
import type { Framing } from "../oracle/model-state.ts";
import { type Mutation, mutation, setField } from "./draft.ts";
import { spellings } from "./head.ts";

/**
 * Bodies in chunks (RFC 9112, 7.1), which say the same as bodies with a length. Sizes in turn
 * average 16 bytes or more, however long the body is that another row makes: fewer need not pass
 * (D13, body pieces).
 */

/**
 * No blanks around the `;` and `=` of an extension: a recipient should remove them, and Node's
 * parser rejects them.
 */
const EXTENSIONS = [";a", ";a=b", ';a="b;c"', ';a="\\"b"', ";a;b=c", `;${"a".repeat(200)}`];

/**
 * The coding is a field like any other: what is rejected with it, or counts it, is decided by it.
 */
const chunked = (
  name: string,
  framing: Framing,
  length: number | null = null,
  coding = ["Transfer-Encoding", "chunked"],
) =>
  mutation("size", `in chunks: ${name}`, (draft) => {
    const [field = "", value = ""] = coding;
    setField(draft, field, [value]);
    if (length !== null) draft.bytes.push((body) => body.padEnd(length));
    draft.whole.push((request) => ({ ...request, framing }));
  });

/** Sizes with a letter, of one digit and of two. */
const chunks = [10, 31];

export const framing = ({ limits: { bodyBytes } }: Contract): readonly Mutation[] => [
  chunked("all in one", { chunks: [2 * bodyBytes] }),
  chunked("of one byte and of many", { chunks: [...Array<number>(8).fill(1), 4096] }),
  chunked("several", { chunks }),
  chunked("sizes in capitals", { chunks, digits: "in capitals" }),
  chunked("sizes with leading zeros", { chunks, digits: "with leading zeros" }),
  ...EXTENSIONS.map((extensions) =>
    chunked(`extensions ${extensions.length > 20 ? "of 200 characters" : extensions}`, {
      chunks,
      extensions,
    }),
  ),
  chunked("a trailer", { chunks, trailers: [["X-Trailer", "x"]] }),
  // No length: no client may send it there (RFC 9110, 6.5.1), and parsers reject it.
  chunked("trailers that look like others", {
    chunks,
    trailers: ["Host", "Content-Type", "Accept", "X-Request-Id"].map((name) => [name, "x"]),
  }),
  ...["Chunked", "CHUNKED", "chunkeD"].map((coding) =>
    chunked(`coding ${coding}`, { chunks }, null, ["Transfer-Encoding", coding]),
  ),
  ...spellings("Transfer-Encoding").map((name) =>
    chunked(`field ${name}`, { chunks }, null, [name, "chunked"]),
  ),
  ...[0, 1].flatMap((n) => [
    chunked(`all in one, of the limit and ${n}`, { chunks: [2 * bodyBytes] }, bodyBytes + n),
    chunked(`several, of the limit and ${n}`, { chunks: [1000, 24] }, bodyBytes + n),
  ]),
];
