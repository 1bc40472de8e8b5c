import { fileURLToPath } from 'node:url';
import express, { type Request, type Response, type Router } from 'express';
import type { Entries, Entry } from './block-elements.ts';
import { mayEnter, onlyNamed, onlyWithCode, refusePage, sameOrigin, takeCode } from './entry-checks.ts';
import {
  click,
  closeView,
  type PlaceName,
  personOf,
  requestOptions,
  submitView,
  useShortcut,
} from './interactions.ts';
import { issuePageHtml, noIssueHtml } from './issue-page.ts';
import type { Hint, PlaygroundOptions } from './playground-options.ts';
import { isJson, type Json, Refusal } from './slack-json.ts';
import type { Stage } from './stage.ts';
import { openHome, postAs } from './typed-lines.ts';
import { wireFile } from './wire-forms.ts';
import type { Message } from './workspace.ts';

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
  const { options } = stage;
  const guard = express.Router().use(sameOrigin(), onlyWithCode(options));
  const pageGuard = express.Router().use(onlyNamed(options, refusePage), sameOrigin(refusePage));
  const acts = pageActs(stage);

  router.get('/', pageGuard, takeCode(options), onlyWithCode(options, 'page'), (_, response) => {
    response
      .set('content-security-policy', policy)
      .set('referrer-policy', 'no-referrer')
      .set('x-content-type-options', 'nosniff');
    response.sendFile('index.html', { root: pageFolder, cacheControl: false });
  });
  router.get(
    '/browse/:key',
    onlyNamed(options, refusePage),
    onlyWithCode(options, 'page'),
    async (request, response) => {
      const key = String(request.params.key);
      const issue = (await stage.options.issue?.(key)) ?? null;
      response
        .set('content-security-policy', policy)
        .set('referrer-policy', 'no-referrer')
        .status(issue === null ? 404 : 200)
        .type('html')
        .send(issue === null ? noIssueHtml(key) : issuePageHtml(issue));
    },
  );
  router.use(
    '/playground/page',
    guard,
    express.static(pageFolder, { cacheControl: false, index: false, fallthrough: false }),
  );

  router.get('/playground/state', guard, async (request, response) => {
    await reply(response, () =>
      pageState(stage, String(request.query.as ?? ''), String(request.query.tab ?? '')),
    );
  });
  router.get('/playground/conversation', guard, async (request, response) => {
    await reply(response, () =>
      conversationState(stage, String(request.query.as ?? ''), String(request.query.id ?? '')),
    );
  });
  router.get('/playground/changes', guard, (request, response) => {
    streams.add(response);
    response.on('close', () => streams.delete(response));
    streamChanges(stage, String(request.query.as ?? ''), { request, response });
  });
  router.post('/playground/act/:name', guard, express.json({ limit: '200kb' }), async (request, response) => {
    const name = String(request.params.name);
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    const body: unknown = request.body;
    if (!act || !isJson(body)) return void response.status(400).json({ ok: false, error: 'invalid_act' });
    await reply(response, () => act(body));
  });
  return {
    router,
    close() {
      for (const stream of streams) stream.end();
    },
  };
}

async function reply(response: Response, work: () => Json | Promise<Json>): Promise<void> {
  try {
    response.json({ ok: true, ...(await work()) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    response.status(400).json({ ok: false, error: error.error });
  }
}

/** What the page can ask for on behalf of the person who uses it, by name. */
function pageActs(stage: Stage): Readonly<Record<string, (body: Json) => Promise<Json>>> {
  const element = (body: Json) => ({
    ...windowOf(body),
    place: placeOf(body.place),
    actionId: text(body, 'actionId'),
    ...(typeof body.blockId === 'string' ? { blockId: body.blockId } : {}),
  });
  return {
    async post(body) {
      const threadTs = body.threadTs === undefined ? {} : { threadTs: text(body, 'threadTs') };
      await postAs(stage, {
        ...windowOf(body),
        channel: text(body, 'channel'),
        text: text(body, 'text'),
        ...threadTs,
      });
      return {};
    },
    async click(body) {
      const entry = entryOf(body.entry);
      const { outcome } = await click(stage, { ...element(body), ...(entry === undefined ? {} : { entry }) });
      return { outcome };
    },
    async submit(body) {
      const viewId = text(body, 'viewId');
      const { errors } = await submitView(stage, {
        ...windowOf(body),
        viewId,
        entries: entriesOf(body.entries),
      });
      return { errors };
    },
    async close(body) {
      const { user, tab } = windowOf(body);
      await closeView(stage, user, tab);
      return {};
    },
    async home(body) {
      const { outcome } = await openHome(
        stage,
        text(body, 'user'),
        body.tab === 'messages' ? 'messages' : 'home',
      );
      return { outcome };
    },
    async options(body) {
      return { ...(await requestOptions(stage, { ...element(body), query: text(body, 'query') })) };
    },
    async shortcut(body) {
      const place = body.message === undefined ? undefined : placeOf(body.message);
      const message = place && 'ts' in place ? { message: place } : {};
      const { outcome } = await useShortcut(stage, {
        ...windowOf(body),
        callbackId: text(body, 'callbackId'),
        ...message,
      });
      return { outcome };
    },
  };
}

/** Who does something, and in which window of theirs. */
function windowOf(body: Json): { readonly user: string; readonly tab: string } {
  return { user: text(body, 'user'), tab: typeof body.tab === 'string' ? body.tab : '' };
}

function text(body: Json, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Refusal('invalid_arguments');
  return value;
}

function placeOf(value: unknown): PlaceName {
  if (!isJson(value)) throw new Refusal('invalid_arguments');
  return typeof value.viewId === 'string'
    ? { viewId: value.viewId }
    : { channel: text(value, 'channel'), ts: text(value, 'ts') };
}

function entryOf(value: unknown): Entry | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Refusal('invalid_arguments');
}

function entriesOf(value: unknown): Entries {
  if (!isJson(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, entryOf(entry) ?? null]));
}

