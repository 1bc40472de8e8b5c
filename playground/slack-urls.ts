import express, { type Router } from 'express';
import { uploadStep } from './faults.ts';
import type { ResponseTarget } from './interaction-grants.ts';
import { isJson, type Json, Refusal } from './slack-json.ts';
import type { Stage } from './stage.ts';
import { draftOf, type Message, type Workspace } from './workspace.ts';

/** The name under which faults are planted for the response URLs, which are no method of the Web API. */
const responseStep = 'response_url';

/** The response URLs: `/:id` takes what an app answers late. */
export function createResponseRoute({ responseUrls, workspace, faults }: Stage): Router {
  const router = express.Router();
  router.use(express.json({ limit: '5mb' }));
  router.post('/:id', async (request, response) => {
    const fault = await faults.meet(responseStep);
    if (fault?.kind === 'refuse') {
      const status = fault.inBody ? 200 : 404;
      return void response.status(status).json({ ok: false, error: fault.error });
    }
    if (fault?.kind === 'limit') return void response.status(429).send('planned fault');
    const giveUp = () => {
      if (fault?.kind === 'status') response.status(fault.status).send('planned fault');
      else response.destroy();
    };
    if (fault !== undefined && !fault.isDone) return giveUp();
    const target = responseUrls.use(request.params.id);
    if (typeof target === 'string') return void response.status(404).json({ ok: false, error: target });
    try {
      if (!isJson(request.body)) throw new Refusal('invalid_payload');
      applyResponse(workspace, target, request.body);
      if (fault === undefined) response.type('text').send('ok');
      else giveUp();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response
        .status(error.error === 'message_not_found' ? 404 : 400)
        .json({ ok: false, error: error.error, ...error.extra });
    }
  });
  return router;
}

/** Does what an app answers, in an acknowledgement or through a response URL. */
export function applyResponse(workspace: Workspace, target: ResponseTarget, answer: Json): void {
  const original = target.original && workspace.find(target.original.channel, target.original.ts);
  if (isTrue(answer.delete_original)) {
    workspace.remove(existing(original));
    return;
  }
  const text = answer.text === undefined ? undefined : String(answer.text);
  const draft = draftOf(text === '' ? undefined : text, answer.blocks);
  if (isTrue(answer.replace_original) && target.original) {
    workspace.replace(existing(original), draft);
    return;
  }
  const inChannel = answer.response_type === 'in_channel';
  const threadTs = typeof answer.thread_ts === 'string' ? { threadTs: answer.thread_ts } : {};
  const answers =
    target.command === undefined ? {} : { answers: { user: target.user, text: target.command } };
  workspace.post(target.channel, {
    ...draft,
    ...threadTs,
    ...(inChannel ? answers : { onlyFor: target.user }),
  });
}

function existing(message: Message | undefined): Message {
  if (!message) throw new Refusal('message_not_found');
  return message;
}

/** Slack takes the word for the value here. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

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
