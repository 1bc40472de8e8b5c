import { badRequest, badRequestAs } from '../../model/error.ts';
import { counted } from '../../output/sync-text.ts';
import { capital } from '../../output/wording.ts';
import { type CliParts, createCommand, type JsonOutput, type StoreMoves } from '../cli-command.ts';

/** The parts of the command. */
export type StoreParts = Pick<CliParts, 'out' | 'progress'> & {
  readonly stores: Pick<StoreMoves, 'move' | 'release'>;
};

const USAGE = 'store move FROM TO';

/** Digits of a checksum that are printed: enough to compare, and `--json` has them all. */
const DIGITS = 16;

/** Moves everything between a folder and a database. */
export const store = createCommand({
  name: 'store',
  usage: `${USAGE} | store move FROM --force`,
  summary: 'move everything from a folder to a PostgreSQL database, or back',
  details:
    'Stop Dwell first. TO has to be empty. FROM is read only and marked as moved, so no Dwell uses it any more. Rows and checksums of every table are compared. If the move is interrupted, run the same command again. Other users of the machine can see what is typed: instead of an address with a password, type DATABASE_URL, which is the address in that setting, or set PGPASSWORD. FROM with --force and without TO removes the mark.',
  words: {
    '[move]': 'what to do',
    '[FROM]': 'a folder of data, or a database: postgres://host/name, or the word DATABASE_URL',
    '[TO]': 'the same; one of the two is a folder, the other one a database',
  },
  options: {
    '--force':
      'use FROM although it was moved, or its move was interrupted; if both stores are used, both post',
    '--json':
      'print JSON: { from, to, tables: [{ table, rows, bytes, checksum }], files: { files, bytes } }, or { store, movedTo } without TO',
  },
  examples: [
    'store move ./data DATABASE_URL',
    'store move DATABASE_URL ./data-from-postgres',
    'store move ./data --force',
  ],
  async run({ words: [verb, from, to], isOn }, parts: StoreParts & JsonOutput) {
    if (verb !== undefined && verb !== 'move')
      throw badRequestAs('unknown-name', `'${verb}' is not known. Try: ${USAGE}.`);
    const isForced = isOn('force');
    if (from === undefined || (to === undefined && !isForced))
      throw badRequestAs('missing-value', `FROM and TO are required. Try: ${USAGE}.`);
    if (to === undefined) return release(from, parts);
    const summary = await parts.stores
      .move({ from, to, isForced }, ({ step, name, done, all }) => {
        const share = all === 0 ? 100 : Math.floor((done / all) * 100);
        const what =
          step === 'files' ? `${counted(done)} files copied` : `${share}% of ${counted(all)} rows ${step}`;
        parts.progress(`${name}: ${what}`);
      })
      .finally(() => parts.progress(''));
    parts.json(summary);
    const { tables, files } = summary;
    for (const { table, rows, checksum } of tables.filter(({ rows }) => rows > 0))
      parts.out(`${table.padEnd(16)} ${counted(rows).padStart(12)} rows  ${checksum.slice(0, DIGITS)}`);
    if (files.files > 0) parts.out(`${'files'.padEnd(16)} ${counted(files.files).padStart(12)}`);
    parts.out(
      `Everything in ${summary.from} is in ${summary.to} now, with equal checksums. Start Dwell there.`,
    );
    return 0;
  },
});

async function release(from: string, { stores, json, out }: StoreParts & JsonOutput): Promise<number> {
  const released = await stores.release(from);
  if (released.movedTo === null)
    throw badRequest(`${capital(released.store)} was not moved: there is nothing to undo.`);
  json(released);
  out(
    `${capital(released.store)} can be used again. Don't use ${released.movedTo} as well: both would post.`,
  );
  return 0;
}
