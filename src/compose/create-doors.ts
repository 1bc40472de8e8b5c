import compression from 'compression';
import type { Application, Router } from 'express';
import express from 'express';
import type { Logger } from 'pino';
import type { Playground } from '../../playground/create-playground.ts';
import { answersInTurns } from '../api/answers/create-answers.ts';
import { principalOfHeader } from '../api/people/tokens.ts';
import { createAdmission, type Load, watchLoop } from '../concurrency/admission.ts';
import { createAnswerTurns } from '../concurrency/answer-turns.ts';
import { type AddPoints, createRateLimits } from '../concurrency/rate-limits.ts';
import { asOneQuestion, noteRequest } from '../concurrency/request-scope.ts';
import { createRestRouter } from '../http/create-rest-router.ts';
import type { HttpParts } from '../http/route.ts';
import type { Outage } from '../model/error.ts';
import { principalIn } from '../model/request.ts';
import { fillText } from '../output/sync-text.ts';
import type { ProvidedParts } from '../slack/app/parts.ts';
import type { SlackDoor, SlackTransport } from '../slack/create-slack-app.ts';
import type { Meters } from '../telemetry/meters.ts';
import { type Config, sampleSite } from './config.ts';
import { createMetricsDoor } from './metrics-door.ts';
import { measureDoors, observeSlack } from './observe.ts';
import type { Requests } from './requests.ts';
import { answerClientError, answerUnreadable, type ShutdownTimeouts, type WebServer } from './web-server.ts';

/** Bytes. */
const PACKED_FROM = 4096;

/** The parts that the doors are built over. */
export interface DoorsParts
  extends Omit<
      HttpParts,
      'timeZone' | 'baseUrl' | 'turns' | 'limits' | 'admission' | 'waitingFor' | 'firstFill' | 'outages'
    >,
    Omit<ProvidedParts, 'timeZone' | 'baseUrl' | 'audit'> {
  /** Reports as people ask for them over REST and MCP, which are noted. */
  readonly notedReporting: HttpParts['reporting'];
  /** Delegations where people are named as on the wire, for the REST door; `delegations` is for the other. */
  readonly delegationsByLogin: HttpParts['delegations'];
  /** Null when everything behind the doors can take work, else what it is waiting for. */
  readonly waitingFor: () => Promise<string | null>;
  readonly log: Logger;
  readonly meters: Meters;
  readonly requests: Requests;
  /** Leads elsewhere than to Slack in tests. */
  readonly slackApiUrl: string | undefined;
  /** The name of the tracker in use. */
  readonly tracker: () => Promise<string>;
  /** An unguessable word of letters and digits. */
  readonly newCode: () => string;
  readonly redisOutage: () => Outage | null;
  readonly web: WebServer;
  /** Counts that all processes share; null: each counts for itself. */
  readonly addPoints: AddPoints | null;
  /** Chance, from 0 to below 1. */
  readonly random: () => number;
  /** Returns how late (ms) the event loop came round; measured where it is not handed in. */
  readonly lateMs?: () => number;
  /** Is called with each request that is refused: by the limit of its sender, or because of others. */
  readonly onRefused: (refusal: {
    readonly why: 'token' | 'address' | 'tenant' | 'requests' | 'reports';
  }) => void;
  /** Resolves after a number of ms, and keeps no process from ending. */
  readonly slackWait: (ms: number) => Promise<void>;
}

/** The addresses of the open doors. */
export interface OpenDoors {
  readonly url: string;
  /** The address of the metrics where they have a port of their own, else null. */
  readonly metrics: string | null;
  /** Null where only REST is served. */
  readonly slack: SlackDoor | null;
  /** The address of the page of a stand-in for Slack, with its code; null where none is served. */
  readonly playground: string | null;
}

/** REST and, if configured, Slack or what stands in for it, on one server. */
export interface Doors {
  /** Listens; requests wait until `serve`. */
  open(): Promise<OpenDoors>;
  serve(): Promise<void>;
  /** Ends what holds connections open for as long as a page is. */
  leavePlayground(): void;
  /**
   * Lets answers under way end: those to requests first, then those that commands still owe. Resolves to the number of
   * those that were cut.
   */
  close(timeouts: ShutdownTimeouts): Promise<number>;
}

