import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Hold } from '../../concurrency/leased-worker.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { type RequestCounts, type SyncStatus, syncCommand } from '../../model/sync.ts';
import type { Signals } from '../../store/store.ts';
import type { LiveTracker } from '../../trackers/live-tracker.ts';
import { createHistoryValues, type HistoryValues } from '../history-values.ts';
import { issuesChanged, type TrackerIssues } from '../lists/tracker-issues.ts';
import { createFieldTitles, type FieldTitles, useFieldIds } from '../use-field-ids.ts';
import type { SyncRecords } from './sync-records.ts';
import { firstState, readState, type SyncState } from './sync-state.ts';

/** The parts of a synchronisation. */
export interface SyncParts {
  readonly tracker: LiveTracker;
  readonly issues: TrackerIssues;
  readonly store: SyncRecords;
  /** Signals between processes. */
  readonly signals: Signals;
  /** The configured address of the tracker; known also while no one answers there. */
  readonly address: string;
  /** The tracker's query for the issues to store; null: all that the account may see. */
  readonly wish: string | null;
  readonly now: () => Instant;
  /** Resolves after some ms, or when aborted; keeps no process alive. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly newId: () => string;
  /** The pause (ms) between two turns. */
  readonly everyMs: number;
  /** The tracker decides who can see what, so that who can browse projects is stored. */
  readonly withAccess: boolean;
  /** False: only the lists are taken, for the names of people, and no issues. */
  readonly withIssues: boolean;
  /** Called with what fails between turns. */
  readonly onProblem: (error: unknown) => void;
  /** Called when the site of the stored issues has another address. */
  readonly onMoved?: (move: { readonly from: string; readonly to: string }) => void;
  /** Called with the status before each turn that is due by itself, now and then during it, and after it. */
  readonly onStatus?: (status: SyncStatus) => void;
}

/** The parts of the steps of a turn, as long as this process has the lease. */
export interface SyncWork {
  readonly tracker: LiveTracker;
  readonly issues: TrackerIssues;
  readonly store: SyncRecords;
  readonly titles: FieldTitles;
  /** Learns and stores how the fields of issues call values: to be awaited before the issues are written. */
  noteValues(issues: readonly Issue[]): Promise<void>;
  /** Changes the stored issues where values that were learnt since they came make a difference. */
  useValues(): Promise<void>;
  readonly now: () => number;
  /** The pause (ms) between two turns, after which updates are due in a long step as well. */
  readonly everyMs: number;
  /** The stored state. */
  state(): SyncState;
  /** Replaces members of the state. */
  keep(part: Partial<SyncState>): Promise<void>;
  readonly request: SendRequest;
  /** To be awaited between two pieces of work: others get their turn, nudges are read, and progress is reported. */
  checkpoint(): Promise<void>;
}

/** Thrown where a turn ends early and nothing is wrong: the process is to stop, or another one has taken over. */
export class Interrupted extends Error {
  readonly why: 'stopped' | 'taken over';

  constructor(why: 'stopped' | 'taken over') {
    super(why);
    this.why = why;
    this.name = 'Interrupted';
  }
}

/**
 * Sends a request and renews the lease, so that the answer may be written at once. Throws Interrupted when the process is
 * to stop, without waiting any longer, and when the lease is lost.
 */
export type SendRequest = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

/** Sends requests as long as this process has the lease and `stopping` is not aborted. */
export function requestUnderLease(hold: Pick<Hold, 'renew'>, stopping: AbortSignal): SendRequest {
  return async <Answer>(request: () => Promise<Answer>) => {
    if (stopping.aborted) throw new Interrupted('stopped');
    const answer = await new Promise<Answer>((resolve, reject) => {
      const stop = () => reject(new Interrupted('stopped'));
      stopping.addEventListener('abort', stop);
      request()
        .then(resolve, reject)
        .finally(() => stopping.removeEventListener('abort', stop));
    });
    if (!(await hold.renew())) throw new Interrupted('taken over');
    return answer;
  };
}

/** The number of changed issues after which they are read and noted as learnt from, even if no value is new. */
const MAX_UNSEEN = 10_000;

