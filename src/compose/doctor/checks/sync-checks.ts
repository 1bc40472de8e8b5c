import { millisecondsInHour } from 'date-fns/constants';
import { type Finding, fine, note, warning } from '../../../cli/finding.ts';
import { openSyncRecords } from '../../../mirror/sync/sync-records.ts';
import { progressOf, readRejected, readState } from '../../../mirror/sync/sync-state.ts';
import type { Instant } from '../../../model/issue.ts';
import { type SyncProgress, syncCommand } from '../../../model/sync.ts';
import { ageText } from '../../../output/readable-text.ts';
import { counted, fillText } from '../../../output/sync-text.ts';
import type { Check } from '../check.ts';

const MAX_AGE_MS = millisecondsInHour;

/** The age of the stored issues, and what could not be read. */
export const syncCheck: Check = {
  name: 'Sync',
  needs: ['store', 'tracker'],
  async run({ config: { live, hostedReporting, syncSeconds }, data, now }) {
    if (live === null) return [note('not used: no tracker is connected')];
    const store = await data();
    if ('level' in store) return [store];
    const records = openSyncRecords(store, live.name);
    const state = readState(await records.state());
    if (state === null) return [note(`nothing was read yet; start Dwell, or run \`${syncCommand}\``)];
    const progress = progressOf(state, {
      rejected: await readRejected(records),
      query: live.query,
      withIssues: hostedReporting === null,
      startedAt: now(),
      problem: null,
    });
    const cut = await records.countCut();
    return [
      freshness(progress, now(), Math.max(MAX_AGE_MS, 10_000 * syncSeconds)),
      ...(progress.problem === null
        ? []
        : [
            warning(
              `the last turn failed ${ageText(now() - progress.problem.at)}: ${progress.problem.message}`,
            ),
          ]),
      ...withheldOf(cut, progress.withheld.length),
    ];
  },
};

function freshness(progress: SyncProgress, now: Instant, maxAgeMs: number): Finding {
  const { asOf, filled } = progress;
  if (!filled || asOf === null) return note(`the initial sync is under way: ${fillText(progress)}`);
  const age = now - asOf;
  const text = `issues are as they were ${ageText(age)}`;
  return age > maxAgeMs ? warning(`${text}.`, `Start Dwell, or run \`${syncCommand}\`.`) : fine(text);
}

function withheldOf(cut: number, withheld: number): readonly Finding[] {
  const parts = [
    ...(cut === 0 ? [] : [`incomplete histories: ${counted(cut)}`]),
    ...(withheld === 0 ? [] : [`lists and issues that cannot be read: ${counted(withheld)}`]),
  ];
  return parts.length === 0 ? [] : [note(`${parts.join(', ')}. \`${syncCommand}\` names them.`)];
}

/** The webhooks of the tracker: whether they are accepted, and when the last one came. */
export const webhooksCheck: Check = {
  name: 'Webhooks',
  needs: ['store', 'tracker'],
  async run({ config: { live, syncSeconds }, tracker, data, now }) {
    const webhooks = (await tracker())?.webhooks;
    if (live === null || webhooks === undefined) return [note('not used: no tracker is connected')];
    if (webhooks.secret === null)
      return [note(`not used: ${webhooks.setting} is not set, so changes are read every ${syncSeconds} s`)];
    const store = await data();
    if ('level' in store) return [store];
    const at = await openSyncRecords(store, live.name).nudgedAt();
    if (at === null)
      return [note('none came yet.', `Make one in ${live.title} that leads to /rest/webhooks/${live.name}.`)];
    return [fine(`the last event about an issue came ${ageText(now() - at)}`)];
  },
};
