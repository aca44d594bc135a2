import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { field, type Mutation, mutation, setField } from "../requests/draft.ts";
import type { NamedRequest } from "./catalog.ts";
import { byHead, chosen, type Step, type Thread } from "./steps.ts";

/** Threads about representations, and what is the same for every file and query. */

/** The number of content codings, from the first of their table, that are tried in each order. */
const COMMON_CODINGS = 8;

/**
 * What is kept of a representation in one coding is not for those who take another, or none: in
 * both orders.
 */
export const coded: Thread = ({ catalog, nth }) =>
  (nth === 2 ? catalog.conditional : []).flatMap((operation) => {
    const plain: Step = { operation, isKept: false, ...chosen(catalog.callers) };
    // Another target, which no other request has: here it is read with the field first.
    const mutations = (catalog.benignMutations.get(operation) ?? []).filter(
      ({ dimension }) => dimension === "query",
    );
    return (catalog.codingMutations.get(operation) ?? []).flatMap((row, index): Step[] =>
      index >= COMMON_CODINGS
        ? [{ ...plain, rows: [row] }]
        : [
            { ...plain, rows: [...mutations, row] },
            { ...plain, rows: mutations },
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
export const represented: Thread = ({ catalog, nth }) => {
  if (nth !== 0) return [];
  const how = { isKept: true, ...chosen(catalog.callers) };
  const asking = ({ operation, row }: NamedRequest, ...mutations: readonly Mutation[]): Step => ({
    operation,
    ...how,
    rows: [row, ...mutations],
  });
  const typesOf = (operation: Operation) => field("Accept", mediaTypesOf(operation));
  const types = catalog.conditional.flatMap((operation) =>
    typesOf(operation).map((one) => asking({ operation, row: one })),
  );
  const files = catalog.files.map((file) => asking(file));
  const codings = [[], ...field("Accept-Encoding", CODINGS).map((one) => [one])];
  const each = [...types, ...files].flatMap((step) =>
    codings.flatMap((coding) => {
      const asked = { ...step, rows: [...step.rows, ...coding] };
      const again: Step = { ...asked, isConditional: true };
      // The tag of another coding first.
      return [...(coding.length === 1 ? [again] : []), asked, byHead(asked), again, byHead(again)];
    }),
  );
  const loaded = catalog.loaded.map((file) => asking(file));
  const ofLoaded = loaded.flatMap((step) =>
    codings.flatMap((coding) =>
      [step, byHead(step)].map((asked) => ({ ...asked, rows: [...asked.rows, ...coding] })),
    ),
  );
  const copies = types
    .slice(0, 1)
    .flatMap((step) => [
      step,
      ...COPIES.map((copies): Step => ({ ...step, isConditional: true, copies })),
    ]);
  const known = catalog.known.flatMap((namedRequest) =>
    typesOf(namedRequest.operation).map((type) => asking(namedRequest, type)),
  );
  return [...each, ...ofLoaded, ...copies, ...known];
};

const PREFLIGHT = mutation("method", "a preflight", (draft) => {
  draft.method = "OPTIONS";
  setField(draft, "Origin", ["https://app.example"]);
  setField(draft, "Access-Control-Request-Method", ["GET"]);
});
const OPTIONS = mutation("method", "OPTIONS", (draft) => {
  draft.method = "OPTIONS";
});
const ANY_COPY = mutation("If-None-Match", "any copy", (draft) =>
  setField(draft, "If-None-Match", ["*"]),
);
/** What a file, and what OPTIONS, does not read. */
const UNREAD = [
  mutation("query", "?%zz", (draft) => void draft.query.push("a=%zz")),
  mutation("X-API-KEY", "X-API-KEY twice", (draft) => setField(draft, "X-API-KEY", ["a", "b"])),
  ...field("X-Forwarded-Prefix", ["/elsewhere"]),
  ...field("X-Forwarded-Host", ["elsewhere.example"]),
];

/** Each file, and each query, in the ways that are the same for all of them. */
export const everywhere: Thread = ({ catalog, nth }) => {
  if (nth !== 2) return [];
  const how = { isKept: true, ...chosen(catalog.callers) };
  const queries = [...catalog.queries, ...catalog.lists.map(({ operation }) => operation)].map(
    (operation) => ({
      operation,
      ...how,
    }),
  );
  const files = catalog.files.map(({ operation, row }) => ({
    operation,
    ...how,
    rows: [row],
  }));
  const first = queries.find(({ operation }) => operation.auth) ?? queries[0];
  const faults = first ? [...(catalog.faults.get(first.operation)?.values() ?? [])] : [];
  return [
    ...[...queries, ...files].flatMap((step): readonly Step[] => {
      const copy = { ...step, rows: [...step.rows, ANY_COPY] };
      return [
        copy,
        byHead(copy),
        { ...step, rows: [...step.rows, PREFLIGHT] },
        { ...step, rows: [...step.rows, OPTIONS] },
      ];
    }),
    ...files.flatMap((one) => UNREAD.map((unread) => ({ ...one, rows: [...one.rows, unread] }))),
    ...(first ? [...faults, ...UNREAD].map((fault) => ({ ...first, rows: [fault, OPTIONS] })) : []),
    ...files.flatMap((step) => {
      const inJson = { ...step, rows: [...step.rows, ...field("Accept", ["application/json"])] };
      return [inJson, byHead(inJson)];
    }),
    ...catalog.conditional.flatMap((operation) =>
      [...(catalog.faults.get(operation)?.values() ?? [])].map((fault) => ({
        operation,
        ...how,
        rows: [ANY_COPY, fault],
      })),
    ),
  ];
};
