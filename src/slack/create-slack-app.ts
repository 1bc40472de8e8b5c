import {
  type AllMiddlewareArgs,
  App,
  type BlockAction,
  ExpressReceiver,
  type Receiver,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Application } from 'express';
import type { DigestNotifier } from '../api/digests/digests-api.ts';
import type { ExportNotifier } from '../api/exports/exports-api.ts';
import type { NudgeNotifier } from '../api/nudges/nudges-api.ts';
import type { WatchNotifier } from '../api/watches/watches-api.ts';
import { inMemory } from '../cache/namespace.ts';
import { urgently } from '../concurrency/cooperative-yield.ts';
import { asActor, asOneQuestion } from '../concurrency/request-scope.ts';
import type { Outage } from '../model/error.ts';
import { actionOf, answerAction, answerShortcut } from './app/answer-action.ts';
import { answerMenu, answerModal } from './app/answer-modal.ts';
import type { SlashInvocation } from './app/handler-types.ts';
import { MORE } from './app/message-texts.ts';
import type { ProvidedParts, SlackParts } from './app/parts.ts';
import {
  accountIn,
  type Installation,
  isForInstallation,
  notAnswered,
  refuseForeign,
  type SlackTrigger,
  triggerOf,
} from './app/payloads.ts';
import { createPictures } from './app/pictures.ts';
import {
  BackgroundClient,
  BotClient,
  createSlackTokens,
  createTwoSockets,
  type OnSlackCall,
  type SocketReceiver,
  slackLog,
} from './app/slack-clients.ts';
import { isTokenRefused, refusalOf } from './app/slack-refusal.ts';
import { verifySignature } from './app/verify-signature.ts';
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
import { createNudgeNotifier } from './nudges/answer-nudge.ts';
import { createAccounts } from './people/accounts.ts';
import { createWatchNotifier } from './watches/watch-notifier.ts';

/** The address to which Slack sends what happens, over HTTP. */
const ENDPOINT = '/slack/events';

/** Slack waits three seconds for what a click or command sets off. */
const CALL_TIMEOUT_MS = 8000;

/** How the app is reached. `apiUrl` leads elsewhere than to Slack in the playground and in tests. */
export type SlackTransport = { readonly botToken: string; readonly apiUrl?: string } & (
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string; readonly express: Application }
);

/** The running Slack door. */
export interface SlackDoor {
  /** Connects to Slack. Where that fails the log says why, and it is tried again until the stop. */
  start(): Promise<void>;
  /**
   * Takes nothing new, and resolves when every answer under way is sent or `drainMs` have passed, to the number of
   * answers that were cut.
   */
  stop(drainMs: number): Promise<number>;
  readonly exportNotifier: ExportNotifier;
  readonly digestNotifier: DigestNotifier;
  readonly watchNotifier: WatchNotifier;
  readonly nudgeNotifier: NudgeNotifier;
  /** Why Slack cannot be used at the moment, which everything else goes on without; null: it can. */
  outage(): Outage | null;
}

/** The surroundings of the door. */
interface SlackSurroundings extends Pick<SlackParts, 'log' | 'wait'> {
  /**
   * Runs the answer to what Slack sent under an id, logs and measures it; the work calls `onAcknowledged`.
   */
  readonly asRequest: (
    trigger: SlackTrigger,
    work: (onAcknowledged: () => void) => Promise<void>,
  ) => Promise<void>;
  readonly onCall: OnSlackCall;
}

/** The events that are answered or noted. */
const events = [
  ...['app_home_opened', 'link_shared', 'message', 'app_mention', 'app_context_changed'],
  ...['user_change', 'team_join', 'app_uninstalled', 'tokens_revoked'],
];

/** The names of everything that Slack can send. */
const triggers: ReadonlySet<string> = new Set([
  ...commands.map(({ root }) => root),
  ...[actions, modals, menus, shortcuts].flatMap((list) => list.map(({ id }) => id)),
  ...events,
  MORE,
]);

/** How soon it is tried again whether Slack accepts the bot token. */
const RETRY_MS = 30_000;

