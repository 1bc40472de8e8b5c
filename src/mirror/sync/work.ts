import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Hold } from '../../concurrency/leased-worker.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { type RequestCounts, type SyncStatus, syncCommand } from '../../model/sync.ts';
import type { Signals } from '../../store/signals.ts';
import type { LiveTracker } from '../../trackers/live-tracker.ts';
import { createHistoryValues, type HistoryValues } from '../history-values.ts';
import type { TrackerIssues } from '../lists/tracker-issues.ts';
import { createFieldTitles, type FieldTitles, useFieldIds } from '../use-field-ids.ts';
import type { SyncRecords } from './sync-records.ts';
import { firstState, readState, type SyncState } from './sync-state.ts';

/** What a synchronisation works with. */
export interface SyncParts {
  readonly tracker: LiveTracker;
  readonly issues: TrackerIssues;
  readonly store: SyncRecords;
  /** Signals between processes. */
  readonly signals: Signals;
  /** Where the tracker is, as it is configured; known also while nobody answers there. */
  readonly address: string;
  /** Which of its issues are kept: its own query; null: all that our account may see. */
  readonly wish: string | null;
  readonly now: () => Instant;
  /** Resolves after so many ms, or when aborted; keeps no process alive. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly newId: () => string;
  /** Between two looks at what was updated. */
  readonly everyMs: number;
  /** False: only the lists are taken, for who people are, and no issues. */
  readonly withIssues: boolean;
  /** Told of what goes wrong between turns. */
  readonly onProblem: (error: unknown) => void;
  /** Told that the site whose issues are kept has another address now. */
  readonly onMoved?: (move: { readonly from: string; readonly to: string }) => void;
  /** Told how things stand before each turn that nobody asked for, now and then during it, and after it. */
  readonly onStatus?: (status: SyncStatus) => void;
}

/** What the steps of a turn work with, as long as the lease is ours. */
export interface Work {
  readonly tracker: LiveTracker;
  readonly issues: TrackerIssues;
  readonly store: SyncRecords;
  readonly titles: FieldTitles;
  /** Learns from issues how their fields call values, and keeps it: to be waited for before they are written. */
  noteValues(issues: readonly Issue[]): Promise<void>;
  /** Has the issues that are kept changed where what was learnt since they came makes a difference. */
  useValues(): Promise<void>;
  readonly now: () => number;
  /** As it is kept. */
  state(): SyncState;
  /** Replaces some of it. */
  keep(part: Partial<SyncState>): Promise<void>;
  readonly request: SendRequest;
  /** To be waited for between two pieces of work: others who have something to do do it, then progress is reported. */
  checkpoint(): Promise<void>;
}

/** Thrown where a turn ends early and nothing is wrong: we are to stop, or another process has taken over. */
export class Interrupted extends Error {
  readonly why: 'stopped' | 'taken over';

  constructor(why: 'stopped' | 'taken over') {
    super(why);
    this.why = why;
    this.name = 'Interrupted';
  }
}

/**
 * Waits for an answer and makes sure of the lease, so that what it says may be written at once. Throws Interrupted
 * when we are to stop, without waiting any longer, and when the lease is not ours any more.
 */
export type SendRequest = <Answer>(question: () => Promise<Answer>) => Promise<Answer>;

/** Asks as long as the lease is ours and `stopping` is not aborted. */
export function requestUnderLease(hold: Pick<Hold, 'renew'>, stopping: AbortSignal): SendRequest {
  return async (question) => {
    if (stopping.aborted) throw new Interrupted('stopped');
    const answer = await orStopped(question(), stopping);
    if (!(await hold.renew())) throw new Interrupted('taken over');
    return answer;
  };
}

/** Does not wait for an answer that nobody will use. */
function orStopped<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Interrupted('stopped'));
    signal.addEventListener('abort', stop);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Changes of issues after which it is kept that they were learnt from: a new title of a field has issues read that may have
 * come without.
 */
const MAX_UNSEEN = 10_000;

