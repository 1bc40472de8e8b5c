import { millisecondsInDay } from 'date-fns/constants';
import { latestBackup } from '../../../api/backups/create-backups.ts';
import { awaitsResume } from '../../../api/restore/create-restore.ts';
import { fine, note, warning } from '../../../cli/finding.ts';
import { pausedText } from '../../../model/digest.ts';
import { defaultTenant } from '../../../model/request.ts';
import { ageText } from '../../../output/readable-text.ts';
import { sizeText } from '../../../output/size-text.ts';
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

const MAX_AGE_MS = 7 * millisecondsInDay;

/** The last backup. */
export const backupsCheck: Check = {
  name: 'Backups',
  needs: ['store'],
  async run({ config: { databaseUrl }, store, data, now }) {
    if (databaseUrl !== null) return [note('not seen here: a PostgreSQL database is copied by pg_dump')];
    const stored = await data();
    if ('level' in stored) return [stored];
    const last = await latestBackup(stored);
    const cure = 'Run `npx dwell backup FILE`, every day.';
    if (last === null) {
      const age = now() - ((await store())?.madeAt ?? now());
      return [
        age > millisecondsInDay ? warning('there is none yet.', cure) : note('none yet, and the data is new'),
      ];
    }
    const { at, file, bytes, verified } = last;
    const age = now() - at;
    const text = `${file} (${sizeText(bytes)}), ${ageText(age)}`;
    if (age > MAX_AGE_MS) return [warning(`the last one is ${text}.`, cure)];
    return [verified ? fine(text) : warning(`the last one is ${text}, and was not verified.`, cure)];
  },
};
