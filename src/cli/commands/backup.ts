import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Backup } from '../../api/backups/create-backups.ts';
import { AppError, badRequest, badRequestAs, failureText } from '../../model/error.ts';
import { utcText } from '../../output/wording.ts';
import {
  type CliParts,
  createCommand,
  durationSyntax,
  type JsonOutput,
  readDuration,
} from '../cli-command.ts';

/** The pause after a backup that failed; a shorter interval is the pause itself. */
const RETRY_MS = 5 * millisecondsInMinute;

/** The longest single wait: a machine may sleep, and its clock be corrected. */
const MAX_WAIT_MS = millisecondsInHour;

const MAX_BACKUPS = 100_000;

/** Copies the database while Dwell runs; a copy is whole, as of one instant. */
export const backup = createCommand({
  name: 'backup',
  usage: 'backup FILE | backup FOLDER [--every TIME] [--keep NUMBER]',
  summary: 'copy the database to a file, or to a folder again and again, also while Dwell runs',
  details:
    'The copy has everything but what Dwell makes again: issues with their histories, settings, tokens, digests, delegations. It is read back, and its rows are counted, before it has its name. It holds the key that signs tokens, encrypted if SECRET_KEY is set, so only you can read it. With --every or --keep, copies in FOLDER are named like dwell-2026-11-30T0600Z.db, in UTC. With --every the command stays: it makes a copy when the newest one in FOLDER is that old, and tries again after a failure. Restore a copy with the command restore. A PostgreSQL database is copied by pg_dump instead.',
  words: { '[FILE]': 'where to write it; a file that exists is not replaced. Or FOLDER, one for each Dwell' },
  options: {
    '--every TIME': `the time from one copy to the next: ${durationSyntax}, such as 6h`,
    '--keep NUMBER': 'after each copy remove the oldest ones, so that this many are left (default: all)',
    '--json':
      'print JSON: { file, bytes, verified, kept, removed }, the last two as lists of files; with --every one for each copy',
  },
  examples: ['backup dwell-backup.db', 'backup ./backups --keep 28', 'backup ./backups --every 6h --keep 28'],
  async run(typed, parts) {
    const [target] = typed.words;
    const [every, keep] = [typed.value('every'), typed.value('keep')];
    if (target === undefined)
      throw badRequestAs('missing-value', 'FILE is required. For example: backup dwell-backup.db.');
    const max = keep === undefined ? null : readNumber(keep);
    const how = { max, killed: parts.killed };
    if (every !== undefined) return repeat(target, how, readDuration('--every', every, '6h'), parts);
    const isFile = max === null;
    show(
      await (isFile ? parts.backups.toFile(target, how.killed) : parts.backups.toFolder(target, how)),
      parts,
    );
    return 0;
  },
});

function readNumber(typed: string): number {
  const number = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= MAX_BACKUPS) return number;
  throw badRequest(`--keep '${typed}' is not known. Try: a number from 1 to ${MAX_BACKUPS}, such as 28.`);
}

function show(
  { file, bytes, removed, ...more }: Backup,
  { json, out }: Pick<CliParts, 'out'> & JsonOutput,
): void {
  json({ file, bytes, ...more, removed });
  out(`${file} has everything up to now, verified (${Math.ceil(bytes / 1024).toLocaleString('en-US')} kB).`);
  for (const one of removed) out(`Removed ${one}.`);
}

/** Makes a backup whenever the newest one in a folder is old enough, until a signal ends it. */
async function repeat(
  folder: string,
  how: Parameters<CliParts['backups']['toFolder']>[1],
  everyMs: number,
  parts: CliParts & JsonOutput,
): Promise<number> {
  const { backups, now, wait, killed, out, err } = parts;
  const retryMs = Math.min(everyMs, RETRY_MS);
  let announced = 0;
  for (let isFirst = true; !killed.aborted; isFirst = false) {
    try {
      const newest = await backups.newestIn(folder);
      const due = newest === null ? now() : newest + everyMs;
      if (due <= now()) {
        show(await backups.toFolder(folder, how), parts);
        continue;
      }
      if (due !== announced) out(`The next backup is due at ${utcText(due)}.`);
      announced = due;
      await wait(Math.min(due - now(), MAX_WAIT_MS), killed);
    } catch (error) {
      if (killed.aborted) break;
      // A wrong command line or setting does not pass.
      if (!(error instanceof AppError) || (isFirst && error.code === 'bad-request')) throw error;
      err(`${failureText(error)} The next try is in ${Math.ceil(retryMs / millisecondsInMinute)} min.`);
      await wait(retryMs, killed);
    }
  }
  return 0;
}
