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

SwaggerUIBundle({
  spec,
  domNode,
  plugins: [named],
  deepLinking: true,
  tryItOutEnabled: true,
  showExtensions: true,
  persistAuthorization: false,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    // As it is sent: without the dot segments (RFC 3986, 5.2.4).
    request.url = new URL(request.url, location.href).href;
    return request;
  },
});
