import type { Contract } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { field, type Mutation, mutation, words } from "./draft.ts";

/**
 * The head of a request: its limits (D13), its host, its framing, and the forms of a target (D11;
 * RFC 9112, 3.2).
 */

type Whole = (request: Request) => Request;

/** As it is sent, so that its size can be counted. */
const complete: Whole = (request) => ({
  ...request,
  fields: [
    ...request.fields,
    ["Connection", "close"],
    ...(request.body ? [["Content-Length", `${request.body.length}`] as const] : []),
  ],
});
const sized = (name: string, change: Whole) =>
  mutation("size", name, (draft) => void draft.whole.push((all) => change(complete(all))));
const bytesOf = ({ fields }: Request) =>
  fields.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);

/** Names of fields in other letter case. */
export const spellings = (name: string): readonly string[] => [
  name.toLowerCase(),
  name.toUpperCase(),
  name.replace(/[a-z]/gi, (text, index: number) =>
    /(?:^|-)$/.test(name.slice(0, index)) ? text.toLowerCase() : text.toUpperCase(),
  ),
];

const HOSTS = [
  "",
  "a b",
  "a/b",
  "[::1]",
  "[::1]:80",
  "localhost:",
  "a.example:80",
  "a.example:x",
  "a@b",
  "a,b",
  "[::1",
  "a_b",
  "%61",
  "%zz",
  "a\xe9",
];
const EXPECTATIONS =
  "100-continue|100-Continue|100-continuex|x100-continue|100-continue, x|x|".split("|");

export const head = ({
  limits: { targetBytes, headBytes, headFields },
}: Contract): readonly Mutation[] => [
  ...[0, 1, -1, 2, -targetBytes / 2, targetBytes].map((n) =>
    sized(`target of the limit and ${n}`, (request) => ({
      ...request,
      target: (request.target + (request.target.includes("?") ? "&" : "?")).padEnd(
        targetBytes + n,
        "&",
      ),
    })),
  ),
  ...[0, 1, -1, 2, -headFields / 2 + 1, -headFields / 2, 2000].map((n) =>
    sized(`fields of the limit and ${n}`, (request) => {
      const added = Math.max(0, headFields + n - request.fields.length);
      return {
        ...request,
        fields: [
          ...request.fields,
          ...Array.from({ length: added }, (_, at) => [`X-${at}`, "x"] as const),
        ],
      };
    }),
  ),
  ...[0, 1, 2, -headBytes / 2, -headBytes / 2 + 1, headBytes].map((n) =>
    sized(`head of the limit and ${n}`, (request) => {
      const pad = "x".repeat(Math.max(1, headBytes + n - bytesOf(request) - "X-Pad: \r\n".length));
      return { ...request, fields: [...request.fields, ["X-Pad", pad]] };
    }),
  ),
  sized("length with leading zeros", (request) => ({
    ...request,
    fields: request.fields.map(([name, value]) => [
      name,
      name === "Content-Length" ? `000${value}` : value,
    ]),
  })),
  mutation("version", "HTTP/1.0", (draft) => {
    draft.version = "1.0";
  }),
  ...field("Host", [...HOSTS, [], ["a.example", "a.example"]]),
  mutation("Host", "hOST", (draft) => {
    draft.fields = draft.fields.map(([name, value]) => [name === "Host" ? "hOST" : name, value]);
  }),
  ...["Transfer-Encoding", ...spellings("Transfer-Encoding")].flatMap((as) => field(as, ["gzip"])),
  ...["Content-Length", ...spellings("Content-Length")].flatMap((as) => field(as, ["x"])),
  ...field("Expect", [...EXPECTATIONS, ["100-continue", "100-continue"]]),
  ...spellings("Expect").flatMap((as) => field(as, ["x"])),
  ...words("http://~ HTTP://~ https://~ http://[::1] https://[::1 http:// ftp://a x a://").map(
    (text) =>
      mutation("target", `${text} before the target`, (draft) => {
        const host = draft.fields.find(([name]) => /^host$/i.test(name))?.[1] ?? "a";
        draft.whole.push((all) => ({ ...all, target: text.replace("~", () => host) + all.target }));
      }),
  ),
  ...["*", "api/", "/\xe9", "?@=x", "a.example:80"].map((text) =>
    mutation(
      "target",
      `target ${text.replace("\xe9", "\\u00e9")}`,
      (draft) => void draft.whole.push((all) => ({ ...all, target: text })),
    ),
  ),
];
