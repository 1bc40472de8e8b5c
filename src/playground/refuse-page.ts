import type { Request, Response } from 'express';
import { refuseAsJson } from './same-origin.ts';

const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Not here</title>
  <style>
    :root { color-scheme: light dark; }
    body { max-width: 32em; margin: 20vh auto; padding: 0 24px; font: 16px / 1.5 system-ui, sans-serif; }
  </style>
</head>
<body>
  <p>This playground answers only on the machine it runs on, or under names it was told.</p>
  <p>To open it to others, set PLAYGROUND=on and BASE_URL to the address they use. Anyone who can open it can act as anyone in it.</p>
</body>
</html>
`;

/** Refuses the page itself: in words to somebody in front of a browser, as JSON to everything else. */
export function refusePage(request: Request, response: Response, why?: string): void {
  if (request.accepts(['json', 'html']) !== 'html') return void refuseAsJson(request, response, why);
  response
    .status(403)
    .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    .set('x-content-type-options', 'nosniff')
    .type('html')
    .send(html);
}