/** Builds the Slack door: one Bolt app, whatever the transport. */
export function createSlackApp(
  transport: SlackTransport,
  given: ProvidedParts,
  { log, wait, asRequest, onCall }: SlackSurroundings,
): SlackDoor {
  const logger = slackLog(log);
  const address = transport.apiUrl === undefined ? {} : { slackApiUrl: transport.apiUrl };
  const clientOptions = {
    ...address,
    timeout: CALL_TIMEOUT_MS,
    retryConfig: { retries: 1, minTimeout: 200, maxTimeout: 1000 },
    allowAbsoluteUrls: false,
  };
  const tokens = createSlackTokens(log, (token) => {
    if (token === 'SLACK_BOT_TOKEN') void recover();
  });
  let sockets: SocketReceiver | null = null;
  let receiver: Receiver;
  if (transport.mode === 'socket') {
    sockets = createTwoSockets({
      appToken: transport.appToken,
      clientOptions,
      tokens,
      wait,
      log,
      onClosed: () => void accounts.forget(),
    });
    receiver = sockets;
  } else {
    const { signingSecret, express } = transport;
    express.post(ENDPOINT, verifySignature(signingSecret, Date.now, log));
    const verified = { signatureVerification: false, endpoints: ENDPOINT, app: express };
    receiver = new ExpressReceiver({ signingSecret, ...verified, logger });
  }
  // Else a pause Slack wants of one person would hold up all modals.
  const impatient = { ...clientOptions, logger, rejectRateLimitedCalls: true, onCall };
  const client = new BotClient(transport.botToken, impatient, tokens);
  const common = { now: given.now, log, shared: given.shared };
  const web = new BackgroundClient(transport.botToken, { ...address, logger, onCall }, { tokens, wait });
  // Over HTTP it goes unnoticed that events could not be delivered, and of a shared cache events reach one process only.
  const getsEvents = sockets !== null && given.shared === inMemory;
  const accounts = createAccounts(web, { ...common, ...(getsEvents ? { stored: given.stored } : {}) });
  const homeParts: Omit<SlackParts, 'homes' | 'commands'> = {
    ...given,
    web,
    apiUrl: transport.apiUrl,
    accounts,
    channelFacts: createChannelFacts(web, common),
    shares: createRecentShares(given.now, given.stored),
    lastAnswers: createLastAnswers(given),
    pictures: createPictures({ web, apiUrl: transport.apiUrl, wait, ...common }),
    wait,
    log,
  };
  const ready = commands.map(({ alone, answer, ...line }) => ({
    ...line,
    answer: (invocation: SlashInvocation) =>
      (invocation.text === '' && alone ? alone : answer)(invocation, parts),
  }));
  const homes = createHomes({ ...homeParts, commands: ready });
  const parts: SlackParts = { ...homeParts, ...refreshingHomes(homes, given), homes, commands: ready };
  let home: Installation | null = null;
  /** Slack was asked once where the app is installed. */
  const firstIdentified = Promise.withResolvers<void>();
  let isRecovering = false;
  let isStopped = false;
  const app = new App({
    receiver,
    logger,
    clientOptions,
    // Nothing is kept there, and each request would be looked up in vain.
    convoStore: false,
    async authorize() {
      const { botId = '', botUserId = '' } = home ?? {};
      return { botToken: transport.botToken, botId, botUserId };
    },
  });

  const answerEvent = app.processEvent.bind(app);
  // Receivers call it with everything that comes.
  app.processEvent = (event) =>
    asRequest(triggerOf(event.body, triggers), (onAcknowledged) =>
      answerEvent({
        ...event,
        async ack(...answer) {
          await event.ack(...answer);
          onAcknowledged();
        },
      }),
    );

  app.use(async ({ next, ...args }) => {
    await firstIdentified.promise;
    // As long as Slack does not say where the app is installed, nothing is answered.
    if (home === null) return refuseForeign(args, notAnswered.unknown, log);
    if (isForInstallation(args.body, home)) return next();
    log.warn('what Slack sent for another workspace is not answered');
    await refuseForeign(args, notAnswered.elsewhere, log);
  });
  const underWay = new Set<Promise<void>>();
  app.use(async ({ next, body }) => {
    // What proves to take long is not urgent any more.
    const actor = { account: accountIn(body), via: 'slack' } as const;
    const work = asActor(actor, () => asOneQuestion(() => urgently(next)));
    underWay.add(work);
    try {
      await work;
    } finally {
      underWay.delete(work);
    }
  });
  // Bolt's own client does not note that Slack refuses the token. As with it, a call names the workspace it is for.
  const clients = new Map<string, WebClient>();
  const withClient = <Args extends AllMiddlewareArgs>(args: Args): Args => {
    const { teamId = '' } = args.context;
    const options = teamId === '' ? impatient : { ...impatient, teamId };
    const own = clients.get(teamId) ?? new BotClient(transport.botToken, options, tokens);
    clients.set(teamId, own);
    return { ...args, client: own };
  };
  const typed = new Map(commands.map(({ root }) => [root, answerCommand(root, parts, log)]));
  // Bolt asks every listener about everything that comes: commands go by none of them, and of each other kind there is one.
  app.use(async ({ next, ...args }) => {
    const answer = 'command' in args ? typed.get(args.command.command) : undefined;
    if (answer === undefined || !('command' in args)) return next();
    await answer(withClient({ ...args, next }));
  });
  const clicked = new Map(actions.map((action) => [action.id, answerAction(action, parts)]));
  app.action<BlockAction>({}, async (click) => clicked.get(actionOf(click.payload))?.(withClient(click)));
  const submitted = new Map(modals.map((modal) => [modal.id, answerModal(modal, parts)]));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, async (form) =>
    submitted.get(form.view.callback_id)?.(withClient(form)),
  );
  const typedInto = new Map(menus.map((menu) => [menu.id, answerMenu(menu, parts)]));
  app.options<'block_suggestion'>({}, async (query) =>
    typedInto.get(query.payload.action_id.split(':')[0] ?? '')?.(query),
  );
  const picked = new Map(shortcuts.map((shortcut) => [shortcut.id, answerShortcut(shortcut, parts)]));
  app.shortcut({}, async (pick) => picked.get(pick.shortcut.callback_id)?.(withClient(pick)));
  app.event('app_home_opened', publishHome(parts.homes));
  app.event('link_shared', unfurlLinks(parts));
  const conversation = createConversation(parts, log);
  app.event('message', conversation.answer);
  app.event('app_mention', conversation.answer);
  app.event('app_context_changed', conversation.changeView);
  app.event('user_change', async ({ event }) => accounts.noteChange(event.user));
  app.event('team_join', async ({ event }) => accounts.noteNewcomer(event.user));
  app.event('app_uninstalled', async () => tokens.refuse('SLACK_BOT_TOKEN', 'app_uninstalled'));
  app.event('tokens_revoked', async ({ event }) => {
    // Tokens of people are not the app's.
    if ((event.tokens.bot ?? []).length > 0) tokens.refuse('SLACK_BOT_TOKEN', 'token_revoked');
  });
  app.error(async (error) => log.error({ err: error }, 'a listener of the Slack door failed'));

  /** Asks Slack whose token this is; false where it does not say. */
  async function identify(isFirst = false): Promise<boolean> {
    try {
      const own = await client.auth.test();
      const { team_id: team = null, enterprise_id: enterprise = null } = own;
      const bot = { botUserId: own.user_id ?? '', botId: own.bot_id ?? '' };
      home = { team, enterprise, isOrgWide: own.is_enterprise_install === true, ...bot };
      tokens.accept('SLACK_BOT_TOKEN');
      for (const missing of missingScopes(own.response_metadata?.scopes)) {
        log[missing.isOptional ? 'info' : 'warn'](
          `Slack has not granted ${missing.scopes.join(', ')}; without it ${missing.without}. Reinstall the app from the manifest (npx dwell manifest).`,
        );
      }
      return true;
    } catch (error) {
      const word = refusalOf(error);
      if (word !== null) tokens.refuse('SLACK_BOT_TOKEN', word);
      else if (isFirst && !isTokenRefused(error)) log.warn({ err: error }, 'Slack cannot be reached yet');
      return false;
    }
  }

  /** Asks again and again until Slack accepts the bot token. */
  async function recover(): Promise<void> {
    if (isRecovering) return;
    isRecovering = true;
    do await wait(RETRY_MS);
    while (!isStopped && !(await identify()));
    isRecovering = false;
  }

  return {
    async start() {
      if (!(await identify(true))) void recover();
      firstIdentified.resolve();
      await sockets?.start();
    },
    async stop(drainMs) {
      isStopped = true;
      await sockets?.stop();
      const patience = Promise.withResolvers<'over'>();
      const timer = setTimeout(() => patience.resolve('over'), Math.max(0, drainMs));
      // An answer may begin while others end.
      while (underWay.size > 0) {
        if ((await Promise.race([Promise.allSettled([...underWay]), patience.promise])) === 'over') break;
      }
      clearTimeout(timer);
      return underWay.size;
    },
    digestNotifier: createDigestNotifier(parts),
    watchNotifier: createWatchNotifier(parts),
    nudgeNotifier: createNudgeNotifier(parts),
    exportNotifier: createExportNotifier(parts),
    outage() {
      const refused = tokens.reason();
      if (refused !== null) return { state: 'refused', reason: refused };
      if (home === null) return { state: 'unreachable', reason: 'Slack cannot be reached.' };
      if (sockets === null || sockets.connected()) return null;
      return { state: 'unreachable', reason: 'No Socket Mode connection to Slack is open.' };
    },
  };
}
