import Router from "@koa/router";
import Koa, { type Middleware, type ParameterizedContext } from "koa";
import type { SystemInformation } from "../generated/operations.ts";
import type { Step } from "../generated/order.ts";
import type { Config } from "./config.ts";
import { type Asset, assetReply } from "./http/assets.ts";
import { drain, readBody } from "./http/body.ts";
import { clientAddress, judgeHead, splitTarget } from "./http/head.ts";
import type { Load } from "./http/load.ts";
import { negotiate } from "./http/negotiation.ts";
import {
  jsonReply,
  type Outcome,
  optionsReply,
  type Replies,
  type Reply,
  requestIdOf,
  textReply,
} from "./http/reply.ts";
import { addressOf, landingPage } from "./pages/landing.ts";
import { CONTENT_SECURITY_POLICY } from "./pages/page.ts";
import { Problem } from "./protocol/problem.ts";
import type { Request } from "./protocol/request.ts";

export interface AppOptions {
  readonly config: Pick<Config, "limits" | "timeouts" | "trustProxyHops" | "docsMaxAgeS">;
  /** Serves `/api/`. */
  readonly dispatch: (request: Request) => Promise<Outcome>;
  /** Files by their path: the contract, the reference page, `/robots.txt`. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The addresses at which callers reach the deployments. */
  readonly deploymentUrls: readonly string[];
  /** The facts of the landing page, for one request (D27). */
  readonly systemInformation: (clientAddress: string, method: string) => SystemInformation;
  readonly replies: Replies;
  readonly load: Load;
  /** Called with what fails after a response has begun. */
  readonly onFault: (problem: Problem, requestId: string) => void;
}

/** What is known of a request while Koa handles it. */
interface State {
  readonly requestId: string;
  search: string;
  /** The step of the order of checks that it has reached. */
  step: Step;
  outcome: Outcome | null;
  /** Whether it counts as in flight. */
  isCounted: boolean;
}

/** The life of a request around the endpoint: its head, path and method, and its response, whatever created it. Koa is used only here. */
export function createApp(options: AppOptions): Koa<State> {
  const app = new Koa<State>();
  app.use(answered(options));
  for (const router of routers(options)) app.use(router.routes());
  app.use(() => {
    throw new Problem("path-not-found");
  });
  // A client that closed the connection is not a fault of the service.
  app.on("error", (error: NodeJS.ErrnoException, { state }: { readonly state: State }) => {
    if (error.code !== "EPIPE" && error.code !== "ECONNRESET") options.onFault(Problem.from(error), state.requestId);
  });
  return app;
}

const answered = (options: AppOptions): Middleware<State> => {
  const { config, replies, load } = options;
  return async (ctx, next) => {
    const startedAt = performance.now();
    const { method, headers } = ctx.req;
    const requestId = requestIdOf(headers["x-request-id"]);
    const state: State = { requestId, search: "", step: "readHead", outcome: null, isCounted: false };
    ctx.state = state;
    // `replies` writes it, as it writes every response.
    ctx.respond = false;
    try {
      readHead(ctx, options);
      await next();
    } catch (thrown) {
      state.outcome = { reply: Problem.from(thrown), step: state.step };
    }
    if (state.isCounted) load.leave();
    // A response that is sent while its request still arrives may be lost to a reset.
    if (!ctx.req.complete) await drain(ctx.req, config.timeouts.drainTimeoutMs);
    const asked = { requestId, method: method ?? null, headers, startedAt };
    replies.send(ctx.res, asked, state.outcome ?? { reply: new Problem("internal-error"), step: state.step });
  };
};

/** D13, D14, and the two parts of the request target. */
function readHead(ctx: ParameterizedContext<State>, { config, load }: AppOptions): void {
  load.judge();
  judgeHead(ctx.req, config.limits);
  const { path, search } = splitTarget(ctx.req.url ?? "");
  // The router takes this path unchanged. Nothing may parse the target again: Node throws or warns about an invalid URL and prints all of it,
  // including a key in its query. The query is therefore passed separately.
  ctx.newRouterPath = path;
  ctx.req.url = path;
  ctx.state.search = search;
  ctx.state.step = "findPath";
}

const READ = ["GET", "HEAD", "OPTIONS"];
const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];

/** The endpoint has its own router, which is tried first: a router tries all of its paths, even after one has matched. */
function routers(options: AppOptions): readonly Router<State>[] {
  const { config, dispatch, assets, deploymentUrls, systemInformation } = options;
  const open = () => new Router<State>({ strict: true, sensitive: true });
  const [endpoint, others] = [open(), open()];

  /** D4, D5: the methods of the path; OPTIONS is answered here, whatever else the request contains. */
  const route = (
    path: string,
    methods: readonly string[],
    serve: (request: Request) => Outcome | Promise<Outcome>,
    router = others,
  ) =>
    router.all(path, async ({ state, req, method }) => {
      state.step = "allowMethod";
      if (!methods.includes(method))
        throw new Problem("method-not-allowed", { headers: { Allow: methods.join(", ") } });
      state.outcome =
        method === "OPTIONS"
          ? { reply: optionsReply(methods), step: state.step }
          : await serve(requestOf(req, state, options));
    });
  /** A path that takes no body: a body still counts against the limit. */
  const page = (path: string, reply: (request: Request) => Reply) =>
    route(path, READ, async (request) => {
      try {
        await request.readBody();
      } catch (thrown) {
        return { reply: Problem.from(thrown), step: "readBody" };
      }
      return { reply: reply(request), step: "readBody" };
    });

  route("/api/", ENDPOINT, dispatch, endpoint);
  // The redirect repeats the query byte for byte, including a key in it: the one exception to D20.
  route("/api", ENDPOINT, ({ search }) => {
    const headers = { Location: search === "" ? "api/" : `api/?${search}` };
    return { reply: textReply("text/plain", "", { status: 308, headers }), step: "allowMethod" };
  });
  page("/", ({ headers, clientAddress, method }) => {
    const information = systemInformation(clientAddress, method);
    const vary = { Vary: "Accept" };
    if (negotiate(headers.accept, ["text/html", "application/json"]) === "application/json")
      return jsonReply(information, { headers: vary });
    const policy = { "Content-Security-Policy": CONTENT_SECURITY_POLICY };
    return textReply("text/html", landingPage(information, addressOf(headers.host, deploymentUrls)), {
      headers: { ...vary, ...policy },
    });
  });
  for (const [path, asset] of assets)
    page(path, ({ headers }) => assetReply(asset, headers, { maxAgeS: config.docsMaxAgeS }));
  return [endpoint, others];
}

/** All that the rest of the service sees of a request. */
function requestOf(
  req: ParameterizedContext["req"],
  state: State,
  { config: { limits, timeouts, trustProxyHops }, load }: AppOptions,
): Request {
  const { method = "", headers, rawHeaders, socket } = req;
  // Node joins the fields of this name; its types do not declare that.
  const forwardedFor = headers["x-forwarded-for"]?.toString();
  return {
    id: state.requestId,
    method,
    search: state.search,
    headers,
    rawHeaders,
    clientAddress: clientAddress(socket.remoteAddress, forwardedFor, trustProxyHops),
    readBody() {
      const counted = (body: Buffer) => {
        load.enter();
        state.isCounted = true;
        return body;
      };
      const body = readBody(req, {
        maxBodyBytes: limits.maxBodyBytes,
        drainTimeoutMs: timeouts.drainTimeoutMs,
      });
      return body instanceof Promise ? body.then(counted) : counted(body);
    },
  };
}
