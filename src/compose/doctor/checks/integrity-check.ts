import { fine, note, problem } from '../../../cli/finding.ts';
import type { Check } from '../check.ts';

/** The database from its beginning to its end, for damage. */
export const integrityCheck: Check = {
  name: 'Integrity',
  needs: ['store'],
  isSlow: true,
  async run({ store }) {
    const data = (await store())?.data ?? null;
    if (data === null) return [note('not checked: there is no store of this version yet')];
    if (data.damage === null) return [note('not checked here: pg_amcheck reads a PostgreSQL database')];
    const [first, ...others] = await data.damage();
    if (first === undefined) return [fine('the whole database was read, and nothing is damaged')];
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return [problem(`the database is damaged: ${first}${more}.`, 'Stop Dwell, and restore a backup.')];
  },
};
