import type { Server } from 'node:http';
import express, { type Router } from 'express';
import { answerError } from './answer-error.ts';
import { type Click, click } from './click.ts';
import { createDeliver } from './deliver.ts';
import { createFaults } from './faults.ts';
import { createFileRoute, createUploadRoute } from './file-routes.ts';
import { createFiles } from './files.ts';
import { createInputState } from './input-state.ts';
import type { Json } from './json.ts';
import { openHome } from './open-home.ts';
import { type PlaygroundOptions, slackLimits } from './options.ts';
import { createPageRoutes } from './page-routes.ts';
import { postAs, type Typed } from './post-as.ts';
import { createPostPace } from './post-pace.ts';
import { type OptionQuery, requestOptions } from './request-options.ts';
import { createResponseRoute } from './response-route.ts';
import { createResponseUrls } from './response-urls.ts';
import { onlyNamed, whyNotNamed } from './same-origin.ts';
import { sendCommand, type TypedCommand } from './send-command.ts';
import { sendEvent } from './send-event.ts';
import { createSocketMode } from './socket-mode.ts';
import type { Stage } from './stage.ts';
import { closeView, type Submission, submitView } from './submit-view.ts';
import { createTriggers } from './triggers.ts';
import { type ShortcutUse, useShortcut } from './use-shortcut.ts';
import { createViews } from './views.ts';
import { type Call, createWebApi } from './web-api.ts';
import { createWorkspace } from './workspace.ts';

/** So many calls are remembered: enough for any test, little enough for a page that stays open for weeks. */
const mostCalls = 1_000;

/** A stand-in Slack: a router to mount, what people can do, what can be seen, and what can go wrong. */
export type Playground = ReturnType<typeof createPlayground>;

/** Builds a playground from its options; nothing is shared between two of them. */
export function createPlayground(options: PlaygroundOptions) {
  const stage = createStage(options);
  const { workspace, views, files, sockets, faults } = stage;
  const calls: Call[] = [];
  const page = createPageRoutes(stage);
  const record = (call: Call) => {
    calls.push(call);
    if (calls.length > mostCalls) calls.shift();
  };
  return {
    router: createRouter(stage, record, page.router),
    attachSocketMode: (server: Server) => sockets.attach(server),

    sendCommand: (typed: TypedCommand) => sendCommand(stage, typed),
    postMessage: (typed: Typed) => postAs(stage, typed),
    click: (made: Click) => click(stage, made),
    submitView: (submission: Submission) => submitView(stage, submission),
    closeView: (user: string) => closeView(stage, user),
    openHome: (user: string, tab?: 'home' | 'messages') => openHome(stage, user, tab),
    requestOptions: (query: OptionQuery) => requestOptions(stage, query),
    useShortcut: (use: ShortcutUse) => useShortcut(stage, use),
    sendEvent: (event: Json) => sendEvent(stage, event),

    /** What a person sees in a channel; without a person, what everybody sees. */
    messages: (channel: string, viewer?: string) =>
      workspace.messages(workspace.conversation(channel).id, viewer),
    home: (user: string) => views.homeOf(user),
    modals: (user: string) => views.stackOf(user),
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
    isNamed: (request) => whyNotNamed(request, options) === null,
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

function createRouter(stage: Stage, record: (call: Call) => void, page: Router): Router {
  const router = express.Router();
  router.use('/playground', onlyNamed(stage.options));
  router.use('/playground/api', createWebApi(stage, record));
  router.use('/playground/response', createResponseRoute(stage));
  router.use('/playground/upload', createUploadRoute(stage));
  router.use('/playground/files', createFileRoute(stage));
  router.use(page);
  router.use(answerError);
  return router;
}
