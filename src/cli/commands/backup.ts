import { badRequestAs } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

/** Copies the database while Dwell runs; a copy is whole, as of one instant. */
export const backup = createCommand({
  name: 'backup',
  usage: 'backup FILE',
  summary: 'copy the database to a file, also while Dwell runs',
  details:
    'The copy has everything but what Dwell makes again: issues with their histories, settings, tokens, digests, delegations. It holds the key that signs tokens, encrypted if SECRET_KEY is set, so only you can read it. To restore, stop Dwell and put it into an empty DATA_DIR as dwell.db. A PostgreSQL database is copied by pg_dump instead.',
  words: { '[FILE]': 'where to write it; a file that exists is not replaced' },
  options: { '--json': 'print JSON: { file, bytes }' },
  examples: ['backup dwell-backup.db'],
  async run(typed, { backUp, killed, out, json }) {
    const [file] = typed.words;
    if (file === undefined)
      throw badRequestAs('missing-value', 'FILE is required. For example: backup dwell-backup.db.');
    const copy = await backUp(file, killed);
    json(copy);
    out(
      `${copy.file} has everything up to now (${Math.ceil(copy.bytes / 1024).toLocaleString('en-US')} kB).`,
    );
    return 0;
  },
});
