import { createHash } from 'node:crypto';
import type { SlackEventMiddlewareArgs } from '@slack/bolt';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import type { Instant } from '../../model/issue.ts';
import type { HomeParts, Homes, SlackParts } from '../app/parts.ts';
import { perhapsDone, refusalOf } from '../app/slack-refusal.ts';
import { settledTexts } from '../blocks/mrkdwn.ts';
import { withKnownMentions } from '../people/accounts.ts';
import { gatherHome } from './gather-home.ts';
import { homeView } from './home-view.ts';

/** The time a part may take to be in the first view; people look at an empty tab for no longer either. */
const QUICK_MS = 400;

const FOLLOWED_MS = millisecondsInHour;
const MAX_FOLLOWED = 1_000;
const SNOOZED_MS = 3 * millisecondsInDay;

/**
 * Fills Home tabs, each in at most two views: what is known at once, where nothing is shown yet, and the whole, where it
 * is not shown already. Who opens theirs again while it is being filled gets a newer one, after which no view of the older
 * comes.
 */
export function createHomes(parts: HomeParts): Homes {
  const { now, stored } = parts;
  const newest = new Map<string, symbol>();
  const mutex = createLimitByKey<string>(1);
  /**
   * Fingerprints of the tabs that people are taken to look at: by them what one process shows follows what is done at
   * another.
   */
  const shown = createNamespace<string>({
    name: 'slack-homes',
    ttlMs: FOLLOWED_MS,
    maxEntries: MAX_FOLLOWED,
    now,
    backing: stored,
  });
  const unlimited = { maxEntries: null, now, backing: stored };
  const opened = createNamespace<true>({ name: 'home-opened', ttlMs: null, ...unlimited });
  /** Issues by key that are hidden until an instant, as long as they are in their status since then. */
  const snoozed = createNamespace<Readonly<Record<string, Readonly<Record<'since' | 'until', Instant>>>>>({
    name: 'home-snoozed',
    ttlMs: SNOOZED_MS,
    ...unlimited,
  });

  async function fill(account: string, isBlank: boolean, isNewest: () => boolean): Promise<void> {
    const isFirst = (await opened.get(account)) === undefined;
    const hidden = Object.entries((await snoozed.get(account)) ?? {}).flatMap(([key, { since, until }]) =>
      until > now() ? [[key, since] as const] : [],
    );
    const remembered = { isFirst, snoozed: new Map(hidden) };
    const gathering = gatherHome(account, remembered, parts);
    let before = isBlank ? undefined : await shown.get(account);
    let hash: string | null = null;
    /** Only while it is the newest, where it differs from what is shown, and never beside another of the same person. */
    const publish = async () => {
      const content = gathering.content();
      const view = settledTexts(await withKnownMentions(homeView(content), parts));
      const print = createHash('sha256').update(JSON.stringify(view)).digest('base64');
      await mutex(account, async () => {
        if (!isNewest()) return;
        if (print !== before) {
          const call = { user_id: account, view, ...(hash === null ? {} : { hash }) };
          hash = (await parts.web.views.publish(call)).view?.hash ?? null;
        }
        before = print;
        await shown.set(account, print);
        // A welcome is spent once it was seen; without an issue to try there is none.
        if (isFirst && content.facts.state === 'known' && content.facts.value.ground !== null)
          await opened.set(account, true);
      });
    };
    const quick = gathering.quickly();
    let refused: unknown = null;
    if (before === undefined) {
      await Promise.race([quick, parts.wait(QUICK_MS)]);
      // A view that Slack does not take now is missed by no one once the whole one follows.
      await publish().catch((error: unknown) => {
        if (laterAfter(error, 0) === null) throw error;
        refused = error;
      });
    }
    if (!isNewest()) return;
    await quick;
    await gathering.slowly();
    for (let tries = 0; isNewest(); tries += 1) {
      if (refused !== null) {
        const pauseMs = laterAfter(refused, tries);
        if (pauseMs === null) throw refused;
        parts.log.debug({ err: refused, account, pauseMs }, 'a Home tab is published later');
        // A call that Slack gave no answer to may have changed the hash.
        if (perhapsDone(refused)) hash = null;
        await parts.wait(pauseMs);
      }
      try {
        return await publish();
      } catch (error) {
        refused = error;
      }
    }
  }

  async function show(account: string, isBlank = false): Promise<void> {
    const own = Symbol(account);
    newest.set(account, own);
    const isNewest = () => newest.get(account) === own;
    try {
      await fill(account, isBlank, isNewest);
    } catch (error) {
      const isOutdated = refusalOf(error) === 'hash_conflict';
      const how = isOutdated ? 'a newer Home tab was published elsewhere' : 'a Home tab could not be filled';
      parts.log[isOutdated ? 'debug' : 'warn']({ err: error, account }, how);
    } finally {
      if (isNewest()) newest.delete(account);
    }
  }

  return {
    show,
    async follow(account) {
      if ((await shown.get(account)) !== undefined) await show(account);
    },
    async snooze(account, visit) {
      if (visit === null) await snoozed.delete(account);
      else {
        const issue = { since: visit.since, until: now() + SNOOZED_MS };
        await snoozed.change(account, (all) => ({ ...all, [visit.key]: issue }));
      }
    },
  };
}

const LATER_MS = [500, 2_000, 15_000, 60_000, 120_000];
const MAX_LATER_MS = 300_000;

/** The next pause after so many tries in vain; null where that is of no use, or no one looks any more. */
function laterAfter(error: unknown, tries: number): number | null {
  const isLimited = error instanceof WebAPIRateLimitedError;
  const pauseMs = isLimited ? 1000 * error.retryAfter : perhapsDone(error) ? 0 : null;
  const longer = LATER_MS[tries];
  if (pauseMs === null || longer === undefined || pauseMs > MAX_LATER_MS) return null;
  return Math.max(pauseMs, longer);
}

/** Fills the Home tab whenever someone opens it. */
export function publishHome(homes: Homes) {
  return async ({ event }: SlackEventMiddlewareArgs<'app_home_opened'>): Promise<void> => {
    // Slack sends along what the tab shows.
    if (event.tab === 'home') await homes.show(event.user, event.view === undefined);
  };
}

type Followed = Pick<SlackParts, 'channels' | 'digests' | 'watches'>;

/** The same ports, whose changes the Home tabs of the people they are about follow; no one waits for that. */
export function refreshingHomes(
  { follow }: Pick<Homes, 'follow'>,
  { channels, digests, watches }: Followed,
): Followed {
  async function after<Result>(accounts: readonly string[], change: Promise<Result>): Promise<Result> {
    const changed = await change;
    for (const account of accounts) void follow(account);
    return changed;
  }
  return {
    channels: {
      ...channels,
      changePreferences: (account, changes) => after([account], channels.changePreferences(account, changes)),
    },
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
