// Starts the pages: the bar at the top, the page that the address names, help and messages.
import { useJobs } from "./api.js";
import { Charts } from "./charts/page.js";
import { cls, html, render, useCallback, useEffect, useState } from "./html.js";
import { Help, useKeys } from "./keys.js";
import { Library } from "./library/page.js";
import { Look } from "./look/page.js";
import { Play } from "./play.js";
import { Practice } from "./practice.js";
import { Report } from "./report.js";
import { Review } from "./review.js";
import { go, href, spotAddress, useRoute } from "./route.js";
import { Solve } from "./solve.js";
import { SpotPage } from "./spot/page.js";
import { Toasts } from "./toast.js";
import { Tour } from "./tour.js";
import { Train } from "./train.js";

// The first ones are always in the bar; the rest go into a menu where the window is narrow.
const PAGES = [
  { page: "library", label: "Library" },
  { page: "charts", label: "Charts" },
  { page: "spot", label: "New spot" },
  { page: "look", label: "Look" },
  { page: "practice", label: "Practice" },
];
const MORE = [
  { page: "play", label: "Play" },
  { page: "solve", label: "Solve" },
  { page: "review", label: "Review" },
  { page: "report", label: "Reports" },
  { page: "train", label: "Runs" },
];

const dark = () =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function toggleTheme() {
  const theme = dark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // the choice then holds until the page is closed
  }
}

function lastSolution() {
  try {
    return localStorage.getItem("solution") ?? "";
  } catch {
    return "";
  }
}

function App() {
  const route = useRoute();
  const jobs = useJobs();
  const [help, setHelp] = useState(false);
  const [more, setMore] = useState(false); // the menu of a narrow window
  const [, redraw] = useState(0);
  const flip = useCallback(() => {
    toggleTheme();
    redraw((n) => n + 1);
  }, []);
  const openId = route.page === "look" || route.page === "practice" ? route.id : lastSolution();
  const running = jobs.filter(({ state }) => state === "running" || state === "queued").length;
  useKeys({
    "?": () => setHelp(true),
    t: flip,
    g: () => go(href("library")),
    n: () => go(spotAddress()),
    j: () => go(href("solve")),
    f: () => go(href("charts")),
  });
  useEffect(() => setMore(false), [route]);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => redraw((n) => n + 1);
    system.addEventListener("change", changed);
    return () => system.removeEventListener("change", changed);
  }, []);
  useEffect(() => {
    if (route.page !== "look")
      document.title = `${[...PAGES, ...MORE].find(({ page }) => page === route.page)?.label ?? "Runout"} · Runout`;
  }, [route.page]);
  const address = (page) =>
    page === "look" || page === "practice" ? href(page, openId) : page === "spot" ? spotAddress() : href(page);
  const link = ({ page, label }) => html`
    <a
      key=${page} href=${address(page)} class=${cls(route.page === page && "on")}
      aria-current=${route.page === page ? "page" : undefined}
    >
      ${label} ${page === "solve" && running ? html`<span class="count">${running}</span>` : ""}
    </a>
  `;
  return html`
    <header class="topbar">
      <a class="brand" href=${href("library")}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect x="3" y="4" width="11" height="24" rx="2.5" fill="#22c55e" />
          <rect x="17" y="4" width="11" height="9" rx="2.5" fill="#3b82f6" />
          <rect x="17" y="16" width="11" height="12" rx="2.5" fill="#f59e0b" />
        </svg>Runout
      </a>
      <nav aria-label="Pages">
        ${PAGES.map(link)}
        <button
          class=${cls("more", MORE.some(({ page }) => page === route.page) && "on")} aria-expanded=${more}
          aria-controls="more-pages" onClick=${() => setMore(!more)}
        >
          More ${running ? html`<span class="count">${running}</span>` : ""}
        </button>
        <span id="more-pages" class=${cls("more-pages", more && "open")}>${MORE.map(link)}</span>
      </nav>
      <span class="bar-end">
        <button class="icon" onClick=${flip} aria-label="Dark or light" title="Dark or light (t)">
          ${dark() ? "☀" : "☾"}
        </button>
        <button
          class="icon" onClick=${() => setHelp(true)} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)"
        >
          ?
        </button>
      </span>
    </header>
    <${Page} route=${route} jobs=${jobs} />
    <${Help} open=${help} onClose=${() => setHelp(false)} />
    <${Tour} />
    <${Toasts} />
  `;
}

function Page({ route, jobs }) {
  const { page, id, query } = route;
  if (page === "library") return html`<${Library} query=${query} jobs=${jobs} />`;
  if (page === "charts") return html`<${Charts} query=${query} />`;
  if (page === "play") return html`<${Play} query=${query} />`;
  if (page === "spot") return html`<${SpotPage} query=${query} />`;
  if (page === "solve") return html`<${Solve} query=${query} jobs=${jobs} />`;
  if (page === "review") return html`<${Review} query=${query} jobs=${jobs} />`;
  if (page === "report") return html`<${Report} key=${id} id=${id} query=${query} />`;
  if (page === "train") return html`<${Train} key=${id} id=${id} />`;
  if ((page === "look" || page === "practice") && !id)
    return html`
      <main class="page narrow">
        <h1>Nothing is open</h1>
        <p>
          Choose a solution in the <a href=${href("library")}>library</a>, or <a href=${href("spot")}>set up a spot</a>.
        </p>
      </main>
    `;
  if (page === "look") return html`<${Look} key=${id} id=${id} query=${query} jobs=${jobs} />`;
  if (page === "practice") return html`<${Practice} key=${id + (query.line ?? "")} id=${id} query=${query} />`;
  return html`
    <main class="page narrow"><h1>No such page</h1><p><a href=${href("library")}>To the library</a></p></main>
  `;
}

const place = document.getElementById("app");
place.textContent = "";
render(html`<${App} />`, place);
