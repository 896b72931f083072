// The Solve page: the queue, and one solve in full with its curve, what is left and its controls.
import { idPath, post } from "./api.js";
import { Chart } from "./chart.js";
import { count, duration, figure, memory, reached } from "./format.js";
import { cls, html, useEffect, useMemo, useState } from "./html.js";
import { href, patch } from "./route.js";
import { toast } from "./toast.js";

const WITHOUT_CURVE = { queued: "Waits for the solve before it." };
const ASKED = { pause: "pausing…", stop: "stopping…" };
const ORDER = { running: 0, paused: 1, queued: 2, failed: 3, done: 4, stopped: 5 };

export function Solve({ query, jobs }) {
  const sorted = jobs
    .map((job, i) => [job, i])
    .sort(([a, i], [b, j]) => ORDER[a.state] - ORDER[b.state] || j - i)
    .map(([job]) => job);
  const job = jobs.find(({ id }) => String(id) === query.job) ?? sorted[0];
  return html`
    <main class="page">
      <div class="page-head"><h1>Solve</h1><a class="primary" href=${href("spot")}>New spot</a></div>
      ${!jobs.length && html`
        <section class="panel empty-page">
          <h2>Nothing is being solved</h2>
          <p>
            Solves run one at a time in the background; here they can be paused, resumed and stopped while their curve falls.
          </p>
          <a class="primary" href=${href("spot")}>Set up a spot</a>
        </section>
      `}
      ${job && html`
        <div class="solve-body">
          <ul class="panel queue" aria-label="Solves">
            ${sorted.map((each) => html`
              <li key=${each.id}>
                <button
                  class=${cls("queue-row", each.id === job.id && "on")} aria-pressed=${each.id === job.id}
                  onClick=${() => patch({ job: each.id }, { replace: true })}
                >
                  <b>${each.title}</b>
                  <span class=${`state ${each.state}`}>${each.state}</span>
                  <span class="num muted">${reached(each.exploitability, each.unit)}</span>
                </button>
              </li>
            `)}
          </ul>
          <${Job} job=${job} />
        </div>
      `}
    </main>
  `;
}

const MEASURING = ["the first measurement is on its way", "the curve begins with the second measurement"];

// Seconds since a solve began to run without a word: it is being prepared, on the first run compiled.
function useWaiting(job) {
  const [seconds, setSeconds] = useState(0);
  const silent = job.state === "running" && !job.curve?.length;
  useEffect(() => {
    if (!silent) return undefined;
    const since = performance.now();
    const timer = setInterval(() => setSeconds((performance.now() - since) / 1000), 500);
    return () => {
      clearInterval(timer);
      setSeconds(0);
    };
  }, [job.id, silent]);
  return silent ? seconds : null;
}

function Job({ job }) {
  const waiting = useWaiting(job);
  const act = async (what) => {
    try {
      await post(`/jobs/${idPath(String(job.id))}/${what}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const curve = useMemo(() => (job.curve ?? []).filter(([, x]) => x > 0), [job.curve]);
  const data = useMemo(
    () => [curve.map(([t]) => t), curve.map(([, x]) => x), curve.map(() => (job.target > 0 ? job.target : null))],
    [curve, job.target],
  );
  const live = job.state === "running";
  const part = progress(job, curve);
  return html`
    <section class="panel pad job" aria-label=${job.title}>
      <header class="page-head">
        <div><h2>${job.title}</h2><p class=${`state ${job.state}`}>${job.asked ? ASKED[job.asked] : job.state}</p></div>
        <div class="buttons">
          ${live && html`<button disabled=${Boolean(job.asked)} onClick=${() => act("pause")}>Pause</button>`}
          ${job.state === "paused" && html`<button class="primary" onClick=${() => act("resume")}>Resume</button>`}
          ${["running", "paused", "queued"].includes(job.state) && html`
            <button class="danger" disabled=${job.asked === "stop"} onClick=${() => act("stop")}>Stop</button>
          `}
          ${job.solution && html`<a class="primary" href=${href("look", job.solution)}>Look</a>`}
        </div>
      </header>
      ${job.error && html`<p class="error" role="alert">${job.error}</p>`}
      <div
        class="progress" role="progressbar" aria-label="Progress to the target" aria-valuemin="0" aria-valuemax="100"
        aria-valuenow=${Math.round(100 * part)}
      >
        <i style=${`width:${(100 * part).toFixed(1)}%`} class=${job.state}></i>
      </div>
      <dl class="figures">
        <div><dt>exploitability</dt><dd class="num">${reached(job.exploitability, job.unit)}</dd></div>
        <div><dt>target</dt><dd class="num">${reached(job.target, job.unit)}</dd></div>
        <div><dt>iteration</dt><dd class="num">${count(job.iteration)}</dd></div>
        <div>
          <dt>${job.iteration > 0 ? "elapsed" : "preparing"}</dt>
          <dd class="num">${duration(job.iteration > 0 ? job.elapsed : (waiting ?? job.elapsed))}</dd>
        </div>
        <div><dt>left, about</dt><dd class="num">${live ? leftText(job) : "–"}</dd></div>
        <div><dt>memory</dt><dd class="num">${memory(job.memory_mb)}</dd></div>
      </dl>
      ${curve.length > 1 ? html`
        <${Chart}
          label="Exploitability over iterations" height=${320} data=${data}
          series=${[
          { label: "exploitability", color: "--line-1", points: curve.length < 40 },
          { label: "target", color: "--muted", width: 1, dash: [6, 6] },
        ]}
          x=${{ label: "iteration", format: (t) => String(Math.round(t)) }}
          y=${{ label: `exploitability (${job.unit})`, log: true, format: figure }}
        />
      ` : html`
        <p class="empty-note">
          ${live ? `${job.phase ?? MEASURING[Math.min(curve.length, 1)]}` : (WITHOUT_CURVE[job.state] ?? "No curve.")}
          ${live && waiting !== null && html` · <b class="num">${duration(waiting)}</b>`}
        </p>
      `}
    </section>
  `;
}

function leftText({ remaining, exploitability, target }) {
  if (exploitability !== null && exploitability <= target) return "saving…";
  return remaining === null ? "not known yet" : duration(remaining);
}

// How far along, on the logarithmic scale that exploitability falls on.
function progress(job, curve) {
  if (job.state === "done") return 1;
  if (!curve.length || !(job.target > 0) || !(job.exploitability > 0)) return 0;
  const [first, goal] = [Math.log(curve[0][1]), Math.log(job.target)];
  return first > goal ? Math.min(1, Math.max(0, (first - Math.log(job.exploitability)) / (first - goal))) : 1;
}
