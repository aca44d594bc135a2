// The program behind validator.ts: sends the probes of a file to a server, exits with 1 if a response is not as documented.
import { readFileSync } from "node:fs";
import validatorModule from "openapi-response-validator";
import supertest from "supertest";
import { components, isObject, requiredHeadersOf, responsesOf, schemaOf } from "../contract.ts";
import { type Probe, targetOf } from "../probes.ts";

// A CommonJS module: its default export is a member of our import.
const { default: OpenAPIResponseValidator } = validatorModule;
const [url = "", file = ""] = process.argv.slice(2);
const given: readonly Probe[] = JSON.parse(readFileSync(file, "utf8"));
const agent = supertest(url);

/** It reads only the first media type of a response: it gets the expected one only. */
function validatorOf(probe: Probe) {
  const responses = {
    ...responsesOf(probe),
    [probe.status]: { description: "", content: { [probe.mediaType]: { schema: schemaOf(probe) } } },
  };
  // Its types know documents of 2.0 and 3.0; the members that it reads are the same in 3.1.
  return new OpenAPIResponseValidator({ responses, components } as ConstructorParameters<
    typeof OpenAPIResponseValidator
  >[0]);
}

async function judge(probe: Probe): Promise<string[]> {
  const request = (probe.method === "GET" ? agent.get : agent.post).call(agent, targetOf(probe));
  request
    .set(probe.headers)
    .timeout(5000)
    .ok(() => true);
  if (probe.body !== null) request.send(probe.body);
  const answer = await request;
  const faults: string[] = [];
  if (answer.status !== probe.status) faults.push(`status ${answer.status} and not ${probe.status}`);
  if (answer.type !== probe.mediaType) faults.push(`${answer.type} and not ${probe.mediaType}`);
  for (const name of requiredHeadersOf(probe)) {
    if (answer.headers[name.toLowerCase()] === undefined) faults.push(`no ${name}`);
  }
  const body: unknown = probe.mediaType.endsWith("json") ? answer.body : answer.text;
  const fault = validatorOf(probe).validateResponse(String(answer.status), body);
  if (fault) faults.push(`${fault.message} ${JSON.stringify(fault.errors)}`);
  for (const [member, value] of Object.entries(probe.members)) {
    const actual = isObject(body) ? body[member] : undefined;
    if (actual !== value) faults.push(`${member} is ${JSON.stringify(actual)}`);
  }
  return faults;
}

// A server that does not respond gets no further request: waiting shows nothing new.
try {
  for (const probe of given) {
    const faults = await judge(probe);
    if (faults.length === 0) continue;
    process.exitCode = 1;
    console.log(`${probe.id}: ${faults.join("; ")}`);
  }
} catch (error) {
  process.exitCode = 1;
  console.log(String(error));
}
