import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The media type of a page. */
export const pageType = 'text/html; charset=utf-8';

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
export function pageReply(status: number, title: string, content: string) {
  return {
    status,
    type: pageType,
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

/** An answer for somebody before a browser. */
export function pageOf(description: string) {
  return { description, schema: z.string(), type: 'text/html' };
}

/** Text as it stands in a page, within elements as well as within quoted attributes. */
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