/** The parts that last longer than a turn. */
interface Lasting {
  readonly nudges: { readonly settle: (work: SyncWork) => Promise<void> };
  /** Called with null where the site that answers is the one of the stored issues, else with a sentence why none may be shown. */
  readonly onSite: (refusal: string | null) => void;
  readonly onProgress: () => Promise<void>;
  readonly onProblem: (error: unknown) => void;
  /** Requests of this process that are counted in the state already. */
  counted: RequestCounts;
  /** The observed values of histories, and their text in the store; null before the first turn. */
  knownValues: { readonly values: HistoryValues; text: string | null; version: number } | null;
}

/**
 * Begins to work under a lease, from the stored state. Fails with `bad-request` when the store has the issues of another
 * site: keys of two sites look the same. A site at a new address is recognized by its issues, or by an admin's consent
 * (`acceptAddress`) where the issues do not contradict it.
 */
export async function openSyncWork(
  parts: SyncParts,
  request: SendRequest,
  lasting: Lasting,
  acceptAddress = false,
): Promise<SyncWork> {
  const { tracker, issues, store, now } = parts;
  const stored = readState(await store.state());
  const site = await request(() => tracker.connection.site());
  let state: SyncState = stored ?? firstState(site.url, parts, now());
  if (state.site !== site.url) {
    lasting.onSite(otherSiteText(state.site, site.url, { title: tracker.title, recognized: null }));
    const recognized = await recognizeSite(parts, request);
    if (recognized.kind !== 'same' && !(acceptAddress && recognized.kind === 'unknown')) {
      const refusal = otherSiteText(state.site, site.url, { title: tracker.title, recognized });
      lasting.onSite(refusal);
      throw new AppError('other-tracker', refusal);
    }
    const move = { from: state.site, to: site.url };
    await moveSite(parts, request, move);
    // Lists are stored by site, and the stored issues are compared with those of the site.
    state = { ...state, site: site.url, listsTriedAt: null, lists: null, thoroughAt: null, compare: null };
    parts.onMoved?.(move);
  }
  lasting.onSite(null);
  const valuesText = await issues.historyValues();
  // Another process may have learnt more since.
  if (lasting.knownValues === null || lasting.knownValues.text !== valuesText)
    lasting.knownValues = { values: createHistoryValues(valuesText), text: valuesText, version: 0 };
  const { knownValues } = lasting;
  const titles = createFieldTitles(knownValues.values, (await issues.directory()).fields);
  const storeValues = async () => {
    const version = knownValues.values.version();
    if (version === knownValues.version && knownValues.text !== null) return;
    const text = knownValues.values.text();
    await issues.putHistoryValues(text);
    Object.assign(knownValues, { text, version });
  };
  const keep = async (part: Partial<SyncState>) => {
    const requests = tracker.connection.requests();
    const { counted } = lasting;
    state = {
      ...state,
      ...part,
      requests: {
        sent: state.requests.sent + requests.sent - counted.sent,
        repeated: state.requests.repeated + requests.repeated - counted.repeated,
        slowedDown: state.requests.slowedDown + requests.slowedDown - counted.slowedDown,
      },
    };
    lasting.counted = requests;
    await store.putState(state);
  };
  let nudgesFailed = false;

  const work: SyncWork = {
    tracker,
    issues,
    store,
    titles,
    async noteValues(some) {
      titles.noteValues(some);
      await storeValues();
    },
    async useValues() {
      const unseen = (await issues.revision()) - knownValues.values.seenTo();
      if (knownValues.values.hasNews() || unseen > MAX_UNSEEN)
        await useFieldIds(issues, titles, () => request(work.checkpoint));
      await storeValues();
    },
    now,
    everyMs: parts.everyMs,
    state: () => state,
    keep,
    request,
    async checkpoint() {
      // Requests and Slack must not wait until all is written.
      await yieldToOthers();
      try {
        if (!nudgesFailed) await lasting.nudges.settle(work);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Nudges must not hold up a fill: the next turn tries again.
        nudgesFailed = true;
        lasting.onProblem(error);
      }
      await lasting.onProgress();
    },
  };
  if (valuesText === null) {
    // An earlier version has not learnt from the stored issues.
    await useFieldIds(issues, titles, () => request(yieldToOthers));
    await storeValues();
  }
  const { address, wish } = parts;
  // With another query issues are stored that it does not find, or some are lacking, until a comparison is done.
  const reset = {
    wishChanged: true,
    filledAt: null,
    done: 0,
    total: null,
    fill: null,
    compare: null,
    guard: null,
  };
  await keep({ clockAheadMs: site.clockAheadMs, address, wish, ...(state.wish === wish ? {} : reset) });
  return work;
}

