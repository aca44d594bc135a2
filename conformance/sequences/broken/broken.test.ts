// Deployments that are right for every single request to a new one, and broken by earlier requests: each is found by a history.
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../../client/random.ts";
import { askingOf } from "../../lists/list.ts";
import { type RunningService, startService } from "../../test/service.test-kit.ts";
import { sequence } from "../generate.ts";
import { run } from "../run.ts";
import { spaceOf } from "../space.ts";
import { callers } from "./callers.ts";
import { find, sessionApi } from "./find.test-kit.ts";
import { keys } from "./keys.ts";
import { lists } from "./lists.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

it.each([1, 2, 3])("finds nothing in the right one with the seed %i", async (seed) => {
  expect(await find([`right ${seed}`, {}], service, seed)).toBeNull();
});

it("takes any part of a sequence for one: a finding can be shrunk", async () => {
  const api = sessionApi(service.url, service, 1, "parts");
  const whole = sequence(seededRandom(1), spaceOf(api, askingOf(api).operations));
  for (const part of [2, 3, 5])
    expect(
      await run(
        api,
        whole.filter((_, at) => at % part === 0),
      ),
    ).toBeNull();
});

it.each([...keys, ...lists, ...callers])("finds the one that %s", async (id, hooks) => {
  // A run has one seed: of each of 1, 2 and 3 at most one in a hundred is missed.
  expect((await find([id, hooks], service, 1)) ?? (await find([id, hooks], service, 2))).not.toBeNull();
});
