import type { Server } from 'node:http';
import express, { type ErrorRequestHandler, type Router } from 'express';
import { createInputState } from './block-elements.ts';
import { type Ack, type DeliveryKind, postSigned, type Retry } from './deliver.ts';
import { addressProblem, onlyNamed, onlyWithCode } from './entry-checks.ts';
import { createFaults, createPostPace } from './faults.ts';
import { createResponseUrls, createTriggers } from './interaction-grants.ts';
import {
  type Click,
  click,
  closeView,
  type OptionQuery,
  requestOptions,
  type ShortcutUse,
  type Submission,
  submitView,
  useShortcut,
} from './interactions.ts';
import { createViews } from './open-views.ts';
import { createPageRoutes } from './page-routes.ts';
import { type PlaygroundLimits, type PlaygroundOptions, slackLimits } from './playground-options.ts';
import type { Json } from './slack-json.ts';
import { createFileRoute, createResponseRoute, createUploadRoute } from './slack-urls.ts';
import { createSocketMode, type SocketMode } from './socket-mode.ts';
import type { Stage } from './stage.ts';
import { openHome, postAs, sendCommand, sendEvent, type Typed, type TypedCommand } from './typed-lines.ts';
import { createFiles } from './uploaded-files.ts';
import { type Call, createWebApi } from './web-api.ts';
import { createWorkspace } from './workspace.ts';

/** So many calls are remembered: enough for any test, little enough for a page that stays open for weeks. */
const MAX_CALLS = 1_000;

/** A stand-in Slack: a router to mount, what people can do, what can be seen, and what can go wrong. */
export type Playground = ReturnType<typeof createPlayground>;

/** Builds a playground from its options; nothing is shared between two of them. */
export function createPlayground(given: PlaygroundOptions) {
  const clock: { at: number | null } = { at: null };
  const options = { ...given, signatureTime: given.signatureTime ?? given.now };
  const stage = createStage({ ...options, now: () => clock.at ?? given.now() });
  const { workspace, views, files, sockets, faults } = stage;
  const calls: Call[] = [];
  const page = createPageRoutes(stage);
  const record = (call: Call) => {
    calls.push(call);
    if (calls.length > MAX_CALLS) calls.shift();
  };
  return {
    router: createRouter(stage, record, page.router),
    attachSocketMode: (server: Server) => sockets.attach(server),

    sendCommand: (typed: TypedCommand) => sendCommand(stage, typed),
    postMessage: (typed: Typed) => postAs(stage, typed),
    click: (made: Click) => click(stage, made),
    submitView: (submission: Submission) => submitView(stage, submission),
    closeView: (user: string, tab?: string) => closeView(stage, user, tab),
    openHome: (user: string, tab?: 'home' | 'messages') => openHome(stage, user, tab),
    requestOptions: (query: OptionQuery) => requestOptions(stage, query),
    useShortcut: (use: ShortcutUse) => useShortcut(stage, use),
    sendEvent: (event: Json) => sendEvent(stage, event),

    /** Does something as if it were another instant: what is posted meanwhile is dated then. */
    async at<Result>(instant: number, work: () => Promise<Result>): Promise<Result> {
      clock.at = instant;
      try {
        return await work();
      } finally {
        clock.at = null;
      }
    },

    /** What a person sees in a channel; without a person, what everybody sees. */
    messages: (channel: string, viewer?: string) =>
      workspace.messages(workspace.conversation(channel).id, viewer),
    home: (user: string) => views.homeOf(user),
    modals: (user: string, tab?: string) => views.stackOf(user, tab),
    files: () => files.all(),
    /** The calls the app made last, without their tokens. */
    calls: (method?: string) => calls.filter((call) => method === undefined || call.method === method),
    listen: workspace.listen,

    sockets,
    faults,

    /** Ends every open stream and connection. */
    close(): void {
      page.close();
      sockets.close();
    },
  };
}

function createStage(options: PlaygroundOptions): Stage {
  const { now, newId, url, app, team } = options;
  const limits = { ...slackLimits, ...options.limits };
  const workspace = createWorkspace(options);
  const sockets = createSocketMode({
    appId: app.id,
    newId,
    url,
    isNamed: (request) => addressProblem(request, options) === null,
  });
  return {
    options,
    limits,
    workspace,
    sockets,
    views: createViews(workspace, app, team.id, newId),
    files: createFiles({ now, newId, url, user: app.botUserId }),
    triggers: createTriggers({ now, newId, ms: limits.triggerMs }),
    responseUrls: createResponseUrls({ now, newId, url, uses: limits.responseUses, ms: limits.responseMs }),
    faults: createFaults(),
    pace: createPostPace({ now, burst: limits.postBurst }),
    inputs: createInputState(),
    deliver: createDeliver(options, limits, sockets),
  };
}

/** Sends to the app: over Socket Mode while a connection is open, else as a signed request. */
function createDeliver(options: PlaygroundOptions, limits: PlaygroundLimits, sockets: SocketMode) {
  const signatureTime = options.signatureTime ?? options.now;
  return (kind: DeliveryKind, payload: Json, retry?: Retry): Promise<Ack> =>
    sockets.connections() > 0
      ? sockets.send(kind, payload, limits.ackMs, retry)
      : postSigned({
          url: options.botUrl(),
          kind,
          payload,
          signingSecret: options.signingSecret,
          atMs: signatureTime(),
          timeoutMs: limits.ackMs,
          headers: retry
            ? { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }
            : {},
        });
}

function createRouter(stage: Stage, record: (call: Call) => void, page: Router): Router {
  const router = express.Router();
  router.use('/playground', onlyNamed(stage.options));
  router.use('/playground/api', createWebApi(stage, record));
  router.use('/playground/response', createResponseRoute(stage));
  router.use('/playground/upload', createUploadRoute(stage));
  router.use('/playground/files', onlyWithCode(stage.options), createFileRoute(stage));
  router.use(page);
  router.use(answerError);
  return router;
}

/** The end of every failure in the playground: an answer in JSON that tells nothing of the inside. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (response.headersSent) return void response.destroy();
  const [status, word] = answerTo(statusOf(error));
  response.status(status).json({ ok: false, error: word });
};

function answerTo(status: number): readonly [number, string] {
  if (status === 404) return [404, 'not_found'];
  if (status === 413) return [413, 'request_too_large'];
  return status >= 400 && status < 500 ? [400, 'invalid_request'] : [500, 'internal_error'];
}

/** Express and its body parsers say with a status that the request was at fault. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
