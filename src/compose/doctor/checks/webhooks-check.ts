import { fine, note } from '../../../cli/finding.ts';
import { openSyncRecords } from '../../../mirror/sync/sync-records.ts';
import { ageText } from '../../../output/readable-text.ts';
import type { Check } from '../check.ts';

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
