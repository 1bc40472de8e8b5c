import { fileURLToPath } from 'node:url';
import express, { type Response, type Router } from 'express';
import { closeSafely, streamChanges } from './change-stream.ts';
import { isJson, type Json } from './json.ts';
import { pageActs } from './page-acts.ts';
import { conversationState, pageState } from './page-state.ts';
import { Refusal } from './refusal.ts';
import { refusePage } from './refuse-page.ts';
import { onlyNamed, sameOrigin } from './same-origin.ts';
import type { Stage } from './stage.ts';

const pageFolder = fileURLToPath(new URL('./page', import.meta.url));

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page at `/`, its files, and the API only it may use. */
export function createPageRoutes(stage: Stage): { router: Router; close: () => void } {
  const router = express.Router();
  const streams = new Set<Response>();
  const guard = sameOrigin();
  const acts = pageActs(stage);

  router.get('/', onlyNamed(stage.options, refusePage), sameOrigin(refusePage), (_, response) => {
    response
      .set('content-security-policy', policy)
      .set('referrer-policy', 'no-referrer')
      .set('x-content-type-options', 'nosniff');
    response.sendFile('index.html', { root: pageFolder, cacheControl: false });
  });
  router.use(
    '/playground/page',
    guard,
    express.static(pageFolder, { cacheControl: false, index: false, fallthrough: false }),
  );

  router.get('/playground/state', guard, async (request, response) => {
    await reply(response, () => pageState(stage, String(request.query.as ?? '')));
  });
  router.get('/playground/conversation', guard, async (request, response) => {
    await reply(response, () =>
      conversationState(stage, String(request.query.as ?? ''), String(request.query.id ?? '')),
    );
  });
  router.get('/playground/changes', guard, (request, response) => {
    streams.add(response);
    response.on('close', () => streams.delete(response));
    streamChanges(stage, String(request.query.as ?? ''), response);
  });
  router.post('/playground/act/:name', guard, express.json({ limit: '200kb' }), async (request, response) => {
    const name = String(request.params.name);
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    const body: unknown = request.body;
    if (!act || !isJson(body)) return void response.status(400).json({ ok: false, error: 'invalid_act' });
    await reply(response, () => act(body));
  });
  return { router, close: () => closeSafely(streams) };
}

async function reply(response: Response, work: () => Json | Promise<Json>): Promise<void> {
  try {
    response.json({ ok: true, ...(await work()) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    response.status(400).json({ ok: false, error: error.error });
  }
}
