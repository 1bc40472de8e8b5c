/** An issue of the sample, as the tracker's own page would show it. */
export interface IssuePage {
  readonly key: string;
  readonly summary: string;
  readonly status: string;
  readonly assignee: string | null;
  /** Oldest first; durations are in words. `since` is an instant, null where it is not known. */
  readonly history: readonly {
    readonly status: string;
    readonly since: number | null;
    readonly duration: string;
  }[];
}

/** The page behind a link to an issue of the invented company, which has no tracker of its own. */
export function issuePageHtml({ key, summary, status, assignee, history }: IssuePage): string {
  const rows = history.map(
    (one) =>
      `<tr><td>${escaped(one.status)}</td><td>${timeHtml(one.since)}</td><td>${escaped(one.duration)}</td></tr>`,
  );
  return pageHtml(
    `${key} · ${summary}`,
    `<dl>
      <dt>Status</dt><dd>${escaped(status)}</dd>
      <dt>Assignee</dt><dd>${escaped(assignee ?? 'Unassigned')}</dd>
    </dl>
    <h2>History</h2>
    <table>
      <thead><tr><th>Status</th><th>Since</th><th>For</th></tr></thead>
      <tbody>${rows.join('')}</tbody>
    </table>`,
  );
}

/** The page behind a link to an issue that the company does not have. */
export function noIssueHtml(key: string): string {
  return pageHtml(`There is no issue ${key}`, '<p>Please check the key in the link.</p>');
}

/** `issue.js` puts it on the clock of the person who uses the playground, where the page knows whose that is. */
function timeHtml(at: number | null): string {
  if (at === null) return '';
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function pageHtml(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escaped(title)} – Kettle &amp; Fern</title>
  <script src="/playground/page/theme.js"></script>
  <script type="module" src="/playground/page/issue.js"></script>
  <link rel="stylesheet" href="/playground/page/tokens.css">
  <link rel="stylesheet" href="/playground/page/issue.css">
</head>
<body>
  <main>
    <p class="where">Kettle &amp; Fern · sample tracker</p>
    <h1>${escaped(title)}</h1>
    ${body}
    <p><a href="/">Back to the playground</a></p>
  </main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
