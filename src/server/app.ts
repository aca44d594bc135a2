import type { IncomingMessage, ServerResponse } from "node:http";
import Router from "@koa/router";
import Koa, { type ParameterizedContext } from "koa";
import { problemOf } from "./dispatch.ts";
import type { LandingPage } from "./documents/landing.ts";
import { PAGE_HEADERS } from "./documents/page.ts";
import type { OverloadGuard } from "./overload-guard.ts";
import { Problem } from "./problem.ts";
import { readBody } from "./request/body.ts";
import { checkHead, clientAddress, splitTarget } from "./request/head.ts";
import { negotiate } from "./request/negotiation.ts";
import type { Request } from "./request/request.ts";
import { type Asset, assetReply } from "./response/assets.ts";
import {
  type DispatchResult,
  optionsHeaders,
  type Reply,
  type RequestInfo,
  type Sender,
  textReply,
} from "./response/send.ts";
import type { Config } from "./settings/config.ts";
import type { SystemInformation } from "./system-information.ts";

export interface AppOptions {
  readonly config: Pick<
    Config,
    "MAX_URL_BYTES" | "MAX_HEADER_BYTES" | "TRUST_PROXY_HOPS" | "DOCS_MAX_AGE_S" | "maxHeaderFields"
  >;
  /** Serves `/api/`. */
  readonly dispatch: (request: Request) => Promise<DispatchResult>;
  /** Files by their path: the contract, the reference page, `/robots.txt`. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly landingPage: LandingPage;
  /** The facts of the landing page, for one request (D27). */
  readonly systemInformation: (clientAddress: string, method: string) => SystemInformation;
  readonly sender: Sender;
  readonly guard: OverloadGuard;
  /** Called with what fails after a response has begun. */
  readonly onFault: (problem: Problem, requestId: string) => void;
}

/** What is known of a request while Koa handles it. */
interface State {
  readonly info: RequestInfo;
  search: string;
  /** The step of the order of checks that it has reached. */
  step: string;
  result: DispatchResult;
  isInFlight: boolean;
}

/** The result for a path that no route has. */
const NOT_FOUND: DispatchResult = { outcome: new Problem("path-not-found"), step: "findPath" };

/**
 * The life of a request around the endpoint: its head, path and method, and its response, whatever
 * created it. Koa is used only here.
 */
export function createApp(options: AppOptions): Koa<State> {
  const { config, sender, guard, onFault } = options;
  const { endpoint, router } = routes(options);
  const app = new Koa<State>();
  app.use(async (ctx, next) => {
    const { req, res } = ctx;
    const { method = null, headers } = req;
    const requestId = sender.requestIdOf(headers["x-request-id"]);
    const info = { requestId, method, headers, startedAt: performance.now() };
    const state: State = {
      info,
      search: "",
      step: "readHead",
      result: NOT_FOUND,
      isInFlight: false,
    };
    ctx.state = state;
    // `sender` writes it, as it writes every response.
    ctx.respond = false;
    try {
      guard.assertCapacity();
      checkHead(req, config);
      const { path, search } = splitTarget(req.url ?? "");
      state.search = search;
      state.step = "findPath";
      // The router takes this path unchanged. Nothing may parse the target again: Node throws or
      // warns about an invalid URL and prints all of it, including a key in its query. The query is
      // therefore passed separately.
      ctx.newRouterPath = path;
      req.url = path;
      await (path === "/api/" ? endpoint(ctx) : next());
    } catch (thrown) {
      state.result = { outcome: problemOf(thrown), step: state.step };
    } finally {
      if (state.isInFlight) guard.leave();
    }
    sender.send(res, info, state.result);
  });
  app.use(router.routes());
  // A client that closed the connection is not a fault of the service.
  app.on("error", (error: NodeJS.ErrnoException, { state }: { readonly state: State }) => {
    if (error.code !== "EPIPE" && error.code !== "ECONNRESET")
      onFault(Problem.from(error), state.info.requestId);
  });
  return app;
}

const READ = ["GET", "HEAD", "OPTIONS"];
const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];

/**
 * The endpoint, and a router for all other paths: a router tries each of its paths, even after one
 * has matched.
 */
function routes(options: AppOptions) {
  const { config, dispatch, assets, landingPage, systemInformation } = options;
  const router = new Router<State>({ strict: true, sensitive: true });

  /**
   * D4, D5: the methods of a path; OPTIONS is answered here, whatever else the request contains.
   */
  const allow =
    (
      methods: readonly string[],
      serve: (request: Request, state: State) => DispatchResult | Promise<DispatchResult>,
    ) =>
    async ({
      state,
      req,
      res,
    }: Pick<ParameterizedContext<State>, "state" | "req" | "res">): Promise<void> => {
      const { method = "" } = req;
      state.step = "allowMethod";
      if (!methods.includes(method))
        throw new Problem("method-not-allowed", { headers: { Allow: methods.join(", ") } });
      state.result =
        method === "OPTIONS"
          ? { outcome: { status: 204, headers: optionsHeaders(methods) }, step: state.step }
          : await serve(requestOf(req, res, state, options), state);
    };
  /** A path that takes no body: a body still counts against the limit. */
  const page = (path: string, replyTo: (request: Request) => Reply) =>
    router.all(
      path,
      allow(READ, async (request, state) => {
        state.step = "readBody";
        await request.readBody();
        return { outcome: replyTo(request), step: state.step };
      }),
    );

  const redirect = allow(ENDPOINT, ({ search }, { step }) => {
    // The query is repeated byte for byte, including a key in it: the one exception to D20.
    const headers = { Location: search === "" ? "api/" : `api/?${search}` };
    return { outcome: textReply("text/plain", "", 308, headers), step };
  });
  router.all("/api", redirect);
  page("/", ({ headers, clientAddress, method }) => {
    const information = systemInformation(clientAddress, method);
    if (negotiate(headers.accept, ["text/html", "application/json"]) === "application/json")
      return textReply("application/json", JSON.stringify(information), 200, { Vary: "Accept" });
    const html = landingPage(information, headers.host);
    return textReply("text/html", html, 200, { Vary: "Accept", ...PAGE_HEADERS });
  });
  for (const [path, asset] of assets)
    page(path, ({ headers }) => assetReply(asset, headers, config.DOCS_MAX_AGE_S));
  return { endpoint: allow(ENDPOINT, dispatch), router };
}

/** All that the rest of the service sees of a request. */
function requestOf(
  req: IncomingMessage,
  res: ServerResponse,
  state: State,
  { config, guard }: AppOptions,
): Request {
  const { method = "", headers, rawHeaders, socket } = req;
  const { info, search } = state;
  const arrived = (body: Buffer) => {
    guard.enter();
    state.isInFlight = true;
    return body;
  };
  // Node joins the fields of this name; its types do not declare that.
  const forwardedFor = headers["x-forwarded-for"]?.toString();
  return {
    id: info.requestId,
    method,
    startedAt: info.startedAt,
    search,
    headers,
    rawHeaders,
    clientAddress: clientAddress(socket.remoteAddress, forwardedFor, config.TRUST_PROXY_HOPS),
    readBody() {
      const body = readBody(req);
      return body instanceof Promise ? body.then(arrived) : arrived(body);
    },
    onGone(listener) {
      if (res.destroyed) listener();
      else res.once("close", () => res.writableEnded || listener());
    },
    keepPlace(work) {
      state.isInFlight = false;
      guard.keepUntil(work);
    },
  };
}
