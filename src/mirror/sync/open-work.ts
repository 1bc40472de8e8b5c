import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { RequestCounts } from '../../model/sync.ts';
import { createFieldTitles } from '../field-titles.ts';
import type { Ask } from './ask-under-lease.ts';
import { moveSite, otherSiteText, recognizeSite } from './moved-site.ts';
import type { Nudges } from './nudges.ts';
import type { SyncParts } from './sync-parts.ts';
import { firstState, readState, type SyncState } from './sync-state.ts';
import type { Work } from './work.ts';

/** What lasts longer than a turn. */
interface Lasting {
  readonly nudges: Nudges;
  /** Told whether the site that answers is the one whose issues are here: null, or a sentence why nothing may be told. */
  readonly onSite: (refusal: string | null) => void;
  /** Told now and then how it goes. */
  readonly onProgress: () => Promise<void>;
  readonly onProblem: (error: unknown) => void;
  /** Requests of this process that are counted in the state already. */
  counted: RequestCounts;
}

/**
 * Begins to work under a lease, with what is kept. `bad-request` when the store has the issues of another site: keys of
 * two sites cannot be told apart. A site at a new address is recognized by its issues, or by somebody's word
 * (`acceptAddress`) where they do not say otherwise.
 */
export async function openWork(
  parts: SyncParts,
  ask: Ask,
  lasting: Lasting,
  acceptAddress = false,
): Promise<Work> {
  const { tracker, issues, store, now } = parts;
  const kept = readState(await store.state());
  const site = await ask(() => tracker.site());
  let state: SyncState = kept ?? firstState(site.url, parts, now());
  if (state.site !== site.url) {
    lasting.onSite(otherSiteText(state.site, site.url, null));
    const recognized = await recognizeSite(parts, ask);
    if (recognized.kind !== 'same' && !(acceptAddress && recognized.kind === 'unknown')) {
      const refusal = otherSiteText(state.site, site.url, recognized);
      lasting.onSite(refusal);
      throw new AppError('bad-request', refusal);
    }
    const move = { from: state.site, to: site.url };
    await moveSite(parts, ask, move);
    // Lists are known by the site, and what was kept is held against what it has now.
    state = { ...state, site: site.url, listsTriedAt: null, thoroughAt: null, compare: null };
    parts.onMoved?.(move);
  }
  lasting.onSite(null);
  const titles = createFieldTitles();
  titles.learn((await issues.directory()).fields);
  const keep = async (part: Partial<SyncState>) => {
    const requests = tracker.requests();
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
  async function settleNudges(): Promise<void> {
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
    now,
    state: () => state,
    keep,
    ask,
    async breathe() {
      // Requests and Slack must not wait until all is written.
      await yieldToOthers();
      if (!nudgesFailed) await settleNudges();
      await lasting.onProgress();
    },
  };
  const changes = state.wish === parts.wish ? {} : otherWish(parts.wish);
  await keep({ clockAheadMs: site.clockAheadMs, address: parts.address, ...changes });
  return work;
}

/** Until a comparison has come to its end there are issues here that are not wished, or some are lacking. */
function otherWish(wish: string | null): Partial<SyncState> {
  return {
    ...{ wish, wishChanged: true, filledAt: null, done: 0, total: null },
    ...{ fill: null, compare: null, guard: null },
  };
}
