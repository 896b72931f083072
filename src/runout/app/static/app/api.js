// Talks to the server. Errors carry the server's one line and the field that it is about.
import { useEffect, useLayoutEffect, useRef, useState } from "./html.js";

class ApiError extends Error {
  constructor(message, field, status) {
    super(message);
    this.field = field;
    this.status = status;
  }
}

// Whether the server is away: pages say so, and go on when it is back.
const watching = new Set();
let away = false;

function setAway(now) {
  if (now === away) return;
  away = now;
  for (const each of watching) each(now);
}

export function useAway() {
  const [now, setNow] = useState(away);
  useEffect(() => {
    watching.add(setNow);
    return () => watching.delete(setNow);
  }, []);
  return now;
}

export const AWAY = "the server does not answer: start `runout web` again, and this page goes on";

async function request(method, path, body) {
  let answer;
  const early = method === "GET" ? window.early?.get(path) : undefined;
  window.early?.delete(path);
  try {
    answer = await (early ?? fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    }));
  } catch {
    setAway(true);
    throw new ApiError(AWAY, null, 0);
  }
  setAway(false);
  const text = await answer.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    // an error page that is not JSON: its status says enough
  }
  if (!answer.ok)
    throw new ApiError(data?.error ?? `the server answered ${answer.status}`, data?.field ?? null, answer.status);
  return data;
}

// A file as it is, not as JSON.
export async function upload(path, file) {
  const answer = await fetch(`/api${path}`, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } }).catch(() => null);
  if (!answer) throw new ApiError("the file did not get through: is the server there, and the file whole?", null, 0);
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiError(data?.error ?? `the server answered ${answer.status}`, null, answer.status);
  return data;
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}) => request("POST", path, body);
export const put = (path, body) => request("PUT", path, body);
export const remove = (path) => request("DELETE", path);

export const idPath = (id) => id.split("/").map(encodeURIComponent).join("/");
export const query = (values) =>
  new URLSearchParams(Object.entries(values).filter(([, v]) => v !== undefined && v !== null)).toString();

const KEPT = 80;
const kept = new Map(); // promises of what does not change: nodes, graphs, runouts and summaries of a solution

function once(path) {
  const known = kept.get(path);
  if (known) {
    kept.delete(path);
    kept.set(path, known);
    return known;
  }
  const asked = get(path);
  kept.set(path, asked);
  asked.catch(() => kept.delete(path));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return asked;
}

function forgetSolutions() {
  kept.clear();
  window.early?.clear();
}

export const solution = (id) => once(`/solutions/${idPath(id)}`);
export const node = (id, line) => once(`/solutions/${idPath(id)}/node?${query({ line })}`);
export const graph = (id, line) => once(`/solutions/${idPath(id)}/graph?${query({ line })}`);
export const runouts = (id, line) => once(`/solutions/${idPath(id)}/runouts?${query({ line })}`);
export const lines = (id, line) => once(`/solutions/${idPath(id)}/lines?${query({ line })}`);
export const situations = (id) => once(`/solutions/${idPath(id)}/situations`);
export const lineSpot = (id, line, board) => once(`/solutions/${idPath(id)}/spot?${query({ line, board })}`);
export const archiveAddress = (ids) => `/api/archive?${new URLSearchParams(ids.map((id) => ["id", id]))}`;
export const csvAddress = (id, line, player) => `/api/solutions/${idPath(id)}/csv?${query({ line, player })}`;

let classesAsked = null;
export const classes = () => (classesAsked ??= get("/classes"));

const RETRY = 1500; // ms between attempts while the server does not answer
const PATIENCE = 120; // ms before a page says that it waits
// {data, error, loading}: data stays what it was while the next is on its way.
export function useAsked(ask, deps) {
  const [state, setState] = useState({ data: null, error: null, loading: true });
  useLayoutEffect(() => {
    let current = true;
    const late = setTimeout(() => current && setState((before) => ({ ...before, loading: true })), PATIENCE);
    let again = null;
    const go = () =>
      ask()
        .then(
          (data) => current && setState({ data, error: null, loading: false }),
          (error) => {
            if (!current) return;
            setState((before) => ({ ...before, error, loading: false }));
            if (error.status === 0) again = setTimeout(go, RETRY); // the server was stopped: it may come back
          },
        )
        .finally(() => clearTimeout(late));
    go();
    return () => {
      current = false;
      clearTimeout(late);
      clearTimeout(again);
    };
  }, deps);
  return state;
}

// Server-sent events, shared by all listeners.
const listeners = new Set();
let source = null;

export function useEvents(listener) {
  useEffect(() => {
    listeners.add(listener);
    if (!source) {
      source = new EventSource("/api/events");
      const opened = () => {
        for (const each of listeners) each({ type: "open" });
      };
      source.onopen = () => {
        setAway(false);
        opened();
      };
      source.onerror = () => {
        if (source.readyState === EventSource.CLOSED) opened(); // too many pages listen
        else get("/jobs").catch(() => {}); // is it away, or was only the stream cut?
      };
      source.onmessage = ({ data }) => {
        const event = JSON.parse(data);
        if (event.type === "library") forgetSolutions();
        for (const each of listeners) each(event);
      };
    }
    return () => listeners.delete(listener);
  }, []);
}

// Jobs, kept up to date by events.
export function useJobs() {
  const [jobs, setJobs] = useState([]);
  useEvents((event) => {
    if (event.type === "open") get("/jobs").then(setJobs, () => {}); // all of them, and what was missed meanwhile
    if (event.type !== "job") return;
    setJobs((before) => {
      const at = before.findIndex((job) => job.id === event.job.id);
      return at < 0 ? [...before, event.job] : before.with(at, event.job);
    });
  });
  return jobs;
}

// Reads cards that are being typed: (text, found, failed). Only the answer to what was typed last counts, whichever comes
// first; `forget()` where cards were chosen in another way meanwhile.
export function useTypedCards() {
  const asked = useRef(0);
  const read = async (text, found, failed) => {
    const number = ++asked.current;
    try {
      const { cards } = await post("/cards/parse", { text });
      if (number === asked.current) found(cards);
    } catch (bad) {
      if (number === asked.current) failed(bad.message);
    }
  };
  const forget = () => {
    asked.current += 1;
  };
  return { read, forget };
}
