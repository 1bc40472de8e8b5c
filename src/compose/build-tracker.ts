import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ConsentApi, SyncApi } from '../api/tracker/sync-api.ts';
import { createTrackerEvents, type TrackerEvents } from '../api/tracker/tracker-events.ts';
import { type Backing, createNamespace } from '../cache/namespace.ts';
import { detached } from '../concurrency/cooperative-yield.ts';
import type { HttpCall } from '../http-client/http-client.ts';
import { createBrowsePermissions, permissionsError } from '../mirror/browse-permissions.ts';
import { createColumnSnapshot } from '../mirror/column-snapshot.ts';
import {
  createMemoryMirror,
  createStoreMirror,
  createSyncedMirror,
  onlyMirror,
  preferFilled,
} from '../mirror/create-mirrors.ts';
import { countWritten } from '../mirror/fill.ts';
import { openTrackerIssues } from '../mirror/lists/tracker-issues.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { createStoreTable, SAVED_EVERY_MS, type StoreTable } from '../mirror/store-table.ts';
import { openSyncRecords } from '../mirror/sync/sync-records.ts';
import type { Instant } from '../model/issue.ts';
import { isFlag } from '../model/issues/field-titles.ts';
import type { SyncProgress } from '../model/sync.ts';
import type { TenantStore } from '../store/store.ts';
import type { Meters } from '../telemetry/meters.ts';
import { trackers } from '../trackers/index.ts';
import { type Config, type LiveTrackerConfig, sampleSite } from './config.ts';
import { httpSurroundings } from './http-surroundings.ts';
import { logProblem } from './log-problem.ts';
import { createFillLog, createPermissionCheck, createRoundLog } from './sync-log.ts';

/** The parts that a tracker is built from. */
export interface TrackerParts {
  readonly store: TenantStore;
  /** Small state that every process reads. */
  readonly stored: Backing;
  readonly now: () => Instant;
  readonly log: Logger;
  /** The version of this Dwell; columns that another one has made are made again. */
  readonly version: string;
  readonly meters: Meters;
  readonly onCall: (call: HttpCall) => void;
}

