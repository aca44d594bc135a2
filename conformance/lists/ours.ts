import { contract } from "../contract.ts";
import { createOracle } from "../oracle/predict.ts";
import { docsList } from "./docs-get/own.ts";
import { sysinfo } from "./sysinfo/own.ts";
import { testHealth } from "./test-health/own.ts";
import { userCreate } from "./user-create/own.ts";

/** The oracle of this run's contract, with the rules that belong to a single operation. */
export const ours = createOracle(contract, [userCreate, docsList, sysinfo, testHealth]);
