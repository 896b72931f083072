// Range against range: hands sorted by equity, the share of the range on x.
import { graph, useAsked } from "../api.js";
import { Chart } from "../chart.js";
import { percent, seat } from "../format.js";
import { html, useMemo } from "../html.js";

const POINTS = 201;

function at(curve, x) {
  const next = curve.findIndex(([share]) => share >= x);
  if (next < 0) return curve.at(-1)?.[1] ?? null;
  if (next === 0) return curve[0][1];
  const [[x0, y0], [x1, y1]] = [curve[next - 1], curve[next]];
  return x1 > x0 ? y0 + ((y1 - y0) * (x - x0)) / (x1 - x0) : y1;
}

const overall = ({ players, equities }) =>
  equities ? ` Overall ${players.map((player, i) => `${seat(player)} ${percent(equities[i], 1)}`).join(", ")}.` : "";

export function Graph({ id, node }) {
  const { data, error } = useAsked(() => graph(id, node.line), [id, node.line]);
  const columns = useMemo(() => {
    if (!data) return null;
    const xs = Array.from({ length: POINTS }, (_, i) => i / (POINTS - 1));
    return [
      xs.map((x) => 100 * x),
      ...data.curves.map((curve) => xs.map((x) => (curve.length ? 100 * at(curve, x) : null))),
    ];
  }, [data]);
  if (error) return html`<p class="empty-note">${error.message}</p>`;
  if (!columns) return html`<p class="empty-note">Loading…</p>`;
  const round = (x) => `${Math.round(x)}%`;
  return html`
    <div class="graph">
      <${Chart}
        label="Equity of both ranges by share of the range" data=${columns} height=${360}
        series=${data.players.map((player, i) => ({ label: seat(player), color: `--line-${i + 1}` }))}
        x=${{ label: "share of the range, weakest first", range: [0, 100], format: round }}
        y=${{ label: "equity", range: [0, 100], format: round }}
      />
      <p class="muted">
        Where one curve lies above the other, that part of the range is ahead.${overall(node)}
      </p>
    </div>
  `;
}