/** The mirror of a tracker, and its synchronisation. */
export interface BuiltTracker {
  /** The mirror a question is answered from; asked for anew with every question. */
  readonly mirror: () => Promise<Mirror>;
  readonly sync: SyncApi;
  readonly events: TrackerEvents;
  /** Null where no consent in a browser is needed. */
  readonly consent: ConsentApi | null;
  /** Says if a person (their id) can administer a project (its key, upper case) in the tracker. */
  administers(account: string, project: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Puts together the tracker that the configuration names, and loads no other. */
export async function buildTracker(config: Config, parts: TrackerParts): Promise<BuiltTracker> {
  const { store, now } = parts;
  const { live, tracker, hostedReporting } = config;
  if (live !== null) return buildLive(config, live, parts);
  const idle = {
    sync: nothingToSync,
    events: noEvents,
    consent: null,
    administers: async () => false,
    close: async () => {},
  };
  if (hostedReporting !== null) {
    // A hosted service answers every request about issues.
    const nobody = createStoreMirror('hosted', openTrackerIssues(store, 'hosted'));
    return { ...idle, mirror: onlyMirror(nobody) };
  }
  const table = openTable('file', parts);
  const imported = createStoreMirror('file', openTrackerIssues(store, 'file'), table.table);
  const stored = { ...idle, close: () => table.close() };
  if (tracker === 'file') return { ...stored, mirror: onlyMirror(imported) };
  const { createSampleTracker } = await import('../trackers/sample/generate-sample.ts');
  const sample = createMemoryMirror(createSampleTracker({ now, site: sampleSite(config) }), now);
  if (tracker === 'sample') return { ...idle, mirror: onlyMirror(sample) };
  return { ...stored, mirror: preferFilled(imported, sample) };
}

/** The name of a tracker in use as people read it. */
export function trackerTitle(name: string): string {
  return trackers.find((kind) => kind.name === name)?.title ?? 'the hosted service (TIS_BASE_URL)';
}

/** The issues that are kept of a tracker as a table, whose columns are kept in a file. */
function openTable(tracker: string, { store, stored, now, log, version, meters }: TrackerParts): StoreTable {
  const self = randomUUID();
  const savers = createNamespace<string>({
    name: 'columns-saver',
    ttlMs: SAVED_EVERY_MS,
    maxEntries: null,
    now,
    backing: stored,
  });
  const file = { blobs: store.blobs('cache'), name: `columns-${tracker}.bin` };
  const opened = createStoreTable({
    store: store.issues(tracker),
    snapshot: createColumnSnapshot({
      ...file,
      origin: async () => `${version} ${store.tenant} ${tracker}`,
      stamps: store.stamps,
      newStamp: randomUUID,
    }),
    async claimSave() {
      const saver = await savers.get(tracker);
      return saver === undefined ? savers.add(tracker, self) : saver === self;
    },
    async flags() {
      const { fields } = await openTrackerIssues(store, tracker).directory();
      return fields.filter(isFlag).map(({ id }) => id);
    },
    spillTo: file,
    now,
    onProblem: (error) =>
      logProblem(
        log,
        error,
        'background work on columns failed, such as reading or writing their file; answers are complete without it, and it is done later',
      ),
  });
  meters.atReading(() => {
    const columns = opened.current();
    if (columns === null) return;
    const of = { tenant: store.tenant, tracker };
    meters.columnsRows(of, columns.size);
    meters.columnsBytes(of, columns.bytes);
  });
  return opened;
}

async function buildLive(
  config: Config,
  live: LiveTrackerConfig,
  parts: TrackerParts,
): Promise<BuiltTracker> {
  const { hostedReporting } = config;
  const { store, now, log, meters } = parts;
  const of = { tenant: store.tenant, tracker: live.name };
  const { createSync } = await import('../mirror/sync/create-sync.ts');
  const surroundings = httpSurroundings(now, parts.onCall);
  const tracker = await live.open({ ...surroundings, secrets: store.secrets });
  const issues = openTrackerIssues(store, live.name);
  /** Once the initial sync is done, changes come soon after they were made. */
  let isFilled = false;
  const counting = countWritten(issues, openSyncRecords(store, live.name), (changed) => {
    const newest = changed.reduce((latest, { updated }) => Math.max(latest, updated), 0);
    if (isFilled) meters.syncLag(of, Math.max(0, now() - newest) / 1000);
  });
  const withIssues = hostedReporting === null;
  const fillLog = createFillLog(log);
  const logRound = createRoundLog(log);
  const permissionCheck = createPermissionCheck(
    () => tracker.connection.checkConnection({ issues: false, permissions: true }),
    { log, title: live.title },
  );
  /** Before a site has answered it goes by the address that is configured. */
  const named = <Status extends SyncProgress>(status: Status): Status =>
    status.site === '' ? { ...status, site: live.address } : status;
  const sync = createSync({
    tracker,
    issues: counting.issues,
    store: counting.sync,
    signals: store.signals,
    address: live.address,
    wish: live.query,
    now,
    wait: surroundings.wait,
    newId: randomUUID,
    everyMs: config.syncSeconds * 1000,
    withAccess: live.decidedBy !== null,
    withIssues,
    onProblem: (error) => logProblem(log, error, 'sync failed'),
    onMoved: (move) => log.warn(move, `${live.title} has another address now; its issues are the same`),
    ...(withIssues
      ? {
          onStatus(status) {
            fillLog(named(status));
            logRound(counting.written(), isFilled);
            isFilled = status.filled;
            meters.issues(of, status.issues);
            meters.cutHistories(of, status.cutHistories);
            if (live.decidedBy !== null) permissionCheck.look();
            // Columns follow each sync, so that the next question need not wait for them; it gets what goes wrong.
            if (status.filled) detached(table).catch(() => {});
          },
        }
      : {}),
  });
  if (withIssues) {
    meters.atReading(async () => {
      const { asOf, filled, startedAt, problem } = await sync.progress();
      meters.syncAge(of, Math.max(0, now() - (asOf ?? startedAt)) / 1000);
      meters.syncFilled(of, Number(filled));
      meters.syncFailing(of, Number(problem !== null));
    });
  }
  const { table, close: closeTable } = openTable(live.name, parts);
  const permissionsFor =
    live.decidedBy === null
      ? null
      : createBrowsePermissions({
          tracker,
          table,
          users: (ids) => issues.users(ids),
          groups: async () => (await issues.directory()).groups,
          access: () => counting.sync.projectAccess(now()),
          now,
        });
  const mirror = createSyncedMirror(
    live.name,
    { ...issues, table },
    {
      title: live.title,
      progress: sync.progress,
      refusal: sync.refusal,
      unread: sync.unread,
      permissionsFor,
      onPermissionsError: (error) =>
        logProblem(log, error, 'the browse permissions of a user could not be read'),
    },
  );
  return {
    mirror: onlyMirror(mirror),
    sync: {
      ...sync,
      progress: async () => named(await sync.progress()),
      async status() {
        const status = await sync.status();
        return status === null ? null : named(status);
      },
      checkConnection: () =>
        tracker.connection.checkConnection({
          issues: withIssues,
          permissions: withIssues && permissionsFor !== null,
        }),
      async run(input, onProgress) {
        const [before, sentBefore] = [counting.written(), tracker.connection.requests().sent];
        const status = named(await sync.run(input, (one) => onProgress(named(one))));
        const after = counting.written();
        const came = {
          added: after.added - before.added,
          updated: after.updated - before.updated,
          removed: after.removed - before.removed,
          requests: tracker.connection.requests().sent - sentBefore,
        };
        const permissionsProblem =
          permissionsFor === null
            ? null
            : await permissionsError(issues, { tracker, tenant: store.tenant, now });
        return { ...status, came, permissionsProblem };
      },
    },
    events: createTrackerEvents({ name: live.name, webhooks: tracker.webhooks ?? null }, sync.nudge),
    consent: tracker.consent ?? null,
    async administers(account, project) {
      // By rules the tracker is not asked who can do what.
      if (permissionsFor === null) return false;
      const person = (await issues.users([account])).get(account);
      return person !== undefined && ((await tracker.administers?.(person, project)) ?? false);
    },
    async close() {
      await sync.stop();
      await closeTable();
      await tracker.connection.close();
      await permissionCheck.ended();
    },
  };
}

const nothingToSync: SyncApi = {
  status: async () => null,
  progress: async () => null,
  checkConnection: () => {
    throw new Error('There is nothing to sync.');
  },
  run: async () => {
    throw new Error('There is nothing to sync.');
  },
  nudge: async () => {},
  start: () => {},
  stop: async () => {},
};

const noEvents: TrackerEvents = createTrackerEvents({ name: '', webhooks: null }, async () => {});
