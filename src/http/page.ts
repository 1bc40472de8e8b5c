import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The media type of a page. */
export const pageType = 'text/html; charset=utf-8';

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');

/** The page runs nothing, loads nothing, is shown in no frame, and its form is sent to this server only. */
const policy = [
  "default-src 'none'",
  `style-src ${cspHash(style)}`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** Headers of a page with a policy; other pages do not learn its address, which can hold a secret. */
export function pageHeaders(policy: readonly string[]) {
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** A small page for a browser, with markup as its content. */
export function pageReply(status: number, title: string, content: string) {
  return {
    status,
    type: pageType,
    headers: pageHeaders(policy),
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dwell: ${escapeMarkup(title.charAt(0).toLowerCase() + title.slice(1))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${content}
</main>
</body>
</html>
`,
  };
}

/** A paragraph about a problem, as markup. */
export function problemMarkup(problem: string): string {
  return `<p class="wrong" role="alert">${escapeMarkup(problem)}</p>`;
}

/** A page as an answer beside the good one. */
export function describedPage(description: string) {
  return { description, schema: z.string(), type: 'text/html' };
}

/** Text escaped for elements and for quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The source by which a Content-Security-Policy allows one inline script or style, and no other. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
