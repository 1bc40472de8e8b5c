import { millisecondsInDay } from 'date-fns/constants';
import { latestBackup } from '../../../api/backups/create-backups.ts';
import { fine, note, warning } from '../../../cli/finding.ts';
import { ageText } from '../../../output/readable-text.ts';
import { sizeText } from '../../../output/size-text.ts';
import type { Check } from '../check.ts';

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
