import { setTimeout as pause } from 'node:timers/promises';
import {
  App,
  type BlockAction,
  ExpressReceiver,
  LogLevel,
  type Receiver,
  type Logger as SlackLogger,
  SocketModeReceiver,
  type ViewSubmitAction,
} from '@slack/bolt';
import { type WebAPICallResult, WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Application, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { DigestNotifier } from '../api/digests/digests-api.ts';
import type { ExportNotifier } from '../api/exports/exports-api.ts';
import type { WatchNotifier } from '../api/watches/watches-api.ts';
import { urgently } from '../concurrency/cooperative-yield.ts';
import { AppError } from '../model/error.ts';
import { actionOf, answerAction, answerShortcut } from './app/answer-action.ts';
import { answerMenu, answerModal } from './app/answer-modal.ts';
import type { SlashInvocation } from './app/handler-types.ts';
import type { ProvidedParts, SlackParts } from './app/parts.ts';
import { createPictures } from './app/pictures.ts';
import { withRateLimitRetry } from './app/post-message.ts';
import { isTokenLost, tokenLost } from './app/slack-refusal.ts';
import { answerCommand } from './ask/ask-command.ts';
import { createConversation } from './ask/conversation.ts';
import { createLastAnswers } from './ask/last-answer.ts';
import { createRecentShares } from './ask/share-answer.ts';
import { createChannelFacts } from './channels/channel-facts.ts';
import { missingScopes } from './channels/status.ts';
import { unfurlLinks } from './channels/unfurl-links.ts';
import { createDigestNotifier } from './digests/digest-notifier.ts';
import { actions, commands, menus, modals, shortcuts } from './entries.ts';
import { createExportNotifier } from './exports/export-notifier.ts';
import { createHomes, publishHome, refreshingHomes } from './home/homes.ts';
import { createAccounts } from './people/accounts.ts';
import { createWatchNotifier } from './watches/watch-notifier.ts';

/** Slack waits three seconds for what a click or command sets off. */
const CALL_TIMEOUT_MS = 8000;

/** How the app is reached. `apiUrl` leads elsewhere than to Slack in the playground and in tests. */
export type SlackTransport = { readonly botToken: string; readonly apiUrl?: string } & (
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string; readonly express: Application }
);

/** The running Slack door. */
export interface SlackDoor {
  start(): Promise<void>;
  /** Takes nothing new, and resolves when every answer under way is sent or `patienceMs` have passed. */
  stop(patienceMs: number): Promise<void>;
  readonly exportNotifier: ExportNotifier;
  readonly digestNotifier: DigestNotifier;
  readonly watchNotifier: WatchNotifier;
  /** Null when Slack can reach it, else what it is waiting for. */
  waitingFor(): string | null;
}

