import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { memo } from '../../cache/namespace.ts';
import { detached, yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { defineRoute, json } from '../define-route.ts';
import { cspHash, pageHeaders, pageType } from '../page.ts';
import type { RouteParts } from '../route.ts';

/** The document, made for the first request: it never changes while Dwell runs. */
const madeOnce = memo((_reporting: RouteParts['reporting'], parts: RouteParts) =>
  // The first client can leave before it is made.
  detached(async () => {
    const { describeInterface } = await import('../openapi.ts');
    const description = await describeInterface(parts.routes, parts, parts.reporting.reportTypes);
    await yieldToOthers();
    return JSON.stringify(description);
  }),
);

/** Every route about the interface itself. */
export const descriptionRoutes = [
  defineRoute({
    id: 'getOpenApi',
    methods: ['get'],
    paths: ['/openapi.json'],
    guarded: false,
    section: 'Service',
    summary: 'OpenAPI 3.1 document of this API',
    answers: json('The document.', z.record(z.string(), z.unknown())),
    answer: async (_parameters, _principal, parts) => ({
      type: 'application/json; charset=utf-8',
      body: await madeOnce(parts.reporting, parts),
    }),
  }),
  defineRoute({
    id: 'getDocs',
    methods: ['get'],
    paths: ['/docs'],
    guarded: false,
    section: 'Service',
    summary: 'Interactive API documentation',
    answers: { description: 'The page.', content: { 'text/html': z.string() } },
    answer: async () => ({
      type: pageType,
      headers: pageHeaders(policy),
      body: page,
    }),
  }),
];

const script = readFileSync(new URL('../docs-page.js', import.meta.url), 'utf8');

/** The page runs what is shipped with Dwell, and connects to this server only. Its renderer sets styles of elements. */
const policy = [
  "default-src 'none'",
  `script-src 'self' ${cspHash(script)}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Dwell REST</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>
body {
  margin: 0;
}
.swagger-ui .topbar {
  display: none;
}
.swagger-ui .parameters-group td {
  padding: 16px 0 4px;
  font: 600 12px sans-serif;
  opacity: 0.7;
}
</style>
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script type="module">${script}</script>
</body>
</html>
`;
