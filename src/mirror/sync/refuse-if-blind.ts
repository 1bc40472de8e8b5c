import { AppError } from '../../model/error.ts';
import { syncCommand } from '../../model/sync.ts';
import { countAll } from './count-all.ts';
import type { Work } from './work.ts';

/** So many of the issues that are kept are searched for. */
const SAMPLE = 20;

/**
 * `unavailable` where the tracker shows us nothing at all although issues are kept: it may take us for nobody, and
 * answer all the same. Then neither is what is kept fresh, nor is anything gone.
 */
export async function refuseIfBlind(work: Work): Promise<void> {
  const { issues, tracker, state } = work;
  const count = await issues.count();
  // Other issues are wished for now: perhaps there are none.
  if (count === 0 || state().wishChanged || (await countAll(work))) return;
  const kept = await Promise.all((await issues.recentKeys(SAMPLE)).map((key) => issues.issue(key)));
  const ids = kept.flatMap((issue) => issue?.id ?? []);
  if (ids.length === 0 || (await work.ask(() => tracker.findable(ids))).size > 0) return;
  throw new AppError(
    'unavailable',
    `${state().site} answers, but shows our account none of the ${count.toLocaleString('en-US')} issues kept here. Has its token expired, or has it lost its right to browse them? Nothing was taken away. If they are gone indeed, run \`${syncCommand} --accept-removals\`.`,
  );
}

/** Takes issues away that the tracker says it does not have any more; `isAccepted`: however few it shows. */
export async function removeGone(work: Work, missing: readonly string[], isAccepted = false): Promise<void> {
  if (missing.length === 0) return;
  if (!isAccepted) await refuseIfBlind(work);
  await work.store.removeIssues(missing);
}
