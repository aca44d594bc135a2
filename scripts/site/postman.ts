import { contract } from "../../generated/contract.ts";
import type { Operation } from "../../src/server/contract.ts";

const CREDENTIALS = [
  { key: "X-API-KEY", value: "{{apiKey}}" },
  { key: "X-PLATFORM", value: "{{platform}}" },
];

/**
 * A collection for Postman and newman (format 2.1.0): a call of each operation by its example, and
 * its expected response.
 */
export const postmanCollection = (name: string, server: string): object => ({
  info: { name, schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  variable: [
    { key: "baseUrl", value: server },
    { key: "apiKey", value: "" },
    { key: "platform", value: "web" },
  ],
  item: Object.values<Operation>(contract.operations).map(itemOf),
});

function itemOf(operation: Operation): object {
  const { name, method, auth, example, parts, answers } = operation;
  const header = [
    ...(auth ? CREDENTIALS : []),
    ...(method === "POST" ? [{ key: "Content-Type", value: "application/json" }] : []),
  ];
  const called = name.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(example[part]));
  // A value that must not exist yet is new each time.
  const data = { ...example, ...("email" in example ? { email: "{{$guid}}@example.com" } : {}) };
  const inputs = Object.entries(example).filter(([member]) => !parts.includes(member));
  const query = [["@", called] as const, ...inputs].map(([key, value]) => ({
    key,
    value: String(value),
  }));
  const url = { host: ["{{baseUrl}}"], path: ["api", ""], ...(method === "GET" ? { query } : {}) };
  const parameters = query.map(({ key, value }) => `${key}=${value}`).join("&");
  const raw = `{{baseUrl}}/api/${method === "GET" ? `?${parameters}` : ""}`;
  const body = {
    mode: "raw",
    raw: JSON.stringify({ "@": called, data }),
    options: { raw: { language: "json" } },
  };
  const success = answers.find(({ status }) => status < 300)?.status;
  const request = { method, header, url: { raw, ...url }, ...(method === "POST" ? { body } : {}) };
  const exec = [`pm.test("answers ${success}", () => pm.response.to.have.status(${success}));`];
  return { name, request, event: [{ listen: "test", script: { exec } }] };
}