/** What lasts longer than a turn. */
interface Lasting {
  readonly nudges: { readonly settle: (work: Work) => Promise<void> };
  /** Called with whether the site that answers is the one whose issues are here: null, or a sentence why nothing may be shown. */
  readonly onSite: (refusal: string | null) => void;
  /** Told now and then how it goes. */
  readonly onProgress: () => Promise<void>;
  readonly onProblem: (error: unknown) => void;
  /** Requests of this process that are counted in the state already. */
  counted: RequestCounts;
  /** The observed values of histories, and their text in the store; null before the first turn. */
  knownValues: { readonly values: HistoryValues; text: string | null; version: number } | null;
}

/**
 * Begins to work under a lease, with what is kept. `bad-request` when the store has the issues of another site: keys of
 * two sites look the same. A site at a new address is recognized by its issues, or by somebody's word
 * (`acceptAddress`) where they do not say otherwise.
 */
export async function openWork(
  parts: SyncParts,
  request: SendRequest,
  lasting: Lasting,
  acceptAddress = false,
): Promise<Work> {
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
    // Lists are known by the site, and what was kept is held against what it has now.
    state = { ...state, site: site.url, listsTriedAt: null, thoroughAt: null, compare: null };
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
  /** They must not hold up a fill: the next turn tries again. */
  async function readHints(): Promise<void> {
    try {
      await lasting.nudges.settle(work);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      nudgesFailed = true;
      lasting.onProblem(error);
    }
  }

  const work: Work = {
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
    state: () => state,
    keep,
    request,
    async checkpoint() {
      // Requests and Slack must not wait until all is written.
      await yieldToOthers();
      if (!nudgesFailed) await readHints();
      await lasting.onProgress();
    },
  };
  if (valuesText === null) {
    // An earlier version has not learnt from the issues that are kept.
    await useFieldIds(issues, titles, () => request(yieldToOthers));
    await storeValues();
  }
  const changes = state.wish === parts.wish ? {} : otherWish(parts.wish);
  await keep({ clockAheadMs: site.clockAheadMs, address: parts.address, ...changes });
  return work;
}

/** Until a comparison has come to its end there are issues here that are not wanted, or some are lacking. */
function otherWish(wish: string | null): Partial<SyncState> {
  return {
    wish,
    wishChanged: true,
    filledAt: null,
    done: 0,
    total: null,
    fill: null,
    compare: null,
    guard: null,
  };
}

/** The issues updated last say most: a copy of a site lacks what happened since. */
const SAMPLE = 20;

const CHUNK_ISSUES = 500;

/** Whether a site that answers is the one whose issues are kept, going by those issues; `why` it is not. */
type Recognized =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other'; readonly why: string };

/**
 * Looks for some issues that are kept at the site that answers now. It is the same site where at least half of them are
 * there by id, key and instant of creation, none of them in an older version than is kept; another one where an id is
 * that of an issue created at another instant.
 */
async function recognizeSite(
  { tracker, issues }: Pick<SyncParts, 'tracker' | 'issues'>,
  request: SendRequest,
): Promise<Recognized> {
  const stored = new Map<string, Issue>();
  for (const key of await issues.recentKeys(SAMPLE)) {
    const issue = await issues.issue(key);
    if (issue?.id !== undefined) stored.set(issue.id, issue);
  }
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
  // One may have been deleted since; a copy of a site lacks what was done on it later.
  const isWhole = known >= Math.max(1, stored.size - 1);
  return { kind: older === 0 && isWhole ? 'same' : 'unknown' };
}

/** Why nothing is shown while another site answers than the one whose issues are kept, and what to do. */
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

/** Has all that is kept lead to the new address of its site. */
async function moveSite(
  { issues }: Pick<SyncParts, 'issues'>,
  request: SendRequest,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const moved = (issue: Issue): Issue =>
    issue.link?.startsWith(`${from}/`) ? { ...issue, link: to + issue.link.slice(from.length) } : issue;
  const last = await issues.revision();
  for (let revision = 0; revision < last; ) {
    const chunk = await issues.changedSince(revision, CHUNK_ISSUES);
    // A failover has lost what was still to come.
    if (chunk.revision === revision) break;
    const affected = chunk.issues.map(({ issue }) => issue).filter((issue) => moved(issue) !== issue);
    if (affected.length > 0) await issues.putIssues(affected, moved);
    revision = chunk.revision;
    // Others get their turn, and the lease stays ours.
    await request(yieldToOthers);
  }
  // Its list of statuses is known by the address, and is read again.
  await issues.putStatuses([], from);
}
