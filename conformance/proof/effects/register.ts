import { newId } from "../../../src/server/index.ts";
import { isSame, lower, type Shape } from "./server.ts";

/** Entries in sections, with UUIDs. */
export const register: Shape = {
  name: "register",
  owner: "section",
  record: "entry",
  ownerId: "sectionId",
  unique: "title",
  text: "note",
  number: "copies",
  state: { member: "state", initial: "current" },
  moves: { retire: { from: ["current"], to: "retired" } },
  filters: {
    sectionId: ["sectionId", isSame],
    title: ["title", isSame],
    titlePart: ["title", (value: string, wanted: string) => value.includes(wanted)],
    titleStart: ["title", (value: string, wanted: string) => value.startsWith(wanted)],
    kind: ["kind", isSame],
    isPublic: ["isPublic", isSame],
    note: ["note", isSame],
    like: ["title", (value: string, wanted: string) => lower(value).includes(lower(wanted))],
  },
  order: ["shelf", "-isPublic", "id"],
  times: [],
  ignoresCase: true,
  newId,
  sample: (n) => ({
    title: `Other ${n} ${Math.random()}`,
    kind: "map",
    isPublic: n % 2 === 0,
    copies: n % 100,
    ...(n % 3 === 0 && { shelf: `s${n % 10}` }),
  }),
  // It is in the order of creation.
  otherId: () => newId(),
};
