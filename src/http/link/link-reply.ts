import { readFileSync } from 'node:fs';
import { cspHash } from '../csp-hash.ts';
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

/** A page about linking an account, around what it says. */
export function linkReply(status: number, content: string): BodyReply {
  return {
    status,
    type: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': policy,
      // The address holds the ticket, so no other page is to learn it.
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dwell: link an account</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Link an account</h1>
${content}
</main>
</body>
</html>
`,
  };
}
