// What operations do to records, in the words of the reference.
import { schemaRef } from "./openapi.ts";

/** As `contract.json` has it: `effectsOf` of the library. */
export interface Effects {
  readonly effect?: { readonly kind: string; readonly resource: string; readonly key?: string };
  readonly filters?: Readonly<Record<string, { readonly member: string; readonly match: string }>>;
  readonly order?: readonly { readonly member: string; readonly descending: boolean }[];
  readonly requires?: Readonly<
    Record<string, { readonly resource: string; readonly code: string }>
  >;
  readonly state?: {
    readonly member: string;
    readonly from: readonly string[];
    readonly to: string;
    readonly code: string;
  };
}

const MATCHES: Readonly<Record<string, string>> = {
  equal: "exactly",
  oneOf: "by one of several values",
  atLeast: "from this value on",
  atMost: "up to this value",
  before: "before this value",
  contains: "by a part of it, in its exact case",
  startsWith: "by its beginning, in its exact case",
  opaque: "in a way that is not stated",
};

const code = (text: string) => `\`${text}\``;

/** A sentence for each fact that its summary does not say. `link`: a link by a reference. */
export function effectSentences(
  { effect, filters = {}, order, requires = {}, state }: Effects,
  link: (reference: string) => string,
): readonly string[] {
  const linkTo = (resource: string) => link(schemaRef(resource));
  const named = effect?.key === undefined ? "" : ` that ${code(effect.key)} names`;
  const ordered = order?.map(({ member, descending }) =>
    descending ? `${code(member)} descending` : code(member),
  );
  return [
    ...(effect?.kind === "updates"
      ? [
          `Changes the ${linkTo(effect.resource)}${named}: ` +
            "what is sent is replaced, null removes it, and all else stays.",
        ]
      : []),
    ...Object.entries(filters).map(
      ([name, { member, match }]) =>
        `${code(name)} filters by ${code(member)}, ${MATCHES[match] ?? match}.`,
    ),
    ...(ordered ? [`In the order of ${ordered.join(", ")}.`] : []),
    ...Object.entries(requires).map(
      ([member, { resource, code: absent }]) =>
        `${code(member)} names a ${linkTo(resource)}; without one the code is ${code(absent)}.`,
    ),
    ...(state
      ? [
          `${code(state.member)} must be ${state.from.map(code).join(" or ")}, and is then ` +
            `${code(state.to)}; otherwise the code is ${code(state.code)}.`,
        ]
      : []),
  ];
}
