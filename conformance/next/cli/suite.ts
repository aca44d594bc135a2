import { special } from "../../client/credentials.ts";
import { ours } from "../../lists/ours.ts";
import { FILES } from "../../models/model.ts";
import { lawsOf } from "../laws/index.ts";
import type { Suite } from "../run/options.ts";

/** The packaged contract, and what this service has of its own: as the old suite has it, until extensions are read. */
export const suite: Suite = {
  ...{ oracle: ours, laws: lawsOf(ours.contract), further: { paths: FILES, kinds: special } },
};
