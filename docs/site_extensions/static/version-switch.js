// switcher.json of the folder above lists all versions; a site that is opened as a file has no such list
document.addEventListener("DOMContentLoaded", async () => {
  if (!location.protocol.startsWith("http")) return;
  const root = new URL(document.documentElement.dataset.content_root || "./", location.href);
  const list = new URL("../switcher.json", root);
  const answer = await fetch(list).catch(() => null);
  const versions = answer && answer.ok ? await answer.json() : [];
  for (const select of document.querySelectorAll(".version-switch select")) {
    for (const { version } of versions) {
      if (version !== select.value) select.add(new Option(version, version));
    }
    select.addEventListener("change", async () => {
      const home = new URL(versions.find(({ version }) => version === select.value).url, list);
      const page = new URL(location.href.slice(root.href.length), home);
      const found = await fetch(page, { method: "HEAD" }).catch(() => null);
      location.assign(found && found.ok ? page : home);
    });
  }
});
