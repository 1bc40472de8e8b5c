import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportRecord } from '../../src/model/export.ts';
import type { ExportMoment } from './export-moments.ts';
import { readLedger } from './ledger-notifier.ts';

/** Where traces are looked for, what the file is going to be, and what lies there while its list is written. */
interface Traces {
  readonly folder: string;
  readonly ledger: string;
  readonly whole: Buffer;
  readonly parts: readonly string[];
}

/**
 * The last moment an export went through, by its record and what lies in the folder and the ledger. Fails when that is
 * none, as when something is left of an attempt before.
 */
export function lastMoment(record: ExportRecord, traces: Traces): ExportMoment {
  const { id, state, delivery } = record;
  if (state === 'Queued') return 'queued';
  const inFolder = momentInFolder(record, traces);
  if (state === 'Running') return inFolder;
  if (state !== 'Successful' || inFolder !== 'renamed') throw new Error(`${state}, but ${inFolder}`);
  if (delivery?.pending === false) return 'settled';
  if (delivery?.note.shareId === undefined) return 'finished';
  return readLedger(traces.ledger).some(({ exportId }) => exportId === id) ? 'shared' : 'noted';
}

function momentInFolder(
  { id, attempts }: ExportRecord,
  { folder, whole, parts }: Traces,
): 'taken' | 'writing' | 'written' | 'renamed' {
  const attempt = `${id}-${attempts}.`;
  const lying = readdirSync(folder).filter((name) => name.startsWith(`${id}-`));
  const own = lying.filter((name) => name.startsWith(attempt));
  const [one] = own;
  // What was there before is taken away as soon as an attempt begins to write.
  if (one === undefined) return 'taken';
  if (lying.length === 1 && readFileSync(join(folder, one)).equals(whole)) {
    return one === `${attempt}part` ? 'written' : 'renamed';
  }
  const names = parts.map((part) => `${attempt}${part}`);
  if (lying.toSorted().join() === names.toSorted().join()) return 'writing';
  throw new Error(`The folder holds ${lying.join(', ')}`);
}
