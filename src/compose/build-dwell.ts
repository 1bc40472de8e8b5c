import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  auditedConsent,
  auditedExports,
  createAudit,
  notedAnswers,
  notedReports,
} from '../api/audit/create-audit.ts';
import { createBackups } from '../api/backups/create-backups.ts';
import { createExports } from '../api/exports/create-exports.ts';
import { createCycleTimes } from '../api/outcomes/issue-outcomes.ts';
import { createPersons } from '../api/people/create-persons.ts';
import { SIGNING_KEY } from '../api/people/signing-keys.ts';
import { createTokens } from '../api/people/tokens.ts';
import { createRestore } from '../api/restore/create-restore.ts';
import { importFiles } from '../api/tracker/import-files.ts';
import { inMemory, inStore, type SharedCache } from '../cache/namespace.ts';
import type { CliParts } from '../cli/cli-command.ts';
import { createAnswerTurns } from '../concurrency/answer-turns.ts';
import { createStoreClock } from '../concurrency/clock-check.ts';
import { asActor } from '../concurrency/request-scope.ts';
import { openTrackerIssues } from '../mirror/lists/tracker-issues.ts';
import type { Instant } from '../model/issue.ts';
import { reportIds } from '../model/report-ids.ts';
import { ask, defaultTenant, principalIn } from '../model/request.ts';
import type { SyncStatus } from '../model/sync.ts';
import { unreadRolesText } from '../output/sync-text.ts';
import { blobsIn, loadStore } from '../store/open-store.ts';
import type { OnStatement } from '../store/sql/engine.ts';
import type { OnUpgrade } from '../store/store.ts';
import { type Meters, unmeasured } from '../telemetry/meters.ts';
import type { Clock } from '../time/start-clock.ts';
import { buildApis } from './build-apis.ts';
import { buildTracker, trackerTitle } from './build-tracker.ts';
import type { Config } from './config.ts';
import type { Doors, DoorsParts, OpenDoors } from './create-doors.ts';
import { httpSurroundings } from './http-surroundings.ts';
import { measureDwell, observeCalls, observeStore } from './observe.ts';
import { clockProblem, createReadiness } from './readiness.ts';
import { createRequests } from './requests.ts';
import { makeTenantFolder, takeOverFiles } from './tenant-folder.ts';
import type { WebServer } from './web-server.ts';

/** The time that answers under way have to end when Dwell stops; containers are killed after ten seconds. */
export const DRAIN_MS = 8_000;

/** The time for which requests sent before a client could know of the end may still arrive. */
const IDLE_MS = 500;

/** The dependencies on the outside world. `slackApiUrl` is another address than Slack's in tests. */
export interface Surroundings
  extends Partial<Pick<DoorsParts, 'slackWait' | 'newCode' | 'random' | 'lateMs' | 'onRefused'>> {
  /** The machine's clock. */
  readonly now: () => Instant;
  /** Measures how far (ms) the store's clock is ahead of it; other than the store itself does it in tests. */
  readonly clockOffset?: () => Promise<number>;
  readonly log: Logger;
  /** The tenant whose data this Dwell stores and shows. */
  readonly tenant?: string;
  readonly slackApiUrl?: string;
  /** The cache that every process of this Dwell reads; by default it is in this process. */
  readonly sharedCache?: SharedCache;
  /** Builds the tracker; tests have another builder. */
  readonly trackerBuilder?: typeof buildTracker;
  /** The server of the doors, which may answer before they do; by default one of its own. */
  readonly web?: WebServer;
  readonly onUpgrade?: OnUpgrade;
  /** Is called with each statement that the store runs on the event loop. */
  readonly onStatement?: OnStatement;
  /** The meters of the process; left out: nothing is measured. */
  readonly meters?: Meters;
  /** The time (ms) for which idle connections are read once Dwell stops; in tests nothing is on its way. */
  readonly idleMs?: number;
}

/** The addresses and the state of a started Dwell. */
export interface Running extends Omit<OpenDoors, 'slack'> {
  readonly tracker: string;
  /** True while there are no issues. */
  readonly empty: boolean;
  /** Null where nothing is kept fresh. */
  readonly sync: SyncStatus | null;
  /** Nothing is posted on a schedule, since the database was restored. */
  readonly isPaused: boolean;
}

/** A Dwell put together and not yet running. */
export interface Dwell {
  readonly commandLine: Omit<CliParts, 'out' | 'err' | 'progress' | 'killed' | 'wait' | 'stores' | 'doctor'>;
  /** Opens the doors. */
  start(): Promise<Running>;
  /** Does once what the first question would otherwise wait for: reading all issues, and the grammar of JQL. */
  warmUp(): Promise<void>;
  /** Posts the digests that are due, as the clock has it do every minute. */
  runDueDigests(): Promise<void>;
  /** Posts what watches found, as the clock has it do every minute. */
  checkWatches(): Promise<void>;
  /** Delivers the answers to nudges that wait, as the clock has it do every minute. */
  returnAnswers(): Promise<void>;
  /** Measures how far the store's clock is ahead, as the clock has it do every minute. */
  measureClock(): Promise<void>;
  /** Closes them, lets answers under way end, and closes the store. */
  stop(): Promise<void>;
}

