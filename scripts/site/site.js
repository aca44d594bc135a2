// Runs in the browser, on every page of the site: copies code, and searches.
const create = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

for (const pre of document.querySelectorAll("main pre")) {
  const button = create("button", { type: "button", className: "copy", textContent: "Copy" });
  const box = create("div", { className: "code" });
  pre.replaceWith(box);
  box.append(pre, button);
  button.onclick = async () => {
    const done = await navigator.clipboard?.writeText(pre.textContent).then(
      () => true,
      () => false,
    );
    // Without a clipboard, such as over HTTP, the code is selected.
    if (!done) getSelection().selectAllChildren(pre);
    button.textContent = done ? "Copied" : "Selected";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  };
}

const LIMIT = 20;
const CONTEXT = 70;
const input = create("input", {
  type: "search",
  placeholder: "Search",
  autocomplete: "off",
  spellcheck: false,
});
input.ariaLabel = "Search";
const results = create("div", { className: "results", hidden: true });
const box = create("div", { className: "search" }, input, results);
box.role = "search";
document.querySelector("header").append(box);

/** The index is loaded once, with the first search. */
let loading;
const load = () =>
  (loading ??= new Promise((onload, onerror) =>
    document.head.append(create("script", { src: "search-index.js", onload, onerror })),
  ));

/** The text around the first word that is in it, with that word marked. */
const excerpt = (text, words) => {
  const [at = 0, word = ""] =
    words
      .map((word) => [text.toLowerCase().indexOf(word), word])
      .filter(([at]) => at >= 0)
      .sort(([one], [other]) => one - other)[0] ?? [];
  const end = at + word.length;
  const from = at < CONTEXT ? 0 : text.indexOf(" ", at - CONTEXT) + 1;
  const until =
    end + 2 * CONTEXT > text.length ? text.length : text.lastIndexOf(" ", end + 2 * CONTEXT);
  const mark = create("mark", { textContent: text.slice(at, end) });
  return create(
    "small",
    {},
    from > 0 ? "… " : "",
    text.slice(Math.min(from, at), at),
    mark,
    text.slice(end, until),
  );
};

/** Every word of the query is in a section that is found; words in headings count more. */
const find = (words) =>
  globalThis.searchIndex
    .map((section) => {
      const [, page, heading, text] = section.map((part) => part.toLowerCase());
      const all = words.every((word) => `${page} ${heading} ${text}`.includes(word));
      const rank = (part, weight) => words.filter((word) => part.includes(word)).length * weight;
      return {
        section,
        rank: all
          ? 1 + rank(heading, 4) + rank(page, 2) + (heading === words.join(" ") ? 9 : 0)
          : 0,
      };
    })
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ section }) => section);

const show = async () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  if (results.hidden) return;
  await load();
  const found = find(words);
  const items = found.slice(0, LIMIT).map(([href, page, heading, text]) => {
    const title = page === heading || heading === "" ? page : `${page}: ${heading}`;
    return create("li", {}, create("a", { href }, title, excerpt(text, words)));
  });
  const count =
    found.length > LIMIT
      ? `The first ${LIMIT} of ${found.length} sections`
      : found.length === 0
        ? "No results"
        : `${found.length} found`;
  const status = create("p", { textContent: count });
  status.role = "status";
  results.replaceChildren(status, create("ul", {}, ...items));
};

input.oninput = show;
document.addEventListener("click", (event) => {
  // A link to this very page does not load it anew.
  if (!box.contains(event.target) || event.target.closest("a")) results.hidden = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName))
    input.focus();
  else if (!box.contains(document.activeElement)) return;
  else if (event.key === "Escape") results.hidden = true;
  else if (event.key === "Enter" && document.activeElement === input)
    results.querySelector("a")?.click();
  else return;
  event.preventDefault();
});