/** How soon a page that lost the stream asks for it again. */
const retryMs = 1_500;

/** Sends one person's page whatever changes before their eyes, as server-sent events. */
function streamChanges(
  stage: Stage,
  user: string,
  { request, response }: { readonly request: Request; readonly response: Response },
): void {
  response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
  const send = (change: object) => response.write(`data: ${JSON.stringify(change)}\n\n`);
  response.write(`retry: ${retryMs}\n`);
  send({ kind: 'hello' });
  let last: Promise<void> = Promise.resolve();
  const stop = stage.workspace.listen((change) => {
    const isMessage = 'message' in change;
    if (isMessage ? !sees(stage, user, change.message) : change.user !== user) return;
    const sent = isMessage ? { kind: change.kind, message: pageMessage(change.message) } : change;
    // Issues may have been imported since the page was opened. Where that cannot be found out the page asks again.
    last = last
      .then(async () => void ((await mayEnter(request, stage.options)) ? send(sent) : response.end()))
      .catch(() => void response.end());
  });
  const beat = setInterval(() => response.write(': still here\n\n'), 20_000).unref();
  response.on('close', () => {
    stop();
    clearInterval(beat);
  });
}

function sees({ workspace }: Stage, user: string, { channel, onlyFor }: Message): boolean {
  if (onlyFor !== undefined && onlyFor !== user) return false;
  return !channel.startsWith('D') || channel === workspace.directOf(user);
}

/** What the page needs to draw the workspace for one person; nothing secret is in it. */
async function pageState(stage: Stage, user: string, tab: string): Promise<Json> {
  const { options, workspace } = stage;
  const hints = await hintsOf(options);
  const me = options.people.find(({ id, name }) => id === user || name === user) ?? options.people[0];
  return {
    me: me?.id ?? '',
    team: { name: options.team.name },
    app: {
      name: options.app.name,
      user: options.app.botUserId,
      description: options.app.description ?? '',
      messagesTab: options.app.messagesTab ?? true,
    },
    people: options.people.map(({ id, name, realName, tz }) => ({ id, name, realName, tz })),
    channels: options.channels.map(({ id, name, topic }) => ({ id, name, topic: topic ?? '' })),
    direct: me ? workspace.directOf(me.id) : '',
    commands: options.commands,
    shortcuts: options.shortcuts ?? [],
    hints,
    modals: me ? stage.views.stackOf(me.id, tab) : [],
    home: (me && stage.views.homeOf(me.id)) ?? null,
    now: options.now(),
  };
}

/** Hints only help: the page does without them when they cannot be had. */
async function hintsOf({ hints = [] }: PlaygroundOptions): Promise<readonly Hint[]> {
  try {
    return typeof hints === 'function' ? await hints() : hints;
  } catch {
    return [];
  }
}

/** The messages one person sees in one place. */
function conversationState(stage: Stage, user: string, id: string): Json {
  const { workspace } = stage;
  const conversation = workspace.conversation(id);
  const person = personOf(stage, user);
  if (conversation.direct && conversation.direct.id !== person.id) throw new Refusal('channel_not_found');
  return {
    messages: workspace.messages(conversation.id, person.id).map((message) => pageMessage(message)),
  };
}

/** A message as the page draws it. */
function pageMessage({ files, ...message }: Message): Json {
  // Addresses are relative to the page, whatever name it was opened under.
  return files ? { ...message, files: files.map((file) => wireFile(file, '')) } : message;
}
