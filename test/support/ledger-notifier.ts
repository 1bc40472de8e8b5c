import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import type { ExportNotifier } from '../../src/api/exports/exports-api.ts';

/** What was shared: of which export, under which id, and what the file was (SHA-256 as hex). */
interface LedgerEntry {
  readonly exportId: string;
  readonly shareId: string;
  readonly digest: string;
}

/** What the ledger at `path` holds, in the order of sharing. */
export function readLedger(path: string): readonly LedgerEntry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [exportId = '', shareId = '', digest = ''] = line.split(' ');
      return { exportId, shareId, digest };
    });
}

/** The digest that stands for a file in a ledger. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * A notifier for which sharing is a line in the ledger at `path`, which must exist. Like that of Slack it stores the id of a
 * share before it shares, and asks when it is called again whether the one it has kept was shared.
 */
export function createLedgerNotifier(path: string, onShared: () => void): ExportNotifier {
  return {
    async deliver(record, file, keep) {
      if (file === null) throw new Error(`Export ${record.id} has no file`);
      const note = record.delivery?.note;
      if (readLedger(path).some(({ shareId }) => shareId === note?.shareId)) return;
      const shareId = randomUUID();
      await keep({ ...note, shareId });
      appendFileSync(path, `${record.id} ${shareId} ${digestOf(readFileSync(await file.localPath()))}\n`);
      onShared();
    },
  };
}
