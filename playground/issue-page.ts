/** An issue of the sample, as the tracker's own page would show it. */
export interface IssuePage {
  readonly key: string;
  readonly summary: string;
  readonly status: string;
  readonly assignee: string | null;
  /** Oldest first; days and durations are in words. */
  readonly history: readonly { readonly status: string; readonly since: string; readonly duration: string }[];
}

/** The page behind a link to an issue of the invented company, which has no tracker of its own. */
export function issuePageHtml({ key, summary, status, assignee, history }: IssuePage): string {
  const rows = history.map(
    (one) =>
      `<tr><td>${escaped(one.status)}</td><td>${escaped(one.since)}</td><td>${escaped(one.duration)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escaped(key)} – Kettle &amp; Fern</title>
  <script src="/playground/page/theme.js"></script>
  <link rel="stylesheet" href="/playground/page/tokens.css">
  <link rel="stylesheet" href="/playground/page/issue.css">
</head>
<body>
  <main>
    <p class="where">Kettle &amp; Fern · sample tracker</p>
    <h1>${escaped(key)} · ${escaped(summary)}</h1>
    <dl>
      <dt>Status</dt><dd>${escaped(status)}</dd>
      <dt>Assignee</dt><dd>${escaped(assignee ?? 'Unassigned')}</dd>
    </dl>
    <h2>History</h2>
    <table>
      <thead><tr><th>Status</th><th>Since</th><th>For</th></tr></thead>
      <tbody>${rows.join('')}</tbody>
    </table>
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