/** The number of issues that a check reads; those updated last say most: a copy of a site lacks what happened since. */
const SAMPLE = 20;

/** Some stored issues by their ids, recently updated ones first. */
export async function recentIssues(
  store: Pick<TrackerIssues, 'recentKeys' | 'issue'>,
): Promise<ReadonlyMap<string, Issue>> {
  const issues = new Map<string, Issue>();
  for (const key of await store.recentKeys(SAMPLE)) {
    const issue = await store.issue(key);
    if (issue?.id !== undefined) issues.set(issue.id, issue);
  }
  return issues;
}

/** The result of the check whether a site that answers is the one of the stored issues; `why` it is not. */
type Recognized =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other'; readonly why: string };

/**
 * Looks for some stored issues at the site that answers now. It is the same site where all of them but one are there by
 * id, key and instant of creation, none of them in an older version than the stored one; another one where an id is that
 * of an issue created at another instant.
 */
async function recognizeSite(
  { tracker, issues }: Pick<SyncParts, 'tracker' | 'issues'>,
  request: SendRequest,
): Promise<Recognized> {
  const stored = await recentIssues(issues);
  if (stored.size === 0) return { kind: 'unknown' };
  const { entries } = await request(() => tracker.issues({ ids: [...stored.keys()], detail: 'whole' }));
  let known = 0;
  let older = 0;
  for (const entry of entries) {
    const before = entry.kind === 'issue' ? stored.get(entry.issue.id ?? '') : undefined;
    if (entry.kind !== 'issue' || before === undefined) continue;
    const { id, key, created, fields } = entry.issue;
    if (created !== before.created) {
      const [there, here] = [created, before.created].map((at) => new Date(at).toISOString());
      return {
        kind: 'other',
        why: `there the issue with id ${id} was created at ${there}, and here at ${here}`,
      };
    }
    if (Number(fields.updated) < Number(before.fields.updated)) older += 1;
    else if (key === before.key) known += 1;
  }
  // One may have been deleted since; a copy of a site lacks later changes.
  const isWhole = known >= Math.max(1, stored.size - 1);
  return { kind: older === 0 && isWhole ? 'same' : 'unknown' };
}

/** The reason why no issues are shown while another site answers than the one of the stored issues, and what to do. */
function otherSiteText(
  stored: string,
  there: string,
  { title, recognized }: { readonly title: string; readonly recognized: Recognized | null },
): string {
  const other = recognized?.kind === 'other' ? `, which is another ${title}: ${recognized.why}` : '';
  const moved =
    other === ''
      ? ` If it is the same ${title} at a new address, run \`${syncCommand} --accept-address\`: nothing is lost. If not, set`
      : ' Set';
  return `This DATA_DIR holds the issues of '${stored}', and the site that answers now is '${there}'${other}.${moved} the address back, or choose another DATA_DIR for the other site.`;
}

/** Changes the links of all stored issues to the new address of their site. */
async function moveSite(
  { issues }: Pick<SyncParts, 'issues'>,
  request: SendRequest,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const moved = (issue: Issue): Issue =>
    issue.link?.startsWith(`${from}/`) ? { ...issue, link: to + issue.link.slice(from.length) } : issue;
  for await (const some of issuesChanged(issues, 0, await issues.revision())) {
    const affected = some.filter((issue) => moved(issue) !== issue);
    if (affected.length > 0) await issues.putIssues(affected, moved);
    // Others get their turn, and the lease is renewed.
    await request(yieldToOthers);
  }
  // The list of statuses is stored by the address, and is read again.
  await issues.putStatuses([], from);
}
