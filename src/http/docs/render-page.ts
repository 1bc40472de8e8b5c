import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { type AnyRoute, sections } from '../route.ts';
import { escapeMarkup } from './markup.ts';
import { renderOperation } from './render-operation.ts';

/** What the page is put together from. */
interface PageParts {
  readonly routes: readonly AnyRoute[];
  readonly reportTypes: readonly ReportTypeFacts[];
  readonly version: string;
  readonly style: string;
  readonly script: string;
}

/** The description of the interface for people: everything in one page, which loads nothing. */
export function renderPage({ routes, reportTypes, version, style, script }: PageParts): string {
  const parts = sections.map((section) => {
    const own = routes.filter((route) => route.section === section);
    const operations = own.flatMap((route) =>
      route.methods.map((method) => renderOperation(route, method, reportTypes)),
    );
    return `<section><h2>${escapeMarkup(section)}</h2>${operations.join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dwell REST</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Dwell REST <small>${escapeMarkup(version)}</small></h1>
<p>Time in status and delegations over HTTP. The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
<p class="quiet">Names of parameters and their words are matched in any case; unknown parameters are ignored, and named in the answer;
unknown members of delegations and categories are refused. Parameters of POST can be in the query string, in a form, or in both. <code>-</code> means “never”, which is not 0. Every failure has one
shape: <code>{status, message, messages, pluginVersion, time}</code>; of delegations it is
<code>{status, message, timestamp, errors}</code>.</p>
</header>
<main>
<div class="bar">
<label>Token, for trying things out; it stays in this page
<input id="token" type="password" autocomplete="off" spellcheck="false"></label>
<label>Find
<input id="filter" type="search" autocomplete="off" spellcheck="false"></label>
</div>
${parts.join('\n')}
</main>
<script>${script}</script>
</body>
</html>
`;
}
