import { checksOf } from "../list.ts";
import { contractLaws } from "./contract.ts";
import { contractTags, others, robots, robotsTag, served, version } from "./list.ts";
import { referenceLaws } from "./reference.ts";

export const publishedLists = [
  ...checksOf(["contract/served"], served),
  ...checksOf(["contract/etag"], contractTags),
  ...checksOf(["contract/version"], version),
  ...checksOf(["http/robots"], robots),
  ...checksOf(["http/robots-etag"], robotsTag),
  ...checksOf(["reference/etag"], others),
];

export const publishedLaws = [...contractLaws, ...referenceLaws];
