import { readFileSync } from 'node:fs';
import { cspHash } from '../csp-hash.ts';
import { escapeMarkup } from '../docs/markup.ts';
import type { BodyReply } from '../route.ts';

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');

/** The page runs nothing, loads nothing, is shown in no frame, and is sent back to nobody but this server. */
const policy = [
  "default-src 'none'",
  `style-src ${cspHash(style)}`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** A small page for somebody before a browser, around what it says (markup). */
export function pageReply(status: number, title: string, content: string): BodyReply {
  return {
    status,
    type: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': policy,
      // The address holds a secret, so no other page is to learn it.
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
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
