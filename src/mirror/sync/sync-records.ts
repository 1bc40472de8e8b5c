import { z } from 'zod';
import { memo } from '../../cache/namespace.ts';
import type { Lease } from '../../concurrency/leased-worker.ts';
import type { Instant } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import type { SyncStore, TenantStore } from '../../store/store.ts';
import type {
  ListsSliceRecord,
  ProjectAccessRecord,
  RejectedIssue,
  RestingIssue,
} from '../../store/tracker-documents.ts';
import type { AccessOf, ProjectAccess } from '../../trackers/live-tracker.ts';

/** A lease that reaches further than this (ms) was begun by a clock that has been set back since. */
const MAX_LEASE_MS = 60_000;

/** The number of issues at most that are noted as changed at a time; the next turn finds the others. */
const MAX_NUDGES = 10_000;

/** Ids of changed issues, each with the revision of its last note, the last revision, and the instant of the last note. */
const nudgesSchema = z.object({
  revision: z.number(),
  issues: z.array(z.tuple([z.string(), z.number()])),
  // Dwell 0.8.0 noted no instant.
  at: z.number().nullable().default(null),
});

/** The pauses (ms) before a rejected issue is tried again: each is twice the one before, and none exceeds `longestMs`. */
interface RetryPauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The records of a synchronisation of one tracker; they survive the death of the process. */
export interface SyncRecords extends SyncStore {
  /** Reads the state, a JSON document; null before the first turn. */
  state(): Promise<unknown>;
  putState(state: unknown): Promise<void>;
  /** Takes or renews the lease until `lease.until`; false while another holder has it. */
  claim(lease: Lease, now: Instant): Promise<boolean>;
  /** Gives the lease back, if it is this holder's. */
  release(holder: string): Promise<void>;
  /** Stores a slice of lists under its number. */
  putListsSlice(number: number, slice: ListsSliceRecord): Promise<void>;
  /** Reads the stored slices of lists, in their order. */
  listsSlices(): Promise<readonly ListsSliceRecord[]>;
  /** Forgets all slices of lists. */
  clearListsSlices(): Promise<void>;
  /** Stores who can browse some projects, as it was requested at an instant, for use until another one. */
  putProjectAccess(
    some: readonly ProjectAccess[],
    good: { readonly at: Instant; readonly until: Instant },
  ): Promise<void>;
  /** Forgets who can browse projects where that was requested before an instant. */
  clearProjectAccess(before: Instant): Promise<void>;
  /** Returns who can browse a project, as far as what is stored is good at this instant of our clock. */
  projectAccess(now: Instant): Promise<AccessOf>;
  /** Notes issues of the tracker, by id, as changed at an instant of our clock. */
  putNudges(ids: readonly string[], now: Instant): Promise<void>;
  /** Reads the instant of the last such note; null where there was none. */
  nudgedAt(): Promise<Instant | null>;
  /** Reads the ids of the noted issues and the revision of the last note. */
  nudges(): Promise<{ readonly ids: readonly string[]; readonly revision: number }>;
  /** Forgets notes up to a revision; an issue that was noted again since stays. */
  removeNudges(revision: number): Promise<void>;
  /** Notes issues as rejected by this instant of our clock. */
  noteRejected(issues: readonly RejectedIssue[], now: Instant, pauses: RetryPauses): Promise<void>;
  /** Notes issues as no longer rejected. */
  forgetRejected(ids: readonly string[]): Promise<void>;
  /** Finds the rejected ones among issues, by id. */
  rejected(ids: readonly string[]): Promise<ReadonlyMap<string, RejectedIssue>>;
  /** Lists rejected issues whose pause is over (`now` null: all), by id, beyond `after` (null: from the first), at most `count`. */
  rejectedDue(now: Instant | null, after: string | null, count: number): Promise<readonly RejectedIssue[]>;
  /** Counts the rejected issues. */
  countRejected(): Promise<number>;
}

const accessByProject = memo(
  (all: readonly ProjectAccessRecord[]): ReadonlyMap<string, ProjectAccessRecord> =>
    new Map(all.map((one) => [one.project, one])),
);