/** Builds the Slack door: one Bolt app, whatever the transport. */
export function createSlackApp(transport: SlackTransport, given: ProvidedParts, log: Logger): SlackDoor {
  const logger = slackLog(log);
  const address = transport.apiUrl === undefined ? {} : { slackApiUrl: transport.apiUrl };
  const clientOptions = {
    ...address,
    timeout: CALL_TIMEOUT_MS,
    retryConfig: { retries: 1, minTimeout: 200, maxTimeout: 1000 },
    allowAbsoluteUrls: false,
  };
  let sockets: SocketReceiver | null = null;
  let receiver: Receiver;
  if (transport.mode === 'socket') {
    sockets = createTwoSockets({ appToken: transport.appToken, logger, installerOptions: { clientOptions } });
    receiver = sockets;
  } else {
    const { signingSecret, express } = transport;
    express.use('/slack/events', refuseFuture(Date.now));
    receiver = new ExpressReceiver({ signingSecret, app: express, endpoints: '/slack/events', logger });
  }
  const client = new WebClient(transport.botToken, { ...clientOptions, logger });
  const kept = { now: given.now, log, shared: given.shared };
  const wait = (ms: number) => pause(ms, undefined, { ref: false });
  const web = new BackgroundClient(transport.botToken, { ...address, logger }, wait);
  const homeParts: Omit<SlackParts, 'homes' | 'commands'> = {
    ...given,
    web,
    apiUrl: transport.apiUrl,
    accounts: createAccounts(web, kept),
    channelFacts: createChannelFacts(web, kept),
    shares: createRecentShares(given.now, given.stored),
    lastAnswers: createLastAnswers(given),
    pictures: createPictures({ web, apiUrl: transport.apiUrl, wait, ...kept }),
    wait,
    log,
  };
  const ready = commands.map(({ alone, answer, ...line }) => ({
    ...line,
    answer: (asked: SlashInvocation) => (asked.text === '' && alone ? alone : answer)(asked, parts),
  }));
  const homes = createHomes({ ...homeParts, commands: ready });
  const parts: SlackParts = { ...homeParts, ...refreshingHomes(homes, given), homes, commands: ready };
  let identity: { botId: string; botUserId: string } | null = null;
  const app = new App({
    receiver,
    logger,
    // Else a pause Slack wants of one person would hold up all modals.
    clientOptions: { ...clientOptions, rejectRateLimitedCalls: true },
    // Nothing is kept there, and each request would be looked up in vain.
    convoStore: false,
    authorize: async () => ({ botToken: transport.botToken, ...(identity ?? {}) }),
  });

  const underWay = new Set<Promise<void>>();
  app.use(async ({ next }) => {
    // What proves to take long is not urgent any more.
    const work = urgently(next);
    underWay.add(work);
    try {
      await work;
    } finally {
      underWay.delete(work);
    }
  });
  for (const root of new Set(commands.map((command) => command.root))) {
    app.command(root, answerCommand(root, parts, log));
  }
  // Bolt asks every listener about everything that comes: of each kind there is one.
  const clicked = new Map(actions.map((action) => [action.id, answerAction(action, parts, log)]));
  app.action<BlockAction>({}, async (click) => clicked.get(actionOf(click.payload))?.(click));
  const submitted = new Map(modals.map((modal) => [modal.id, answerModal(modal, parts, log)]));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, async (form) =>
    submitted.get(form.view.callback_id)?.(form),
  );
  const typedInto = new Map(menus.map((menu) => [menu.id, answerMenu(menu, parts, log)]));
  app.options<'block_suggestion'>({}, async (query) =>
    typedInto.get(query.payload.action_id.split(':')[0] ?? '')?.(query),
  );
  const picked = new Map(shortcuts.map((shortcut) => [shortcut.id, answerShortcut(shortcut, parts, log)]));
  app.shortcut({}, async (pick) => picked.get(pick.shortcut.callback_id)?.(pick));
  app.event('app_home_opened', publishHome(parts.homes));
  app.event('link_shared', unfurlLinks(parts));
  const conversation = createConversation(parts, log);
  app.event('message', conversation.answer);
  app.event('app_mention', conversation.answer);
  app.event('app_context_changed', conversation.changeView);
  app.event('app_uninstalled', async () => web.revoke());
  app.event('tokens_revoked', async ({ event: { tokens } }) => {
    // Tokens of people are not the app's.
    if ((tokens.bot ?? []).length > 0) web.revoke();
  });
  app.error(async (error) => log.error({ err: error }, 'a listener of the Slack door failed'));

  return {
    async start() {
      const own = await client.auth.test().catch((cause: unknown): never => {
        throw slackFailure('SLACK_BOT_TOKEN', cause);
      });
      identity = { botId: own.bot_id ?? '', botUserId: own.user_id ?? '' };
      for (const missing of missingScopes(own.response_metadata?.scopes)) {
        log[missing.isOptional ? 'info' : 'warn'](
          `Slack has not granted ${missing.scopes.join(', ')}; without it ${missing.without}. Reinstall the app from the manifest (npx dwell manifest).`,
        );
      }
      await sockets?.start().catch((cause) => {
        throw slackFailure('SLACK_APP_TOKEN', cause);
      });
    },
    async stop(patienceMs) {
      await sockets?.stop();
      const patience = Promise.withResolvers<'over'>();
      const timer = setTimeout(() => patience.resolve('over'), Math.max(0, patienceMs));
      // An answer may begin while others end.
      while (underWay.size > 0) {
        if ((await Promise.race([Promise.allSettled([...underWay]), patience.promise])) === 'over') break;
      }
      clearTimeout(timer);
    },
    digestNotifier: createDigestNotifier(parts),
    watchNotifier: createWatchNotifier(parts),
    exportNotifier: createExportNotifier(parts),
    waitingFor: () => {
      if (web.isRevoked) return "Slack revoked the app's token: reinstall the app and restart Dwell";
      if (identity === null) return 'Slack to accept the bot token';
      return sockets === null || sockets.connected() ? null : 'a Socket Mode connection to Slack';
    },
  };
}

