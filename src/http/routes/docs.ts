import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { cspHash } from '../csp-hash.ts';
import { defineRoute } from '../define-route.ts';
import { renderPage } from '../docs/render-page.ts';
import { madeOnce } from '../made-once.ts';

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const [style, script] = [read('page.css'), read('page.js')];

/** Only what the page itself is made of may run in it, and it may talk to nobody but this server. */
const policy = [
  "default-src 'none'",
  `script-src ${cspHash(script)}`,
  `style-src ${cspHash(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = madeOnce(({ routes, reporting: { reportTypes }, version }) =>
  renderPage({ routes, reportTypes, version, style, script }),
);

/** The interface described for people, with forms to try it. */
export const docs = defineRoute({
  methods: ['get'],
  paths: ['/docs'],
  guarded: false,
  section: 'Service',
  summary: 'This interface as a page to read and to try',
  parameters: z.object({}),
  answers: { description: 'The page.', content: { 'text/html': z.string() } },
  answer: async (_parameters, _principal, parts) => ({
    type: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: page(parts),
  }),
});
