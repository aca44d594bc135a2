import { contract } from "../contract.ts";
import { createOracle } from "../oracle/predict.ts";
import { docsList } from "./docs-get/own.ts";
import { userCreate } from "./user-create/own.ts";

/** The oracle of this run's contract, with the rules that only one of its operations has. */
export const ours = createOracle(contract, [userCreate, docsList]);