/** Builds the doors; nothing listens until they are opened. */
export function createDoors(
  config: Config,
  {
    delegationsByLogin,
    notedReporting,
    waitingFor,
    log,
    slackApiUrl,
    slackWait,
    tracker,
    newCode,
    redisOutage,
    web,
    meters,
    requests,
    addPoints,
    random,
    lateMs,
    onRefused,
    ...parts
  }: DoorsParts,
): Doors {
  const { timeZone } = config;
  const { reporting, sync, version, now } = parts;
  const metricsDoor = createMetricsDoor(config, meters);
  const loop = watchLoop();
  const load: Load = { lateMs: lateMs ?? loop.lateMs, random, onRefused };
  const turns = createAnswerTurns(config.longAnswers, load);
  const { tenant } = parts.tokens;
  const nobody = principalIn(tenant, '');
  const app = express()
    .disable('x-powered-by')
    .set('trust proxy', [...config.trustedProxies]);
  let slack: SlackDoor | null = null;
  let playground: Playground | null = null;
  let page: string | null = null;
  const furnishing = () => import('./furnish-playground.ts');

  async function openSlack(transport: SlackTransport, baseUrl: string | null): Promise<SlackDoor> {
    const { createSlackApp } = await import('../slack/create-slack-app.ts');
    const answers = answersInTurns(parts.answers, turns);
    return createSlackApp(
      transport,
      { ...parts, answers, baseUrl, timeZone },
      { log, wait: slackWait, asRequest: requests.slack, onCall: observeSlack(meters, tenant) },
    );
  }

  async function openMcp(rest: HttpParts): Promise<Router> {
    const { createMcpRouter } = await import('../mcp/http-door.ts');
    return createMcpRouter({ ...rest, principalOf: (header) => principalOfHeader(header, rest) }, log);
  }

  /** The code that opens a playground over issues that are not the sample: every visitor sees everything. */
  function createEntry(address: string) {
    const code = newCode();
    const link = `${address}/?code=${code}`;
    let isLogged = false;
    return {
      code,
      link,
      async isNeeded() {
        const isSample = (await tracker()) === 'sample';
        // Once, and no later line has it: issues may be imported at any time.
        if (!isSample && !isLogged) log.info(`The playground opens only with this link: ${link}`);
        isLogged ||= !isSample;
        return !isSample;
      },
    };
  }

  return {
    async open() {
      const url = await web.listen(config.port, config.host);
      const baseUrl = config.baseUrl ?? url;
      if (config.slack.mode === 'playground') {
        const { buildPlayground } = await import('../../playground/build-playground.ts');
        const { readManifest } = await import('./manifest.ts');
        page = baseUrl.replace('127.0.0.1', 'localhost');
        const entry = config.slack.isOpen ? null : createEntry(page);
        const named = config.baseUrl === null ? [] : [new URL(config.baseUrl).hostname];
        const { playground: built, ...secrets } = buildPlayground({
          url,
          now,
          manifest: readManifest(),
          exampleKeys: () => reporting.exampleKeys(nobody, 10),
          site: sampleSite(config),
          issue: async (key) => (await furnishing()).samplePage(key, parts.tokens.tenant, reporting),
          hosts: config.slack.isOpen ? named : null,
          entry,
        });
        playground = built;
        if (entry !== null && (await entry.isNeeded())) page = entry.link;
        slack = await openSlack({ mode: 'http', express: app, ...secrets }, baseUrl);
        built.attachSocketMode(web.server);
        app.use(built.router);
      } else {
        const transport = slackItself(config, app, slackApiUrl);
        // A link to this machine is of no use elsewhere, unless the playground is open on it.
        if (transport !== null && config.baseUrl === null) {
          log.warn(
            'BASE_URL is not set, so messages in Slack have no links to Dwell: no page to link an account, no download. Set it to the address at which people reach Dwell, such as https://dwell.example.com.',
          );
        }
        if (transport !== null) slack = await openSlack(transport, config.baseUrl);
      }
      const rest = {
        ...parts,
        reporting: notedReporting,
        delegations: delegationsByLogin,
        turns,
        limits: createRateLimits({
          limits: config.requestLimits,
          tokenOf: parts.tokens.provenBy,
          shared: addPoints,
          trustsNoProxy: config.trustedProxies.length === 0,
          warn: (text) => log.warn(text),
          onRefused,
        }),
        admission: createAdmission(load),
        timeZone,
        baseUrl,
        waitingFor,
        outages: () => ({ slack: slack?.outage() ?? null, redis: redisOutage() }),
        firstFill: async () => {
          const progress = config.hostedReporting === null ? await sync.progress() : null;
          return progress === null || progress.filled ? null : fillText(progress);
        },
      };
      app.use(requests.http);
      app.use((request, response, next) => {
        if (!metricsDoor.answer(request, response)) return next();
        noteRequest({ route: '/metrics' });
      });
      app.use((_request, _response, next) => asOneQuestion(next));
      // Slack's door goes without: an acknowledgement that is packed first comes after what was done upon it.
      // A few packets are sent sooner than they are packed in a turn of their own.
      app.use(compression({ threshold: PACKED_FROM, level: 1 }));
      // Loaded with the first request: most installations have no assistants.
      let mcp: Promise<Router> | null = null;
      app.use('/mcp', async (request, response, next) => {
        noteRequest({ door: 'mcp', route: '/mcp' });
        mcp ??= openMcp(rest);
        (await mcp)(request, response, next);
      });
      app.use(createRestRouter(rest, log));
      measureDoors(meters, {
        tenant,
        waitingFor,
        turns,
        redis: config.keyvUrl === null ? null : redisOutage,
        slack: () => slack,
      });
      const metrics = await metricsDoor.open();
      web.server.on('clientError', (error, socket) => answerClientError(error, socket, rest));
      return { url, metrics, slack, playground: page };
    },
    async serve() {
      web.serve(answerUnreadable(app, { now, timeZone, version }));
      await slack?.start();
      const site = sampleSite(config);
      if (slack === null || playground === null || site === null) return;
      // The morning is one of the sample's company, with a digest, and nothing is posted while posting is paused.
      if ((await tracker()) !== 'sample' || (await parts.restore.isPaused())) return;
      const { furnishPlayground } = await furnishing();
      // People who are there already see it come.
      void furnishPlayground(playground, slack, { ...parts, site }).catch((error: unknown) =>
        log.warn({ err: error }, 'the playground is empty'),
      );
    },
    leavePlayground: () => playground?.close(),
    async close(timeouts) {
      const until = performance.now() + timeouts.drainMs;
      await metricsDoor.close();
      const cut = await web.close(timeouts);
      const owed = await slack?.stop(until - performance.now());
      loop.stop();
      return cut + (owed ?? 0);
    },
  };
}

/** Slack where its tokens are configured; null where only REST is served. */
function slackItself(
  { slack }: Config,
  express: Application,
  apiUrl: string | undefined,
): SlackTransport | null {
  const elsewhere = apiUrl === undefined ? {} : { apiUrl };
  if (slack.mode === 'socket') return { ...slack, ...elsewhere };
  return slack.mode === 'http' ? { ...slack, express, ...elsewhere } : null;
}
