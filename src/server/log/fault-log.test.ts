import { expect, it, onTestFinished, vi } from "vitest";
import { ExpectedError } from "../expected-error.ts";
import { Problem } from "../problem.ts";
import { openFaultLog } from "./fault-log.ts";

it("logs faults of the storage once a second for each code, and every other fault", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const faults = openFaultLog({
    error: (_, { code, count } = {}, cause) =>
      void lines.push(`${code} ${count} ${Object(cause).code}`),
  });
  const fault = (cause: object, times = 1) => {
    for (let n = 0; n < times; n++)
      faults.note(new Problem("storage-unavailable", { cause }), "id");
  };
  const withCode = (code: string) => Object.assign(new Error("any"), { code });
  const taken = () => lines.splice(0);
  fault(withCode("ECONNREFUSED"), 90);
  fault(withCode("53300"), 2);
  fault(new ExpectedError("no connection was free in time"), 3);
  for (const _ of [1, 2])
    faults.note(new Problem("internal-error", { cause: withCode("X") }), "id");
  const [refused, full, late] = ["ECONNREFUSED", "53300", undefined];
  const line = (count: number, code: string | undefined) => `storage-unavailable ${count} ${code}`;
  const internal = "internal-error undefined X";
  expect(taken()).toEqual([line(1, refused), line(1, full), line(1, late), internal, internal]);
  vi.advanceTimersByTime(999);
  expect(taken()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(taken()).toEqual([line(89, refused), line(1, full), line(2, late)]);
  vi.advanceTimersByTime(1000);
  fault(withCode("ECONNREFUSED"), 3);
  expect(taken()).toEqual([line(1, refused)]);
  faults.close();
  vi.advanceTimersByTime(9000);
  expect(taken()).toEqual([line(2, refused)]);
});