/** Opens the records of a tracker. Issues that are removed are not rejected any more. */
export function openSyncRecords(
  store: Pick<TenantStore, 'sync' | 'documents'>,
  tracker: string,
): SyncRecords {
  const { sync, listsSlices, projectAccess, rejected } = store.documents(tracker);
  const issues = store.sync(tracker);

  async function findRejected(ids: readonly string[]): Promise<ReadonlyMap<string, RejectedIssue>> {
    const found = await Promise.all(ids.map((id) => rejected.get(id)));
    return new Map(found.flatMap((issue) => (issue === null ? [] : [[issue.id, plain(issue)]])));
  }

  async function forgetRejected(ids: readonly string[]): Promise<void> {
    const known = [...(await findRejected(ids)).keys()];
    if (known.length > 0) await rejected.changeAll(known, () => known.map(() => null));
  }

  return {
    ...issues,
    state: () => sync.get('state'),
    async putState(state) {
      await sync.change('state', () => state);
    },
    async claim({ holder, until }, now) {
      const lease = await sync.change('lease', (stored) => {
        const isTaken = isLease(stored) && stored.until > now && stored.until <= now + MAX_LEASE_MS;
        return isTaken && stored.holder !== holder ? stored : { holder, until };
      });
      return isLease(lease) && lease.holder === holder;
    },
    async release(holder) {
      await sync.change('lease', (stored) => (isLease(stored) && stored.holder === holder ? null : stored));
    },
    async putListsSlice(number, slice) {
      await listsSlices.change(String(number), () => slice);
    },
    listsSlices: () => listsSlices.list(),
    async clearListsSlices() {
      const ids = (await listsSlices.list()).map((_, number) => String(number));
      await listsSlices.changeAll(ids, () => ids.map(() => null));
    },
    async putProjectAccess(some, { at, until }) {
      await projectAccess.changeAll(
        some.map(({ project }) => project),
        () => some.map(({ project, access }) => ({ project, at, until, access })),
      );
    },
    async clearProjectAccess(before) {
      const old = (await projectAccess.list()).filter(({ at }) => at < before);
      await projectAccess.changeAll(
        old.map(({ project }) => project),
        () => old.map(() => null),
      );
    },
    async projectAccess(now) {
      const byProject = accessByProject(await projectAccess.list());
      return (project) => {
        const stored = byProject.get(project);
        // A request of the future was sent by a clock that has been set back since.
        return stored !== undefined && stored.at <= now && now < stored.until ? stored.access : undefined;
      };
    },
    async putNudges(ids, now) {
      await sync.change('nudges', (stored) => {
        const before = readNudges(stored);
        const revision = before.revision + 1;
        const all = new Map([...before.issues, ...ids.map((id) => [id, revision] as const)]);
        return { revision, issues: [...all].slice(0, MAX_NUDGES), at: now };
      });
    },
    nudgedAt: async () => readNudges(await sync.get('nudges')).at,
    async nudges() {
      const { revision, issues: noted } = readNudges(await sync.get('nudges'));
      return { revision, ids: noted.map(([id]) => id) };
    },
    async removeNudges(until) {
      await sync.change('nudges', (stored) => {
        const { revision, issues: noted, at } = readNudges(stored);
        return { revision, issues: noted.filter(([, of]) => of > until), at };
      });
    },
    async noteRejected(some, now, { firstMs, longestMs }) {
      const byId = new Map(some.map((issue) => [issue.id, issue]));
      await rejected.changeAll([...byId.keys()], (stored) =>
        [...byId.values()].map((issue, i) => ({
          ...issue,
          triedAt: now,
          pauseMs: stored[i] ? Math.min(stored[i].pauseMs * 2, longestMs) : firstMs,
        })),
      );
    },
    forgetRejected,
    rejected: findRejected,
    async rejectedDue(now, after, count) {
      // An issue that was tried in the future was tried by a clock that has been set back since.
      const isDue = ({ triedAt, pauseMs }: RestingIssue) =>
        now === null || triedAt + pauseMs <= now || triedAt > now;
      return (await rejected.list())
        .filter((issue) => (after === null || compareText(issue.id, after) > 0) && isDue(issue))
        .sort((a, b) => compareText(a.id, b.id))
        .slice(0, count)
        .map(plain);
    },
    countRejected: async () => (await rejected.list()).length,
    async removeIssues(ids) {
      await issues.removeIssues(ids);
      await forgetRejected(ids);
    },
  };
}

function plain({ id, key, reason, updated }: RestingIssue): RejectedIssue {
  return { id, key, reason, updated };
}

function readNudges(stored: unknown): z.output<typeof nudgesSchema> {
  return nudgesSchema.safeParse(stored).data ?? { revision: 0, issues: [], at: null };
}

function isLease(value: unknown): value is Lease {
  return value !== null && typeof value === 'object' && 'holder' in value && 'until' in value;
}
