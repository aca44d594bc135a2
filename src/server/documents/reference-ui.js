// Runs in the browser, on the reference page: Swagger UI for the document by operation. The key stays in its memory.
/* global SwaggerUIBundle */
const domNode = document.getElementById("reference");
const spec = await (await fetch("openapi.operations.json")).json();
// Requests go to the deployment that served the page, whatever addresses it publishes.
if (domNode.dataset.calls === "here")
  spec.servers = [{ url: new URL(".", location.href).href.replace(/\/$/, "") }];
// Key and platform once each, as headers: here nothing is gained by putting them in the query.
const { schemas, responses, securitySchemes } = spec.components;
for (const [id, scheme] of Object.entries(securitySchemes))
  if (scheme.in !== "header") delete securitySchemes[id];

const PROBLEM = "application/problem+json";
const ownProblems = JSON.parse(domNode.dataset.own);
const { problems } = domNode.dataset;

/** What is referred to by the last part of its address. */
const resolve = (named, value) => (value?.$ref ? named[value.$ref.split("/").at(-1)] : value);

/** Limits in words: `1 to 200`, `at most 254`; "" without any. */
const rangeOf = (from, to, until) => {
  if (from !== undefined && to !== undefined) return `${from}${until}${to}`;
  if (from !== undefined) return `at least ${from}`;
  return to === undefined ? "" : `at most ${to}`;
};

/** The type, the limits and the default of a schema in words, as the document of the operations has them. */
const wordsOf = ({ type = "any JSON", items, enum: choices, default: preset, ...limits }) => {
  const { minimum, maximum, minLength, maxLength } = limits;
  const length = rangeOf(minLength, maxLength, " to ");
  // A dash before a minus would be read as two.
  const range = rangeOf(minimum, maximum, minimum < 0 ? " to " : "–");
  const unit = maxLength === undefined && minLength === 1 ? "character" : "characters";
  const words =
    choices?.map((one) => `\`${JSON.stringify(one)}\``).join(" or ") ??
    (items && `list of ${wordsOf(resolve(schemas, items))}`) ??
    (length ? `${length} ${unit}` : `${type} ${range}`.trim());
  return preset === undefined ? words : `${words}, default ${JSON.stringify(preset)}`;
};

/** The members of `data`, since Swagger UI shows of a body that is being edited only its text. */
const membersOf = (body) => {
  const { properties, required = [] } = resolve(schemas, body.schema);
  const data = resolve(schemas, properties.data);
  return Object.entries(data.properties ?? {}).map(([name, schema]) => {
    const needed = required.includes("data") && data.required?.includes(name);
    const words = wordsOf(resolve(schemas, schema));
    return `- \`data.${name}\`: ${needed ? "required" : "optional"}, ${words}`;
  });
};

/** The name of the operation of each path. */
const names = {};
/** Of each path the problems that are not its operation's own: each status with its codes. */
const others = {};
/** Of each path the statuses whose responses are shown. */
const shown = {};

/** The code at the start of a problem's meaning. */
const CODE = /^`([a-z0-9-]+)`(?=: )/;
const codeOf = (meaning) => CODE.exec(meaning)?.[1];

