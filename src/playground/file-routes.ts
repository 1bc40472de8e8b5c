import express, { type Router } from 'express';
import { uploadStep } from './faults.ts';
import type { Stage } from './stage.ts';

/** Images a browser may draw inside the page; everything else is only ever downloaded. */
const drawn = new Set(['image/png', 'image/jpeg', 'image/gif']);

/** What a form adds to the bytes of the file in it, at most. */
const formBytes = 10_000;

/** `/upload/:ticket` takes a file's bytes, raw or as a multipart form. */
export function createUploadRoute({ files, faults }: Stage): Router {
  const router = express.Router();
  // Nothing is read for somebody without a ticket, and no more than was announced: the address is open to every page.
  router.post('/:ticket', (request, response, next) => {
    const length = files.announced(request.params.ticket);
    if (length === undefined) return void response.status(404).type('text').send('unknown');
    express.raw({ type: () => true, limit: length + formBytes })(request, response, next);
  });
  router.post('/:ticket', async (request, response) => {
    const fault = await faults.meet(uploadStep);
    if (fault?.kind === 'limit')
      return void response.status(429).set('retry-after', String(fault.retryAfterSeconds)).end();
    if (fault?.kind === 'status') return void response.status(fault.status).end();
    const body: unknown = request.body;
    const content = Buffer.isBuffer(body)
      ? await contentOf(body, request.headers['content-type'] ?? '')
      : undefined;
    const outcome = content ? files.receive(request.params.ticket, content) : 'wrong length';
    if (fault?.kind === 'lost') return void response.destroy();
    if (outcome !== 'ok')
      return void response
        .status(outcome === 'unknown' ? 404 : 400)
        .type('text')
        .send(outcome);
    response.type('text').send(`OK - ${content?.length}`);
  });
  return router;
}

async function contentOf(body: Buffer, contentType: string): Promise<Buffer | undefined> {
  if (!contentType.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const part = [...form.values()].find((value) => typeof value !== 'string');
  return part && typeof part !== 'string' ? Buffer.from(await part.arrayBuffer()) : undefined;
}

/** `/files/:id/:name` gives a file's bytes back. */
export function createFileRoute({ files }: Stage): Router {
  const router = express.Router();
  router.get('/:id/:name', (request, response) => {
    const file = files.find(request.params.id);
    if (!file) return void response.sendStatus(404);
    const inline = drawn.has(file.mimetype) && request.query.download === undefined;
    response
      .set('content-type', file.mimetype)
      .set('x-content-type-options', 'nosniff')
      .set('content-security-policy', "default-src 'none'; sandbox")
      .set(
        'content-disposition',
        `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      )
      .send(file.content);
  });
  return router;
}
