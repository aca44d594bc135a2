import Router from "@koa/router";
import Koa, { type Context, type Middleware } from "koa";
import type { SystemInformation } from "../generated/operations.ts";
import { elapsedMs } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Asset } from "./http/asset.ts";
import { baseHeaders } from "./http/base-headers.ts";
import { drain, readBody } from "./http/body.ts";
import { clientAddress } from "./http/client-address.ts";
import { corsHeaders, preflightHeaders } from "./http/cors.ts";
import { judgeHead } from "./http/head.ts";
import { negotiate } from "./http/negotiate.ts";
import { requestIdOf } from "./http/request-id.ts";
import { sendAsset, sendHtml, sendJson } from "./http/send.ts";
import { splitTarget } from "./http/target.ts";
import { landingPage } from "./pages/landing.ts";
import { Problem } from "./problem.ts";

/** What is known of a request once it was answered: never the key, the query or the body (D20). */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly keyId: string | null;
  readonly code: string | null;
}

export interface AppOptions {
  readonly config: Config;
  /** Serves `/api/`. */
  readonly dispatch: (ctx: Context) => Promise<void>;
  /** Files by their path: the contract, `/robots.txt`. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The facts of the landing page, for one request (D27). */
  readonly systemInformation: (clientAddress: string, method: string) => SystemInformation;
  /** The absolute address of the entry of all problems, for `type`. */
  readonly problemsUrl: string;
  readonly onAnswer: (log: RequestLog) => void;
  /** Hears of what must not happen: a 5xx and its cause. */
  readonly onFault: (problem: Problem, requestId: string) => void;
}

const READ = ["GET", "HEAD", "OPTIONS"];
const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];

/** The life of a request around the endpoint: id and headers, limits of its head, path, method; and its problem, whoever threw it. */
export function createApp(options: AppOptions): Koa {
  const app = new Koa();
  app.use(logged(options)).use(withHeaders(options)).use(withProblems(options)).use(judged(options));
  app.use(routes(options).routes());
  app.use(() => {
    throw new Problem("path-not-found");
  });
  // What fails after the answer was begun. A client that went away is no fault of ours.
  app.on("error", (error: NodeJS.ErrnoException, ctx: Context) => {
    if (error.code !== "EPIPE" && error.code !== "ECONNRESET")
      options.onFault(Problem.from(error), ctx.state.requestId);
  });
  return app;
}

const logged =
  ({ onAnswer }: AppOptions): Middleware =>
  async (ctx, next) => {
    const start = performance.now();
    await next();
    onAnswer({
      requestId: ctx.state.requestId,
      method: ctx.method,
      operation: ctx.state.operation ?? null,
      status: ctx.status,
      durationMs: elapsedMs(start),
      keyId: ctx.state.keyId ?? null,
      code: ctx.state.code ?? null,
    });
  };

const withHeaders =
  ({ config }: AppOptions): Middleware =>
  async (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req.headers["x-request-id"]);
    ctx.set(baseHeaders(ctx.state.requestId));
    ctx.set(corsHeaders(ctx.req.headers.origin, config.corsOrigins));
    await next();
    // An answer that is sent while its request still comes in may be lost to a reset.
    await drain(ctx.req, config.timeouts.drainTimeoutMs);
  };

const withProblems =
  ({ problemsUrl, onFault }: AppOptions): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const problem = Problem.from(thrown);
      if (problem.status >= 500) onFault(problem, ctx.state.requestId);
      ctx.state.code = problem.code;
      ctx.set(problem.headers);
      ctx.status = problem.status;
      ctx.set("Content-Type", "application/problem+json");
      ctx.body = JSON.stringify(problem.document(problemsUrl, ctx.state.requestId));
    }
  };

/** D13, and the two parts of the request target. */
const judged =
  ({ config }: AppOptions): Middleware =>
  async (ctx, next) => {
    judgeHead(ctx.req, config.limits);
    const { path, search } = splitTarget(ctx.req.url ?? "");
    // The router takes this path as it is. Nothing may parse the target again: what is no URL makes Node throw or warn
    // with all of it, a key in its query too; so the query goes its own way.
    ctx.newRouterPath = path;
    ctx.req.url = path;
    ctx.state.search = search;
    await next();
  };

function routes({ config, dispatch, assets, systemInformation }: AppOptions): Router {
  const router = new Router({ strict: true, sensitive: true });
  const limits = { maxBodyBytes: config.limits.maxBodyBytes, drainTimeoutMs: config.timeouts.drainTimeoutMs };

  /** D4, D5: the path's methods; OPTIONS is answered here, whatever else the request says. */
  const allow =
    (methods: readonly string[], serve: (ctx: Context) => unknown): Middleware =>
    async (ctx) => {
      const allowed = methods.join(", ");
      if (ctx.method === "OPTIONS") {
        ctx.set({ Allow: allowed, ...preflightHeaders(methods) });
        ctx.status = 204;
      } else if (methods.includes(ctx.method)) {
        await serve(ctx);
      } else {
        throw new Problem("method-not-allowed", { headers: { Allow: allowed } });
      }
    };

  router.all("/api/", allow(ENDPOINT, dispatch));
  // The query goes along byte for byte, a key in it too: the one exception to D20.
  router.all(
    "/api",
    allow(ENDPOINT, (ctx) => {
      ctx.body = "";
      ctx.status = 308;
      ctx.set("Location", ctx.state.search === "" ? "api/" : `api/?${ctx.state.search}`);
    }),
  );
  router.all(
    "/",
    allow(READ, async (ctx) => {
      await readBody(ctx.req, limits);
      const address = clientAddress(ctx.req.socket.remoteAddress, ctx.get("X-Forwarded-For"), config.trustProxyHops);
      const information = systemInformation(address, ctx.method);
      ctx.vary("Accept");
      if (negotiate(ctx.get("Accept"), ["text/html", "application/json"]) === "application/json")
        sendJson(ctx, information);
      else sendHtml(ctx, landingPage(information));
    }),
  );
  for (const [path, asset] of assets) {
    router.all(
      path,
      allow(READ, async (ctx) => {
        await readBody(ctx.req, limits);
        sendAsset(ctx, asset, config.docsMaxAgeS, false);
      }),
    );
  }
  return router;
}
