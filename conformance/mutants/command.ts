import { mutants } from "./index.ts";
import { writeMatrix } from "./matrix.ts";
import { record } from "./record.ts";
import { senders } from "./trial.ts";

const started = performance.now();
const only = new RegExp(process.argv[2] ?? "");
const matrix = await record(
  mutants.filter(({ id }) => only.test(id)),
  senders.filter(({ slow }) => !slow),
  (line) => process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0)} s: ${line}\n`),
);
writeMatrix(matrix);
