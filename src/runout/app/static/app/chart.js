// uPlot in the page's colours, as wide as its place, drawn again when the theme changes.
import { html, useEffect, useRef } from "./html.js";

const library = () => import("../vendor/uplot.js"); // large, and most pages show no chart

// A colour of the style sheet as the canvas needs it.
function resolved(element, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

/* `series`: [{label, color, width, dash, points}], `data`: uPlot's columns, `x` and `y`: {label, log, range, format}. */
export function Chart({ data, series, x, y, height = 240, label }) {
  const place = useRef(null);
  const plot = useRef(null);
  const latest = useRef(data);
  latest.current = data;
  const shape = JSON.stringify([
    series.map(({ label: name, color }) => [name, color]),
    x.label,
    y.label,
    y.log,
    height,
  ]);

  useEffect(() => {
    const element = place.current;
    let uPlot = null;
    let gone = false;
    const build = () => {
      if (!uPlot || gone) return;
      plot.current?.destroy();
      plot.current = new uPlot(options(element, series, x, y, height), latest.current, element);
    };
    library().then((loaded) => {
      uPlot = loaded.default;
      build();
    });
    const sizes = new ResizeObserver(
      () => element.isConnected && plot.current?.setSize({ width: element.clientWidth, height }),
    );
    sizes.observe(element);
    const theme = new MutationObserver(build);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", build);
    return () => {
      gone = true;
      sizes.disconnect();
      theme.disconnect();
      system.removeEventListener("change", build);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(data), [data]);
  return html`<div class="chart" ref=${place} role="img" aria-label=${label}></div>`;
}

function options(place, series, x, y, height) {
  const [text, grid] = [resolved(place, "--muted"), resolved(place, "--line")];
  const axis = (each) => ({
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
    labelFont: "11px system-ui, sans-serif",
    label: each.label || undefined,
    labelSize: 16,
    gap: 6,
    ...(each.format ? { values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : each.format(tick))) } : {}),
  });
  return {
    width: place.clientWidth || 300,
    height,
    scales: {
      x: { time: false, ...(x.range ? { range: x.range } : {}) },
      y: { ...(y.log ? { distr: 3 } : {}), ...(y.range ? { range: y.range } : {}) },
    },
    axes: [
      { ...axis(x), size: 28 },
      { ...axis(y), size: 56 },
    ],
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    legend: { live: true },
    series: [
      { label: x.label, value: (_, v) => (v === null ? "–" : x.format ? x.format(v) : String(v)) },
      ...series.map((each) => ({
        label: each.label,
        stroke: resolved(place, each.color),
        width: each.width ?? 2,
        dash: each.dash,
        spanGaps: true,
        points: { show: each.points ?? false },
        value: (_, v) => (v === null || v === undefined ? "–" : y.format ? y.format(v) : String(v)),
      })),
    ],
  };
}
