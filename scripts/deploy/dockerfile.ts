import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The result of one stage of a Dockerfile, in a folder of this machine instead of a root. */
export interface Stage {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly volumes: string[];
  workdir: string;
  user: number;
  health: string[];
  entrypoint: string[];
  command: string[];
}

/** The parts of this machine that a build can use: its programs, its packages, and its network settings. */
const OUTSIDE = /^(PATH|HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY)$/i;
const outside = Object.fromEntries(Object.entries(process.env).filter(([name]) => OUTSIDE.test(name)));
const folderOf = ({ folder, workdir }: Stage, path = ".") => join(folder, resolve(workdir, path));

/** The content of the context: tracked files, as in a clean clone. */
function copyContext(root: string, to: string): void {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files) cpSync(join(root, file), join(to, file));
}

type Instruction = (rest: string, stage: Stage) => void;

/** Instructions that change one stage and depend on nothing else. */
const instructions: Readonly<Record<string, Instruction>> = {
  WORKDIR(rest, stage) {
    stage.workdir = rest;
    mkdirSync(folderOf(stage), { recursive: true });
  },
  ENV: (rest, { env }) =>
    void Object.assign(env, Object.fromEntries(rest.split(" ").map((pair) => pair.split(/=(.*)/)))),
  RUN: (rest, stage) =>
    void execFileSync("sh", ["-ec", rest], {
      cwd: folderOf(stage),
      env: { ...outside, ...stage.env },
      stdio: ["ignore", 2, 2],
    }),
  USER(rest, stage) {
    stage.user = Number(rest.split(":")[0]);
  },
  VOLUME: (rest, stage) => void stage.volumes.push(folderOf(stage, rest)),
  EXPOSE() {},
  HEALTHCHECK(rest, stage) {
    stage.health = JSON.parse(rest.slice(rest.indexOf("[")));
  },
  ENTRYPOINT(rest, stage) {
    stage.entrypoint = JSON.parse(rest);
  },
  CMD(rest, stage) {
    stage.command = JSON.parse(rest);
  },
};

/**
 * Runs the instructions of a Dockerfile in folders below `work`; the base images are this machine. Throws on an unknown
 * instruction.
 */
export function buildStages(file: string, root: string, work: string, args: Readonly<Record<string, string>>): Stage {
  const stages = new Map<string, Stage>();
  let last: Stage | undefined;
  const across: Readonly<Record<string, Instruction>> = {
    ...instructions,
    ARG(rest, { env }) {
      const [name = "", value = ""] = rest.split("=");
      env[name] = args[name] ?? value;
    },
    COPY(rest, stage) {
      const [, name, from = "", to = ""] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? [];
      const source = name === undefined ? null : stages.get(name);
      if (source === null) copyContext(join(root, from), folderOf(stage, to));
      else if (source)
        cpSync(join(source.folder, from), folderOf(stage, to), { recursive: true, verbatimSymlinks: true });
      else throw new Error(`there is no stage ${name}`);
    },
  };
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    process.stderr.write(`${line}\n`);
    const [, word = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const does = across[word];
    if (word === "FROM") {
      const folder = join(work, String(stages.size));
      last = { folder, env: {}, volumes: [], workdir: "/", user: 0, health: [], entrypoint: [], command: [] };
      stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? "", last);
    } else if (last && does) does(rest, last);
    else throw new Error(`not known here: ${line}`);
  }
  if (!last) throw new Error(`${file} has no stage`);
  return last;
}
