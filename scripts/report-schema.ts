// Writes the JSON Schema of the suite's report, from the types of its JSON form.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createGenerator } from "ts-json-schema-generator";
import { reportForm } from "../conformance/report/json.ts";

const root = resolve(import.meta.dirname, "..");
const generator = createGenerator({
  path: resolve(root, "conformance/report/json.ts"),
  tsconfig: resolve(root, "tsconfig.json"),
  type: "JsonReport",
  // Types that are not exported would get names that hold a hash of the path of their file.
  expose: "all",
  // `npm run check:types` does that.
  skipTypeCheck: true,
});
const schema = {
  $id: reportForm,
  title: "Report of the Atpoint conformance suite",
  ...generator.createSchema("JsonReport"),
};
writeFileSync(resolve(root, "conformance/report/report.schema.json"), `${JSON.stringify(schema, null, 2)}\n`);
