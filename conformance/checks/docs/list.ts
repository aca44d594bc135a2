import { expectSuccess, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { toJudge } from "../probe.ts";
import { getDocument, knownNames } from "./document.ts";

/** `docs.list`: the entries, and that each is what the list says (D30, D31). */
export const docsList = [
  check("docs.list/items", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    for (const { name, operation } of toJudge(items, "entry of docs.list")) {
      if (operation !== `docs.get.${name}`) fail("body", `the operation docs.get.${name}`, operation);
    }
  }),
  check("docs.list/entries", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    const names = items.map(({ name }) => name);
    const missing = knownNames.filter((name) => !names.includes(name));
    if (missing.length > 0) fail("body", `the entries ${knownNames.join(", ")}`, `no ${missing.join(", no ")}`);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    if (twice.length > 0) fail("body", "each entry once", `${twice.join(", ")} more than once`);
  }),
  check("docs.list/each-there", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    for (const { name, title, mediaType, operation } of toJudge(items, "entry of docs.list")) {
      const document = expectSuccess(await api.call(operation, { credentials: "none" }), "docs.get");
      for (const [member, listed] of Object.entries({ name, title, mediaType })) {
        const there = document[member as "name" | "title" | "mediaType"];
        if (there !== listed)
          fail("body", `${operation} with the ${member} of the list, ${JSON.stringify(listed)}`, JSON.stringify(there));
      }
    }
  }),
  check("docs.list/size", {}, async (api) => {
    const { items } = expectSuccess(await api.call("docs.list"), "docs.list");
    for (const { name, size } of toJudge(items, "entry of docs.list")) {
      const { length } = (await getDocument(api, name, { accept: "text/markdown" })).body;
      if (size !== length) fail("body", `${name} with the size of its Markdown, ${length}`, `size ${size}`);
    }
  }),
];