/** Builds every part from the configuration and hands it to the next; nothing listens until `start`. */
export async function buildDwell(
  config: Config,
  {
    now: machineNow,
    clockOffset,
    log: logOfAll,
    tenant = defaultTenant,
    slackApiUrl,
    newCode = () => randomBytes(16).toString('hex'),
    slackWait = (ms) => pause(ms, undefined, { ref: false }),
    trackerBuilder = buildTracker,
    idleMs = IDLE_MS,
    web,
    onUpgrade,
    onStatement,
    meters = unmeasured,
    random = httpSurroundings(machineNow).random,
    lateMs,
    onRefused = ({ why }) => meters.refused({ tenant, why }, 1),
    sharedCache = { forTenant: () => inMemory, addPoints: null, outage: () => null, close: async () => {} },
  }: Surroundings,
): Promise<Dwell> {
  const openStore = await loadStore(config);
  const opened = await openStore({
    onUpgrade,
    ...observeStore(meters, { onStatement }),
    // A command does not end before its file is there.
    blobs: await blobsIn(config, { ...httpSurroundings(machineNow), wait: (ms) => pause(ms) }),
    now: () => storeClock.now(),
  });
  const storeClock = createStoreClock(machineNow, clockOffset ?? opened.clockOffset);
  await storeClock.measure();
  // Everything goes by the store's time, so that all processes on it judge leases and limits alike.
  const { now } = storeClock;
  const nobody = principalIn(tenant, '');
  const store = opened.forTenant(tenant);
  const log = logOfAll.child({ tenant });
  const onCall = observeCalls(meters, tenant);
  const requests = createRequests({ log, meters, tenant });
  const folder = makeTenantFolder(config.dataDir, tenant);
  // Data from before there were tenants belongs to the default one, in the store as well.
  if (tenant === defaultTenant) takeOverFiles(config.dataDir, folder);
  const stored = inStore((how) => store.cache({ ...how, now }));
  const version = dwellVersion();
  const shared = sharedCache.forTenant(tenant);
  const tokens = createTokens({ store, now });
  const common = { store, stored, now, log, onCall };
  const {
    mirror,
    sync,
    events,
    consent: unaudited,
    administers,
    close: closeTracker,
  } = await trackerBuilder(config, { ...common, version, meters });
  const newId = randomUUID;
  const observer = requests.work;
  const apis = await buildApis(config, { ...common, mirror, tokens, administers, observer });
  const { reporting, delegationsByLogin, digests, watches, nudges } = apis;
  const audit = createAudit({ store, ...config.audit, now, log });
  const noting = { log: audit.questions, now };
  /** Answers and reports as people ask for them at doors. */
  const answers = notedAnswers(apis.answers, noting);
  const notedReporting = notedReports(reporting, noting);
  const consent = unaudited && auditedConsent(unaudited, audit);
  const madeExports = createExports({
    reporting,
    cycleTimes: createCycleTimes(reporting),
    store: store.exports,
    blobs: store.blobs('exports'),
    keys: tokens.keys,
    isActive: (token) => tokens.isActive(token),
    now,
    newId,
    version,
    log,
    observer,
  });
  const exports = auditedExports(madeExports, audit);
  const restore = createRestore({
    store,
    file: config.databaseUrl === null ? folder.stamp : null,
    identity: opened.identity,
    isReplaced: opened.isReplaced,
    newStamp: newId,
    now,
    log,
    async startOver() {
      await digests.startOver();
      await watches.startOver();
    },
    dropAnswers: nudges.startOver,
  });
  const onClock = (tick: () => Promise<void>) => () => asActor({ account: null, via: 'clock' }, tick);
  const runDueDigests = onClock(restore.unlessPaused(digests.tick));
  const checkWatches = onClock(restore.unlessPaused(watches.tick));
  const returnAnswers = onClock(restore.unlessPaused(nudges.tick));
  const readiness = createReadiness({
    now,
    aheadMs: storeClock.aheadMs,
    async probe() {
      // Any read will do: it fails when the store does.
      await store.tokens.get('');
      if (opened.isReplaced()) return 'a restart: the database in DATA_DIR was replaced while Dwell runs';
      return (await opened.missingKey(SIGNING_KEY)) ?? opened.writeProblem();
    },
  });
  /** The live tracker where it is the tracker in use. */
  const own = config.tracker === config.live?.name ? config.live : null;
  let doors: Doors | null = null;
  let clock: Clock | null = null;
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres';
  let stopMeasuring = () => {};
  let hasStarted = false;
  let stopped: Promise<void> | null = null;

  return {
    commandLine: {
      ...apis,
      tokens,
      audit,
      persons: createPersons({ store, removeTraces: opened.removeTraces, now }),
      rights: openTrackerIssues(store, own === null ? 'file' : own.name),
      trackerDecides:
        own === null || own.decidedBy === null ? null : { title: own.title, setting: own.decidedBy },
      restore,
      async tracker() {
        const name = await (await mirror()).tracker();
        return { name, title: trackerTitle(name) };
      },
      tenant,
      sync,
      consent,
      baseUrl: config.baseUrl,
      slackManifest: async (address) => (await import('./manifest.ts')).manifestFor(address),
      now,
      rotateSecrets: opened.rotateSecrets,
      backups: createBackups({ backUp: opened.backUp, store, newStamp: newId, now }),
      importFiles: (files, onProgress) => importFiles(files, { store, now, onProgress }),
      async serveAssistant(principal) {
        const { serveStdio } = await import('../mcp/stdio-door.ts');
        // Files for an assistant are made here, whether or not a server runs.
        exports.start({});
        await audit.start();
        const { timeZone, baseUrl, longAnswers } = config;
        const noted = { reporting: notedReporting, answers, exports, delegations: delegationsByLogin };
        const turns = createAnswerTurns(longAnswers);
        const parts = { ...apis, ...noted, tokens, turns, now, version, timeZone, baseUrl };
        await serveStdio(principal, parts, log);
      },
    },
    async start() {
      const { createDoors } = await import('./create-doors.ts');
      const { createWebServer } = await import('./web-server.ts');
      const { startClock } = await import('../time/start-clock.ts');
      doors = createDoors(config, {
        ...apis,
        answers,
        notedReporting,
        audit,
        returnAnswers: restore.unlessPaused(async () => nudges.kick()),
        exports,
        sync,
        restore,
        tokens,
        events,
        consent,
        now,
        log,
        meters,
        requests,
        version,
        stored,
        shared,
        slackApiUrl,
        slackWait,
        newCode,
        redisOutage: sharedCache.outage,
        web: web ?? createWebServer(),
        addPoints: sharedCache.addPoints?.(tenant) ?? null,
        random,
        ...(lateMs === undefined ? {} : { lateMs }),
        onRefused,
        tracker: async () => (await mirror()).tracker(),
        waitingFor: async () => (stopped === null ? readiness.waitingFor() : 'a restart: Dwell is stopping'),
      });
      const { connections } = opened;
      stopMeasuring = measureDwell(meters, { store, now, version, engine, restore, connections, config });
      await opened.removeKilledCopies();
      await restore.start();
      await audit.start();
      const { url, metrics, slack, playground } = await doors.open();
      const unread = unreadRolesText(await store.issues('file').countUnreadRoles());
      if (unread !== null && (await (await mirror()).tracker()) === 'file') log.warn(unread);
      await doors.serve();
      exports.start(slack === null ? {} : { slack: slack.exportNotifier });
      if (slack !== null) {
        digests.start(slack.digestNotifier);
        watches.start(slack.watchNotifier);
        nudges.start(slack.nudgeNotifier);
      }
      const posting = slack === null ? [] : [runDueDigests, checkWatches, returnAnswers, restore.tick];
      clock = startClock([measureClock, audit.tick, onClock(apis.removeEndedDelegations), ...posting], log);
      sync.start();
      const tracker = await (await mirror()).tracker();
      // Only what was imported is looked at, in the store, for columns may take long to make. The sample is never empty, a
      // sync says itself what is here, and a service elsewhere need not be up yet.
      const isLookedAt = tracker === 'file' && config.hostedReporting === null;
      const empty = isLookedAt && (await store.issues('file').recentKeys(1)).length === 0;
      const isPaused = await restore.isPaused();
      hasStarted = true;
      log.info({ version, engine, tracker, url }, 'Dwell has started');
      return { url, metrics, playground, tracker, empty, sync: await sync.status(), isPaused };
    },
    async warmUp() {
      const selection = { by: 'jql', jql: 'created >= -1d' } as const;
      await reporting.count(ask({ principal: nobody, reportType: reportIds.statusDuration, selection }));
    },
    runDueDigests,
    checkWatches,
    returnAnswers,
    measureClock,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };

  async function measureClock(): Promise<void> {
    await storeClock.measure();
    const problem = clockProblem(storeClock.aheadMs());
    if (problem !== null) log.warn(`Dwell waits for ${problem}`);
  }

  async function stop(): Promise<void> {
    const begun = performance.now();
    stopMeasuring();
    if (hasStarted) log.info('Dwell is stopping');
    doors?.leavePlayground();
    // First the requests, for one of them may be a command; then the answers that commands still owe.
    await clock?.stop();
    const syncStopped = sync.stop();
    const postingStopped = Promise.all([digests, watches, nudges].map((one) => one.stop(DRAIN_MS)));
    const exportsStopped = exports.stop(DRAIN_MS);
    const cut = await doors?.close({ idleMs, drainMs: DRAIN_MS });
    await exportsStopped;
    await postingStopped;
    await syncStopped;
    await audit.stop();
    await closeTracker();
    await apis.closeReporting();
    if (doors !== null) await restore.stop();
    await sharedCache.close();
    await opened.close();
    if (hasStarted) log.info({ ms: Math.round(performance.now() - begun), cut }, 'Dwell has stopped');
  }
}

/** The version of this Dwell. */
export function dwellVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
