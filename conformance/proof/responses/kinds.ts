import { header, isObject, jsonAnswer, pathOf, problemCode } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";

/** Kinds of responses: two of one kind come from the same code of a server. */

/** `user.list 200 application/json`, `HEAD /robots.txt 200`, `user.create 422 invalid-input`. */
export function kindOf(answer: ProxyAnswer, request: ProxyRequest): string {
  const { status } = answer;
  const method = /^(?:HEAD|OPTIONS)$/.test(request.method) ? request.method : null;
  const type = header(answer, "content-type")?.split(";", 1)[0]?.trim() ?? null;
  const coding = header(answer, "content-encoding");
  const place = header(answer, "x-operation") ?? (status < 400 ? pathOf(request) : null);
  return [method, place, status, problemCode(answer) ?? type, coding].filter((part) => part !== null).join(" ");
}

/** Every place of a JSON object: `/items/*\/id`, of a list what its first item has; `depth`: how many levels of it. */
export function placesIn(answer: ProxyAnswer, depth: number): readonly string[] {
  const walk = (value: unknown, at: string, left: number): readonly string[] => {
    if (left === 0) return [at];
    if (Array.isArray(value)) return [at, ...value.slice(0, 1).flatMap((one) => walk(one, `${at}/*`, left - 1))];
    if (!isObject(value)) return [at];
    return [at, ...Object.entries(value).flatMap(([name, one]) => walk(one, `${at}/${name}`, left - 1))];
  };
  const json = jsonAnswer(answer);
  return json ? walk(json, "", depth) : [];
}
