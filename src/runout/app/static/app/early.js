// Asks for what the address shows while the modules are still on their way; api.js takes the answers.
(() => {
  const [, id, query] = /^#\/look\/([^?]+)(?:\?(.*))?$/s.exec(location.hash) ?? [];
  if (!id) return;
  const path = `/solutions/${id.split("/").map((part) => encodeURIComponent(decodeURIComponent(part))).join("/")}`;
  const line = new URLSearchParams(query ?? "").get("line") ?? "";
  window.early = new Map();
  for (const each of [`${path}/node?${new URLSearchParams({ line })}`, "/classes", path]) {
    const asked = fetch(`/api${each}`);
    asked.catch(() => {}); // whoever takes it says so
    window.early.set(each, asked);
  }
})();