/** Leaves of the responses the successes, and of the problems those of the operation itself. */
const shorten = (path, operation, own) => {
  [others[path], shown[path]] = [[], []];
  for (const [status, named] of Object.entries(operation.responses)) {
    const response = { ...resolve(responses, named) };
    const { description, content: { [PROBLEM]: problem, ...content } = {} } = response;
    operation.responses[status] = response;
    const meanings = problem ? description.split(/\n\n(?=`)/) : [];
    const codes = meanings.map(codeOf).filter((code) => code && !own.includes(code));
    if (codes.length > 0) others[path].push([status, codes]);
    const mine = meanings.filter((meaning) => own.includes(codeOf(meaning)));
    if (!problem || mine.length > 0 || Object.keys(content).length > 0) shown[path].push(status);
    if (!problem) continue;
    if (Object.keys(content).length > 0) response.content = content;
    else delete response.content;
    delete response.headers;
    if (mine.length === 0) continue;
    const linked = problems ? `[$&](${problems}#$1)` : "$&";
    response.description = mine.map((meaning) => meaning.replace(CODE, linked)).join("\n\n");
  }
};

for (const [path, item] of Object.entries(spec.paths))
  for (const operation of Object.values(item)) {
    const [name, ...summary] = operation.summary.split(": ");
    names[path] = name;
    operation.summary = summary.join(": ");
    operation.security = operation.security?.filter((needed) =>
      Object.keys(needed).every((id) => id in securitySchemes),
    );
    shorten(path, operation, ownProblems[name] ?? []);
    for (const parameter of operation.parameters ?? []) {
      const schema = resolve(schemas, parameter.schema);
      const words = wordsOf(schema);
      // The field of a choice shows it.
      if (words !== schema.type && !schema.enum)
        parameter.description = `${parameter.description ?? ""}\n\n${words}`;
    }
    const body = operation.requestBody;
    if (body) body.description = membersOf(body.content["application/json"]).join("\n");
  }

// Swagger UI has a style for the dark, which a class of the page selects.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

/** Names what Swagger UI leaves without a name, out of order, or unreachable by keyboard; React does not touch what it has not set. */
const mend = () => {
  const each = (selector, change) => domNode.querySelectorAll(selector).forEach(change);
  const name = (selector, label) =>
    each(`${selector}:not([aria-label])`, (element) => {
      element.ariaLabel = typeof label === "string" ? label : label(element);
    });
  name("#servers", "Server");
  name(
    ":is(select, textarea)",
    (field) => field.closest("[data-param-name]")?.dataset.paramName ?? "Body",
  );
  name(".responses-table", ({ id }) => `Responses of ${id}`);
  name(".close-modal", "Close");
  // "Apply credentials" on a button that reads "Authorize".
  each(".modal-btn[aria-label]", (button) => button.removeAttribute("aria-label"));
  each("pre.microlight", (code) => {
    code.tabIndex = 0;
  });
  each(":is(h3, h4, h5):not([aria-level])", (heading) => {
    heading.ariaLevel = String(Number(heading.localName[1]) - 1);
  });
  name(".information-container", "About");
  name(".scheme-container", "Server and credentials");
  each(":is(.information-container, .scheme-container)", (part) => {
    part.role = "region";
  });
};
new MutationObserver(mend).observe(domNode, { childList: true, subtree: true });
// It has its own landmark.
domNode.closest("main").replaceWith(domNode);

/** What is shown in place of parts of Swagger UI. */
const plugin = ({ React: { createElement, Fragment, useEffect }, Im }) => ({
  components: {
    // Nothing that can be pressed is in the button that opens an operation: it could not be reached by keyboard.
    authorizeOperationBtn: () => null,
    // The name is what one calls; the path is one that only client generators need.
    OperationSummaryPath: ({ operationProps }) => {
      const path = operationProps.get("path");
      const small = createElement("small", null, path);
      return createElement("span", { className: "opblock-summary-path" }, names[path], " ", small);
    },
    /** A field of the one form for both credentials. */
    apiKeyAuth: ({ name, schema, authorized, onChange }) => {
      const isKey = schema.get("name") === "X-API-KEY";
      const value = isKey ? "" : "web";
      const change = (value) => onChange({ name, schema, value });
      // The form sends what was changed: the preset too.
      useEffect(() => change(value), []);
      const label = isKey ? "API key" : "Platform";
      if (authorized.get(name)) return createElement("p", null, `${label}: set`);
      const field = createElement("input", {
        type: isKey ? "password" : "text",
        defaultValue: value,
        autoComplete: "off",
        autoFocus: isKey,
        required: true,
        onChange: ({ target }) => change(target.value),
      });
      return createElement("label", null, label, field);
    },
  },
  wrapComponents: {
    responses: (Responses) => (props) =>
      createElement(
        Fragment,
        null,
        createElement(Responses, {
          ...props,
          responses: props.responses.filter((_, status) => shown[props.path].includes(status)),
        }),
        createElement(
          "details",
          { className: "others" },
          createElement("summary", null, `Other problems (${others[props.path].length})`),
          createElement(
            "dl",
            null,
            others[props.path].map(([status, codes]) => [
              createElement("dt", { key: status }, status),
              createElement(
                "dd",
                { key: `${status}-codes` },
                codes.map((code, index) => [
                  index > 0 && ", ",
                  problems
                    ? createElement("a", { key: code, href: `${problems}#${code}` }, code)
                    : code,
                ]),
              ),
            ]),
          ),
        ),
      ),
  },
  statePlugins: {
    auth: {
      wrapSelectors: {
        // One form for all credentials, where Swagger UI has one for each.
        definitionsToAuthorize:
          (original) =>
          (state, ...rest) => {
            const definitions = original(state, ...rest);
            return Im.List([definitions.reduce((all, one) => all.merge(one), Im.OrderedMap())]);
          },
      },
    },
  },
});

SwaggerUIBundle({
  spec,
  domNode,
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  plugins: [plugin],
  requestInterceptor: (request) => {
    // As it is sent: without the dot segments (RFC 3986, 5.2.4).
    request.url = new URL(request.url, location.href).href;
    return request;
  },
});
