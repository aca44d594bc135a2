import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { field, row, setField, type Variation } from "../requests/draft.ts";
import type { Asked } from "./space.ts";
import { byHead, chosen, type Step, type Thread } from "./steps.ts";

/** Threads about representations, and what is the same for every file and query. */

/** Of the rows of codings, those that come first are tried in each order. */
const COMMON_CODINGS = 8;

/** What is kept of a representation in one coding is not for those who take another, or none: in both orders. */
export const coded: Thread = ({ space, nth }) =>
  (nth === 2 ? space.conditional : []).flatMap((operation) => {
    const plain: Step = { operation, isKept: false, ...chosen(space.callers) };
    // Another target, which no other request has: here it is read with the field first.
    const other = (space.calm.get(operation) ?? []).filter(({ part }) => part === "query");
    return (space.coded.get(operation) ?? []).flatMap((row, at): Step[] =>
      at >= COMMON_CODINGS
        ? [{ ...plain, rows: [row] }]
        : [
            { ...plain, rows: [...other, row] },
            { ...plain, rows: other },
            plain,
            { ...plain, rows: [row] },
          ],
    );
  });

const CODINGS = ["gzip", "br"];

/** A tag in lists of each legal form (RFC 9110, 5.6.1, 8.8.3 and 13.1.2). */
const COPIES: readonly ((tag: string) => string)[] = [
  (tag) => `"a,b", ${tag}`,
  (tag) => `"a" ,\t${tag}\t, "b"`,
  (tag) => `, ,${tag},`,
  (tag) => `"", ${tag}`,
  (tag) => `"\xe9", W/${tag}`,
  (tag) => `W/"a", W/${tag}`,
  (tag) => `"a,${tag.replaceAll('"', "")},b"`,
  (tag) => (tag.toUpperCase() === tag ? tag.toLowerCase() : tag.toUpperCase()),
  (tag) => tag.replace(/.(?="$)/, ""),
];

/** Every representation that there is, in every form of request: their responses agree. */
export const represented: Thread = ({ space, nth }) => {
  if (nth !== 0) return [];
  const how = { isKept: true, ...chosen(space.callers) };
  const asking = ({ operation, row: one }: Asked, ...more: readonly Variation[]): Step => ({
    ...{ operation, ...how, rows: [one, ...more] },
  });
  const typesOf = (operation: Operation) => field("Accept", mediaTypesOf(operation));
  const types = space.conditional.flatMap((operation) =>
    typesOf(operation).map((one) => asking({ operation, row: one })),
  );
  const files = space.files.map((file) => asking(file));
  const codings = [[], ...field("Accept-Encoding", CODINGS).map((one) => [one])];
  const each = [...types, ...files].flatMap((one) =>
    codings.flatMap((coding) => {
      const asked = { ...one, rows: [...one.rows, ...coding] };
      const again: Step = { ...asked, isConditional: true };
      // The tag of another coding first.
      return [...(coding.length === 1 ? [again] : []), asked, byHead(asked), again, byHead(again)];
    }),
  );
  const loaded = space.loaded.map((file) => asking(file));
  const ofLoaded = loaded.flatMap((one) =>
    codings.flatMap((coding) =>
      [one, byHead(one)].map((asked) => ({ ...asked, rows: [...asked.rows, ...coding] })),
    ),
  );
  const copies = types
    .slice(0, 1)
    .flatMap((one) => [
      one,
      ...COPIES.map((copies): Step => ({ ...one, isConditional: true, copies })),
    ]);
  const known = space.known.flatMap((one) =>
    typesOf(one.operation).map((type) => asking(one, type)),
  );
  return [...each, ...ofLoaded, ...copies, ...known];
};

const PREFLIGHT = row("method", "a preflight", (draft) => {
  draft.method = "OPTIONS";
  setField(draft, "Origin", ["https://app.example"]);
  setField(draft, "Access-Control-Request-Method", ["GET"]);
});
const OPTIONS = row("method", "OPTIONS", (draft) => {
  draft.method = "OPTIONS";
});
const ANY_COPY = row("If-None-Match", "any copy", (draft) =>
  setField(draft, "If-None-Match", ["*"]),
);
/** What a file, and what OPTIONS, does not read. */
const UNREAD = [
  row("query", "?%zz", (draft) => void draft.query.push("a=%zz")),
  row("X-API-KEY", "X-API-KEY twice", (draft) => setField(draft, "X-API-KEY", ["a", "b"])),
  ...field("X-Forwarded-Prefix", ["/elsewhere"]),
  ...field("X-Forwarded-Host", ["elsewhere.example"]),
];

/** Each file, and each query, in the ways that are the same for all of them. */
export const everywhere: Thread = ({ space, nth }) => {
  if (nth !== 2) return [];
  const how = { isKept: true, ...chosen(space.callers) };
  const queries = [...space.queries, ...space.lists.map(({ operation }) => operation)].map(
    (operation) => ({
      ...{ operation, ...how },
    }),
  );
  const files = space.files.map(({ operation, row: one }) => ({ operation, ...how, rows: [one] }));
  const first = queries.find(({ operation }) => operation.auth) ?? queries[0];
  const faults = first ? [...(space.faults.get(first.operation)?.values() ?? [])] : [];
  return [
    ...[...queries, ...files].flatMap((one): readonly Step[] => {
      const copy = { ...one, rows: [...one.rows, ANY_COPY] };
      return [
        copy,
        byHead(copy),
        { ...one, rows: [...one.rows, PREFLIGHT] },
        { ...one, rows: [...one.rows, OPTIONS] },
      ];
    }),
    ...files.flatMap((one) => UNREAD.map((unread) => ({ ...one, rows: [...one.rows, unread] }))),
    ...(first ? [...faults, ...UNREAD].map((fault) => ({ ...first, rows: [fault, OPTIONS] })) : []),
    ...files.flatMap((one) => {
      const inJson = { ...one, rows: [...one.rows, ...field("Accept", ["application/json"])] };
      return [inJson, byHead(inJson)];
    }),
    ...space.conditional.flatMap((operation) =>
      [...(space.faults.get(operation)?.values() ?? [])].map((fault) => ({
        ...{ operation, ...how, rows: [ANY_COPY, fault] },
      })),
    ),
  ];
};
