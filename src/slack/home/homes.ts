import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { HomeView } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import type { SlackAction } from '../app/handler-types.ts';
import { settledTexts } from '../app/message-texts.ts';
import type { HomeParts, SlackParts } from '../app/parts.ts';
import type { Homes } from '../app/ports.ts';
import { perhapsDone, refusalOf } from '../app/slack-refusal.ts';
import { gatherHome } from './gather-home.ts';
import type { HomeContent } from './home-content.ts';
import { homeView } from './home-view.ts';

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
        if (perhapsDone(refused)) hash = null;
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

/** Who has to wait longer opens the tab anew sooner. */
const MOST_WAITED_MS = 10_000;
const PAUSE_MS = 500;
/** Of the last view of a tab, which is tried for minutes. */
const LATER_MS = [2_000, 15_000, 60_000, 120_000];
const MOST_LATER_MS = 300_000;

/** One view for one person. `hash`: only while the tab still shows the view with it; null: whatever it shows. */
interface Publication {
  readonly account: string;
  readonly view: HomeView;
  readonly hash: string | null;
}

/**
 * Publishes a view, once more where Slack wants us to wait or gave no answer; hands back its hash. Each try is made only
 * while `attempt` lets it, and null tells that it did not any more.
 */
async function publishView(
  { account, view, hash }: Publication,
  attempt: <Result>(work: () => Promise<Result>) => Promise<Result | null>,
  { web, wait }: Pick<HomeParts, 'web' | 'wait'>,
): Promise<string | null> {
  const publish = (known: string | null) =>
    attempt(async () => {
      const { view: published } = await web.views.publish({
        user_id: account,
        view: settledTexts(view),
        ...(known === null ? {} : { hash: known }),
      });
      return published?.hash ?? '';
    });
  try {
    return await publish(hash);
  } catch (error) {
    const pauseMs = pauseAfter(error);
    if (pauseMs === null) throw error;
    await wait(pauseMs);
    // What Slack gave no answer to may have changed the hash.
    return publish(perhapsDone(error) ? null : hash);
  }
}

/** How long to wait after a refusal before a view is tried once more; null: no longer than somebody looks at it. */
function pauseAfter(error: unknown): number | null {
  const pauseMs = pauseOf(error);
  return pauseMs !== null && pauseMs > MOST_WAITED_MS ? null : pauseMs;
}

function pauseOf(error: unknown): number | null {
  if (error instanceof WebAPIRateLimitedError) return 1000 * error.retryAfter;
  return perhapsDone(error) ? PAUSE_MS : null;
}

/**
 * How long to wait before the view somebody is left with is tried again, after so many times in vain; null where that
 * is of no use, or nobody looks any more.
 */
function laterAfter(error: unknown, tries: number): number | null {
  const pauseMs = pauseOf(error);
  const longer = LATER_MS[tries];
  if (pauseMs === null || longer === undefined || pauseMs > MOST_LATER_MS) return null;
  return Math.max(pauseMs, longer);
}

/** Fills the Home tab whenever somebody opens it. */
export function publishHome(homes: Homes) {
  return async ({
    event,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab === 'home') await homes.show(event.user);
  };
}

type Told = Pick<SlackParts, 'digests' | 'watches'>;

/** The same ports, whose changes the Home tabs of those they belong to follow; nobody waits for that. */
export function refreshingHomes({ follow }: Pick<Homes, 'follow'>, { digests, watches }: Told): Told {
  async function after<Result>(accounts: readonly string[], change: Promise<Result>): Promise<Result> {
    const changed = await change;
    for (const account of accounts) void follow(account);
    return changed;
  }
  return {
    digests: {
      ...digests,
      create: (owner, input) => after([owner.account], digests.create(owner, input)),
      change: (principal, id, changes) => after([principal.account], digests.change(principal, id, changes)),
      pause: (principal, id) => after([principal.account], digests.pause(principal, id)),
      resume: (principal, id) => after([principal.account], digests.resume(principal, id)),
      handOver: (principal, id, account) =>
        after([principal.account, account], digests.handOver(principal, id, account)),
      takeOver: (principal, id, gone) =>
        after([principal.account, gone], digests.takeOver(principal, id, gone)),
      remove: (principal, id) => after([principal.account], digests.remove(principal, id)),
    },
    watches: {
      ...watches,
      create: (by, input) => after([by.owner.account], watches.create(by, input)),
      pause: (principal, id) => after([principal.account], watches.pause(principal, id)),
      resume: (principal, id) => after([principal.account], watches.resume(principal, id)),
      remove: (principal, id) => after([principal.account], watches.remove(principal, id)),
    },
  };
}

/** A button of the Home tab that stands for a slash command; its value is the line, with a word behind the command. */
export const homeAsk: SlackAction<Pick<SlackParts, 'commands'>> = {
  id: 'home-ask',
  async run({ principal, userName, place, open, value }, { commands }) {
    const [root, word, ...words] = value.split(' ');
    const command = commands.find((one) => one.root === root && one.word === word);
    if (command === undefined) throw new Error(`Nothing answers ${root} ${word}`);
    return command.answer({ principal, userName, place, open, words, text: words.join(' ') });
  },
};

/** *Refresh* on the Home tab. */
export const homeRefresh: SlackAction<Pick<SlackParts, 'homes'>> = {
  id: 'home-refresh',
  async run({ principal: { account } }, { homes }) {
    await homes.show(account);
    return [];
  },
};
