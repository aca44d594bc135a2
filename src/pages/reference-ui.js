// Runs in the browser, on the reference page: Swagger UI over the document by operation. The key stays in its memory.
/* global SwaggerUIBundle */
const root = document.documentElement;
const domNode = document.getElementById("reference");
const dark = matchMedia("screen and (prefers-color-scheme: dark)");
const paint = () => root.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

const spec = await (await fetch("openapi.operations.json")).json();
// What is tried here is tried on the deployment that the page came from, whatever addresses it publishes.
if (domNode.dataset.calls === "here") spec.servers = [{ url: new URL(".", location.href).href.replace(/\/$/, "") }];

/** The name of the operation by its path, which is no more than a place to keep the operation apart from the others. */
const names = new Map();
for (const [path, operations] of Object.entries(spec.paths))
  for (const operation of Object.values(operations)) {
    const [name, summary] = operation.summary.split(/: (.*)/s);
    names.set(path, name);
    operation.summary = summary;
    const data = operation.requestBody?.content["application/json"].example.data;
    // An example that can be sent more than once.
    if (data?.email) data.email = data.email.replace("@", `.${Date.now().toString(36)}@`);
  }

const named = ({ React }) => ({
  wrapComponents: {
    OperationSummaryPath: () => (props) =>
      React.createElement("span", { className: "opblock-summary-path" }, names.get(props.operationProps.get("path"))),
  },
});

/** What Swagger UI leaves without a name, out of order, or out of reach of the keyboard; React leaves alone what it has not set. */
const mend = () => {
  const each = (selector, change) => domNode.querySelectorAll(selector).forEach(change);
  each(":is(select, textarea):not([aria-label])", (field) => {
    field.ariaLabel =
      field.closest("[data-param-name]")?.dataset.paramName ?? (field.id === "servers" ? "Server" : "Body");
  });
  each("pre:not([tabindex])", (code) => {
    code.tabIndex = 0;
  });
  each(".responses-table:not([aria-label])", (table) => {
    table.ariaLabel = `Answers of ${table.id}`;
  });
  each(":is(h3, h4, h5):not([aria-level])", (heading) => {
    heading.ariaLevel = String(Number(heading.localName[1]) - 1);
  });
  for (const [part, name] of [
    ["information", "About"],
    ["schemes-server", "Server"],
  ])
    each(`.${part}-container:not([role])`, (element) => {
      element.role = "region";
      element.ariaLabel = name;
    });
};
new MutationObserver(mend).observe(domNode, { childList: true, subtree: true });
// It has a landmark of its own.
domNode.closest("main").replaceWith(domNode);

SwaggerUIBundle({
  spec,
  domNode,
  plugins: [named],
  deepLinking: true,
  tryItOutEnabled: true,
  showExtensions: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    // As it is sent: without the dot segments (RFC 3986, 5.2.4).
    request.url = new URL(request.url, location.href).href;
    return request;
  },
});
