import { awaitsResume } from '../../../api/restore/create-restore.ts';
import { fine, warning } from '../../../cli/finding.ts';
import { defaultTenant } from '../../../model/request.ts';
import { pausedText } from '../../../model/restore.ts';
import { stampFile } from '../../tenant-folder.ts';
import type { Check } from '../check.ts';

/** The posts on a schedule: whether they are paused. */
export const postingCheck: Check = {
  name: 'Posting',
  needs: ['store'],
  async run({ config: { databaseUrl, dataDir }, data, store: examined }) {
    const store = await data();
    if ('level' in store) return [store];
    const file = databaseUrl === null ? stampFile(dataDir, defaultTenant) : null;
    const identity = async () => (await (await examined())?.data?.identity()) ?? null;
    if (await awaitsResume(store, { file, identity })) return [warning(pausedText)];
    const [digests, watches] = [await store.digests.list(), await store.watches.list()];
    return [fine(`not paused (digests: ${digests.length}, watches: ${watches.length})`)];
  },
};
