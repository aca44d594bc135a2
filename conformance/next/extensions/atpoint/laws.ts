import type { Contract } from "../../../oracle/contract.ts";
import type { Law } from "../../exchange.ts";
import { lawsFrom } from "../../laws/law.ts";
import type { Views } from "../../laws/view.ts";
import { documentLaws } from "./documents.ts";
import { givenLaws } from "./given.ts";
import { publishedLaws } from "./published.ts";
import { referenceLaws } from "./reference.ts";
import { systemLaws } from "./system.ts";
import { userLaws } from "./users.ts";

/** What holds of the responses of this service alone: its users, documents, published files and pages. */
export const lawsOfAtpoint = (contract: Contract, views?: Views): readonly Law[] =>
  lawsFrom(
    contract,
    [...documentLaws, ...givenLaws, ...publishedLaws(), ...referenceLaws, ...systemLaws, ...userLaws],
    views,
  );
