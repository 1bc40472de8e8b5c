import { millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import { mayBeDone, refusalOf } from '../exports/refusal.ts';
import type { HomeParts } from '../parts.ts';
import { gatherHome } from './gather-home.ts';
import type { HomeContent } from './home-content.ts';
import { homeView } from './home-view.ts';
import type { Homes } from './homes.ts';
import { laterAfter, publishView } from './publish-view.ts';

/** What takes no longer is in the first view; people look at an empty tab for no longer either. */
const QUICK_MS = 400;

const FOLLOWED_MS = millisecondsInHour;
const MOST_FOLLOWED = 1_000;

/**
 * Fills Home tabs, each in at most four views, of which the last is tried again for minutes. Who opens theirs again while it
 * is being filled gets a newer one, after which no view of the older comes.
 */
export function createHomes(parts: HomeParts): Homes {
  const newest = new Map<string, symbol>();
  const looked = createNamespace<true>({
    ...{ name: 'slack-homes-looked-at', ttlMs: FOLLOWED_MS, most: MOST_FOLLOWED, now: parts.now },
  });
  const mutex = createLimitByKey<string>(1);

  async function fill(account: string, isNewest: () => boolean): Promise<void> {
    const gathering = gatherHome(account, parts);
    // Only while it is the newest, and never beside another of the same person.
    const attempt = <Result>(work: () => Promise<Result>) =>
      mutex(account, async () => (isNewest() ? work() : null));
    let hash: string | null = null;
    let shown: HomeContent | null = null;
    let refused: unknown = null;
    const publish = async () => {
      const content = gathering.content();
      if (content === shown) return;
      const published = await publishView({ account, view: homeView(content), hash }, attempt, parts);
      shown = content;
      // An answer without a hash leaves nothing to compare.
      hash = published === '' ? null : published;
    };
    // A view that Slack does not take now is missed by nobody once a fuller one follows.
    const publishMeanwhile = async () => {
      if (refused !== null || !isNewest()) return;
      try {
        await publish();
      } catch (error) {
        if (laterAfter(error, 0) === null) throw error;
        refused = error;
      }
    };
    const publishLast = async () => {
      for (let tries = 0; isNewest(); ) {
        try {
          if (refused === null) return await publish();
        } catch (error) {
          refused = error;
        }
        const pauseMs = laterAfter(refused, tries);
        if (pauseMs === null) throw refused;
        parts.log.debug({ err: refused, account, pauseMs }, 'a Home tab is published later');
        // What Slack gave no answer to may have changed the hash.
        if (mayBeDone(refused)) hash = null;
        refused = null;
        tries += 1;
        await parts.wait(pauseMs);
      }
    };
    const quick = gathering.quickly();
    await Promise.race([quick, parts.wait(QUICK_MS)]);
    await publishMeanwhile();
    // Counting holds up whatever else there is to do, so each view goes out before the next part is counted.
    for (const count of [gathering.countWaiting, gathering.countUsual]) {
      if (!isNewest()) return;
      await count();
      await publishMeanwhile();
    }
    if (!isNewest()) return;
    await Promise.all([quick, gathering.countWeeks()]);
    await publishLast();
  }

  async function show(account: string): Promise<void> {
    const own = Symbol(account);
    newest.set(account, own);
    const isNewest = () => newest.get(account) === own;
    try {
      await fill(account, isNewest);
    } catch (error) {
      const isOutdated = refusalOf(error) === 'hash_conflict';
      const how = isOutdated ? 'a newer Home tab was published elsewhere' : 'a Home tab could not be filled';
      parts.log[isOutdated ? 'debug' : 'warn']({ err: error, account }, how);
    } finally {
      if (isNewest()) newest.delete(account);
    }
  }

  return {
    async show(account) {
      await looked.set(account, true);
      await show(account);
    },
    async follow(account) {
      if ((await looked.get(account)) === true) await show(account);
    },
  };
}
