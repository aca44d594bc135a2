import { differs, excerpt } from "../../laws/difference.ts";
import { hasContent, isSuccess, law, type ViewLaw } from "../../laws/law.ts";
import { predicted } from "../../laws/predicted.ts";
import type { View } from "../../laws/view.ts";
import { visibleTextOf } from "./html.ts";
import { isLandingPage, showsSysinfo } from "./system.ts";

/** What the given document says of this service, and no single rule decides. */

const README = "README";
const isOf = (id: string) => (view: View) => view.operation?.id === id;
const isDocument = isOf("docs.get");

const namesReadme = (view: View) => {
  const { items } = view.object ?? {};
  const names = Array.isArray(items) ? items.map((item: unknown) => Object(item).name) : [];
  return names.includes(README) ? null : differs("body:/items", `an entry ${README}`, excerpt(view.text));
};

const showsVersion = (view: View) => {
  const text = visibleTextOf(view);
  const missing = ["Operational", view.contract.version].filter((word) => !text.includes(word));
  return missing.length === 0 ? null : differs("body", `${missing.join(" and ")} on the page`, excerpt(text));
};

export const givenLaws: readonly ViewLaw[] = [
  predicted("user.list/users", (view) => isOf("user.list")(view) && isSuccess(view)),
  predicted("docs.get/document", (view) => isDocument(view) && isSuccess(view) && view.place.endsWith(`.${README}`)),
  predicted("docs.get/by-name", (view) => isDocument(view) && !view.place.endsWith(`.${README}`)),
  law("docs.list/readme", (view) => isOf("docs.list")(view) && hasContent(view) && view.object !== null, namesReadme),
  law("landing/status-and-version", isLandingPage, showsVersion),
  law("landing/shows", isLandingPage, showsSysinfo),
];
