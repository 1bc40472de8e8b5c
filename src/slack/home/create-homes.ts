import { createTakeTurnsBy } from '../delegations/take-turns-by.ts';
import { refusalOf } from '../exports/refusal.ts';
import { gatherHome } from './gather-home.ts';
import type { HomeContent } from './home-content.ts';
import type { HomeParts } from './home-parts.ts';
import { homeView } from './home-view.ts';
import type { Homes } from './homes.ts';
import { publishView } from './publish-view.ts';

/** What takes no longer is in the first view; people look at an empty tab for no longer either. */
const QUICK_MS = 400;

/**
 * Fills Home tabs, each in at most three views. Who opens theirs again while it is being filled gets a newer one, after
 * which no view of the older comes.
 */
export function createHomes(parts: HomeParts): Homes {
  const newest = new Map<string, symbol>();
  const takeTurns = createTakeTurnsBy<string>();

  async function fill(account: string, isNewest: () => boolean): Promise<void> {
    const gathering = gatherHome(account, parts);
    // Only while it is the newest, and never beside another of the same person.
    const attempt = <Result>(work: () => Promise<Result>) =>
      takeTurns(account, async () => (isNewest() ? work() : null));
    let hash: string | null = null;
    let shown: HomeContent | null = null;
    const publish = async () => {
      const content = gathering.content();
      if (content === shown) return;
      const published = await publishView({ account, view: homeView(content), hash }, attempt, parts);
      shown = content;
      // An answer without a hash leaves nothing to compare.
      hash = published === '' ? null : published;
    };
    const quick = gathering.quickly();
    await Promise.race([quick, parts.wait(QUICK_MS)]);
    await publish();
    // Counting holds up whatever else there is to do, so each view goes out before the next part is counted.
    if (!isNewest()) return;
    await gathering.countWaiting();
    await publish();
    if (!isNewest()) return;
    await Promise.all([quick, gathering.countWeeks()]);
    await publish();
  }

  return {
    async show(account) {
      const own = Symbol(account);
      newest.set(account, own);
      const isNewest = () => newest.get(account) === own;
      try {
        await fill(account, isNewest);
      } catch (error) {
        const isOutdated = refusalOf(error) === 'hash_conflict';
        const how = isOutdated
          ? 'a newer Home tab was published elsewhere'
          : 'a Home tab could not be filled';
        parts.log[isOutdated ? 'debug' : 'warn']({ err: error, account }, how);
      } finally {
        if (isNewest()) newest.delete(account);
      }
    },
  };
}
