// The URL is the state of the page: #/look/some/id?line=x-b94&view=ev. Reloading it shows the same again.
import { useEffect, useState } from "./html.js";

export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/");
  return {
    page: page || "library",
    id: rest.map(decodeURIComponent).join("/"),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

// An address; values that are empty, null or undefined are left out.
export function href(page, id = "", query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${readable(String(value))}`).join("&");
  const path = id ? `/${String(id).split("/").map(encodeURIComponent).join("/")}` : "";
  return `#/${page}${path}${text ? `?${text}` : ""}`;
}

// Lines and ranges stay readable in the address bar: only what would break the query is escaped.
function readable(value) {
  return encodeURIComponent(value)
    .replace(/%2C/g, ",")
    .replace(/%3A/g, ":")
    .replace(/%7C/g, "|")
    .replace(/%2F/g, "/")
    .replace(/%20/g, "+");
}

export function go(address, { replace = false } = {}) {
  if (address === location.hash) return;
  if (replace) {
    history.replaceState(null, "", address);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = address;
}

export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parse(location.hash));
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  return route;
}

// The address of the spot that is being set up, for the way back to it.
let spot = "#/spot";
export const keepSpot = (address) => {
  spot = address;
};
export const spotAddress = () => spot;

// Whether a page is still the one of the address: answers and timers may come after it was left.
export const isOpen = (page) => parse(location.hash).page === page;

// Changes parts of the query of the page that is open.
export function patch(changes, options) {
  const { page, id, query } = parse(location.hash);
  go(href(page, id, { ...query, ...changes }), options);
}