/** Slack refused the token, or could not be reached at all. */
function slackFailure(token: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const lead =
    cause instanceof WebAPIPlatformError ? 'Slack does not accept' : 'Slack cannot be reached with';
  return new AppError('slack-unavailable', `${lead} ${token}: ${why}`, [], { cause });
}

type Options = ConstructorParameters<typeof SocketModeReceiver>[0];

/** A receiver over several sockets, and whether at least one of them is connected. */
export interface SocketReceiver extends Receiver {
  connected(): boolean;
}

/** Slack refreshes connections by their age; a refresh takes a few seconds. */
const APART_MS = 20_000;

/**
 * Two Socket Mode connections as one receiver. Slack refreshes every connection now and then and the client misses what
 * comes within those seconds; it sends each payload to one connection that is open, so the other one takes it. That
 * holds as long as they are not refreshed together, so the second opens later than the first, and connections that came
 * back together after an outage are moved apart again.
 */
export function createTwoSockets(options: Options, apartMs = APART_MS): SocketReceiver {
  const [first, second] = [new SocketModeReceiver(options), new SocketModeReceiver(options)];
  const openSince = new Map<SocketModeReceiver, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const moveSecond = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      // The client logs why a connection fails, and tries on its own.
      await second.client.disconnect().catch(() => {});
      if (!isStopped) await second.client.start().catch(() => {});
    }, apartMs).unref();
  };
  for (const receiver of [first, second]) {
    receiver.client.on('connected', () => {
      openSince.set(receiver, performance.now());
      const [one, other] = openSince.values();
      if (one !== undefined && other !== undefined && Math.abs(one - other) < apartMs / 2) moveSecond();
    });
    for (const event of ['close', 'reconnecting', 'disconnecting', 'disconnected']) {
      receiver.client.on(event, () => openSince.delete(receiver));
    }
  }
  return {
    init: (app: App) => {
      for (const receiver of [first, second]) receiver.init(app);
    },
    async start() {
      await first.start();
      moveSecond();
    },
    // The receiver's own stop does not wait until its connection is closed.
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return Promise.all([first, second].map((receiver) => receiver.client.disconnect()));
    },
    connected: () => openSince.size > 0,
  };
}

const FIVE_MINUTES_S = 300;

/**
 * Refuses a request signed for later: Bolt refuses only what is older than five minutes, so that a captured request
 * with a time ahead of ours could be repeated until then.
 */
export function refuseFuture(now: () => number): RequestHandler {
  return (request, response, next) => {
    const signedAt = Number(request.get('x-slack-request-timestamp') ?? 0);
    if (signedAt - now() / 1000 > FIVE_MINUTES_S) response.status(401).end();
    else next();
  };
}

/** Slack's libraries write into our log; their chatter about every step goes to the debug level. */
export function slackLog(log: Logger): SlackLogger {
  const text = (messages: unknown[]) =>
    messages.map((message) => (message instanceof Error ? message.message : String(message))).join(' ');
  return {
    debug: () => {},
    info: (...messages) => log.debug(text(messages)),
    warn: (...messages) => log.warn(text(messages)),
    error: (...messages) => log.error(text(messages)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

/** No one waits for what is done in the background. */
const TIMEOUT_MS = 30_000;

/**
 * Calls to Slack without hurry. A call that Slack limits is made once more after the pause that it asks for; no other is
 * made twice, for it may have been done, and a view is tried again by its caller, as long as people look at it. Once Slack has revoked the token every call fails at once, until Dwell starts
 * again with one that works.
 */
export class BackgroundClient extends WebClient {
  readonly #wait: (ms: number) => Promise<void>;
  #isRevoked = false;

  constructor(botToken: string, options: WebClientOptions, wait: (ms: number) => Promise<void>) {
    super(botToken, {
      ...options,
      timeout: TIMEOUT_MS,
      retryConfig: { retries: 0 },
      // The client's own way of waiting holds up all other calls.
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    });
    this.#wait = wait;
  }

  get isRevoked(): boolean {
    return this.#isRevoked;
  }

  /** The app was uninstalled, or its token revoked. */
  revoke(): void {
    this.#isRevoked = true;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    if (this.#isRevoked) throw new AppError('slack-unavailable', tokenLost);
    try {
      const call = () => super.apiCall(method, options);
      return await (method.startsWith('views.') ? call() : withRateLimitRetry(call, this.#wait));
    } catch (cause) {
      if (!isTokenLost(cause)) throw cause;
      this.revoke();
      throw new AppError('slack-unavailable', tokenLost, [], { cause });
    }
  }
}
