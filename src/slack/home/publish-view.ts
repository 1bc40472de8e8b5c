import type { HomeView } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { mayBeDone } from '../exports/refusal.ts';
import type { HomeParts } from '../parts.ts';
import { settledTexts } from '../settled-texts.ts';

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
export async function publishView(
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
    return publish(mayBeDone(error) ? null : hash);
  }
}

/** How long to wait after a refusal before a view is tried once more; null: no longer than somebody looks at it. */
function pauseAfter(error: unknown): number | null {
  const pauseMs = pauseOf(error);
  return pauseMs !== null && pauseMs > MOST_WAITED_MS ? null : pauseMs;
}

function pauseOf(error: unknown): number | null {
  if (error instanceof WebAPIRateLimitedError) return 1000 * error.retryAfter;
  return mayBeDone(error) ? PAUSE_MS : null;
}

/**
 * How long to wait before the view somebody is left with is tried again, after so many times in vain; null where that
 * is of no use, or nobody looks any more.
 */
export function laterAfter(error: unknown, tries: number): number | null {
  const pauseMs = pauseOf(error);
  const longer = LATER_MS[tries];
  if (pauseMs === null || longer === undefined || pauseMs > MOST_LATER_MS) return null;
  return Math.max(pauseMs, longer);
}
