// The clients that are copied: each is really run by its interpreter, and says where there is none.
import { execFile, execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { start } from "../test/running-service.ts";

const PYTHON = `
import json, os
from atpoint import AtpointError, Client

client = Client(os.environ["BASE"] + "/", os.environ["API_KEY"], "web")
ada = {"name": "Ada Lovelace", "email": "ada@example.com"}
created = client.command("user.create", **ada)
client.command("user.create", name="Grace Hopper", email="grace@example.com")
listed = [user["email"] for user in client.walk("user.list", limit=1, cursor=None)]

def refused(call, *words, **more):
    try:
        call(*words, **more)
    except AtpointError as error:
        return [error.status, error.code, error.request_id is not None, [fault["parameter"] for fault in error.errors]]

print(json.dumps({
    "created": created["name"], "listed": listed, "health": client.query("test.health")["status"],
    "taken": refused(client.command, "user.create", **ada),
    "invalid": refused(client.query, "user.list", limit=0),
    "keyless": refused(Client(os.environ["BASE"]).query, "user.list"),
    "elsewhere": refused(Client(os.environ["BASE"] + "/x").query, "sysinfo"),
}))
`;

const GO = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"try/atpoint"
)

type user struct{ Name, Email string }

func refused(err error) any {
	var refusal *atpoint.Error
	if !errors.As(err, &refusal) {
		return fmt.Sprint(err)
	}
	faults := []string{}
	for _, fault := range refusal.Errors {
		faults = append(faults, fault.Parameter)
	}
	return []any{refusal.Status, refusal.Code, refusal.RequestID != "", faults}
}

func main() {
	ctx, base := context.Background(), os.Getenv("BASE")
	client := atpoint.Client{BaseURL: base + "/", APIKey: os.Getenv("API_KEY"), Platform: "web"}
	ada, grace := map[string]string{"name": "Ada Lovelace", "email": "ada@example.com"}, user{}
	var created user
	var health struct{ Status string }
	var page struct {
		Items      []user
		NextCursor string
	}
	listed := []string{}
	must(client.Command(ctx, "user.create", ada, &created))
	must(client.Command(ctx, "user.create", map[string]string{"name": "Grace Hopper", "email": "grace@example.com"}, &grace))
	must(client.Query(ctx, "test.health", nil, &health))
	for inputs := (url.Values{"limit": {"1"}}); ; inputs.Set("cursor", page.NextCursor) {
		page.NextCursor = ""
		must(client.Query(ctx, "user.list", inputs, &page))
		listed = append(listed, page.Items[0].Email)
		if page.NextCursor == "" {
			break
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": created.Name, "listed": listed, "health": health.Status,
		"taken":     refused(client.Command(ctx, "user.create", ada, &created)),
		"invalid":   refused(client.Query(ctx, "user.list", url.Values{"limit": {"0"}}, &page)),
		"keyless":   refused(atpoint.Client{BaseURL: base}.Query(ctx, "user.list", nil, &page)),
		"elsewhere": refused(atpoint.Client{BaseURL: base + "/x"}.Query(ctx, "sysinfo", nil, &page)),
	}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
`;

const languages = [
  {
    name: "Python",
    probe: "python3 --version",
    run: "python3 main.py",
    at: "atpoint.py",
    files: { "main.py": PYTHON },
  },
  {
    name: "Go",
    probe: "go version",
    run: "go run .",
    at: "atpoint/atpoint.go",
    files: { "main.go": GO, "go.mod": "module try\n\ngo 1.19\n" },
  },
];

const succeeds = (command: string): boolean => {
  try {
    execFileSync("sh", ["-c", command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

describe.each(languages)("the client of $name", ({ name, probe, run, at, files }) => {
  if (!succeeds(probe)) {
    const leftOut = `${name} is LEFT OUT: \`${probe}\` does not run here`;
    console.warn(leftOut);
    it.todo(leftOut);
    return;
  }

  it("calls the service", { timeout: 240_000 }, async () => {
    const { service, key } = await start({ SHUTDOWN_GRACE_MS: "1" });
    const cwd = await mkdtemp(join(tmpdir(), "atpoint-adapter-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await mkdir(join(cwd, "atpoint"));
    await copyFile(join(import.meta.dirname, `atpoint${at.slice(at.lastIndexOf("."))}`), join(cwd, at));
    for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, file), text);
    const env = { ...process.env, BASE: service.url, API_KEY: key };
    const { stdout } = await promisify(execFile)("sh", ["-c", run], { cwd, env });
    expect(JSON.parse(stdout)).toEqual({
      created: "Ada Lovelace",
      listed: ["ada@example.com", "grace@example.com"],
      health: "pass",
      taken: [409, "email-taken", true, []],
      invalid: [422, "invalid-input", true, ["limit"]],
      keyless: [401, "credentials-missing", true, []],
      elsewhere: [404, "path-not-found", true, []],
    });
  });
});
