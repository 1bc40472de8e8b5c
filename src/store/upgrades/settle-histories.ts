import type { DatabaseSync } from 'node:sqlite';
import type { Change, FieldValue } from '../../model/issue.ts';
import { historyValue } from '../../model/issues/value-sets.ts';
import { createIssuePacker } from '../packed/pack-issue.ts';
import { PackedIssue } from '../packed/packed-issue.ts';
import { createIssueUnpacker } from '../packed/unpack-issue.ts';
import type { Owner } from '../sql/tables.ts';
import type { OnUpgrade } from '../upgrade-progress.ts';
import { openStoredTerms } from './stored-terms.ts';

/** Issues looked at between two writes: they stay in memory meanwhile. */
const AT_ONCE = 1000;

/**
 * A step of the schema: sets and cascading options in histories, which were kept as the changelog spells them, get the form
 * that contents have. Contents that were not read before (votes, links, second levels of options) have to come from the
 * tracker: a synchronisation reads every issue again, files are to be imported again. To be called in a transaction.
 */
export function settleHistories(database: DatabaseSync, onUpgrade: OnUpgrade = () => {}): void {
  const owners = database.prepare('SELECT DISTINCT tenant, tracker FROM issue').all();
  const of = Number(database.prepare('SELECT count(*) AS of FROM issue').get()?.of);
  let done = 0;
  const onIssues = (count: number) => {
    done += count;
    onUpgrade({ step: 'reading histories', done, of });
  };
  for (const owner of owners) settleOwner(database, [String(owner.tenant), String(owner.tracker)], onIssues);
  database.exec(`
    -- Without the tracker's word of when it was updated, a synchronisation reads an issue again.
    UPDATE issue SET source_updated = NULL WHERE EXISTS
      (SELECT 1 FROM sync_state WHERE sync_state.tenant = issue.tenant AND sync_state.tracker = issue.tracker);
    -- And it does so at once.
    UPDATE sync_state SET document = json_set(document, '$.thoroughAt', NULL) WHERE EXISTS
      (SELECT 1 FROM issue WHERE issue.tenant = sync_state.tenant AND issue.tracker = sync_state.tracker);
  `);
}

function settleOwner(
  database: DatabaseSync,
  [tenant, tracker]: Owner,
  onIssues: (count: number) => void,
): void {
  const { terms, store } = openStoredTerms(database, { tenant, tracker });
  const [unpacker, pack] = [createIssueUnpacker(terms), createIssuePacker(terms)];
  const some = database.prepare(
    'SELECT id, packed FROM issue WHERE tenant = ? AND tracker = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const put = database.prepare('UPDATE issue SET packed = ? WHERE id = ?');
  for (let last = 0; ; ) {
    const rows = some.all(tenant, tracker, last, AT_ONCE);
    if (rows.length === 0) {
      store();
      return;
    }
    onIssues(rows.length);
    for (const { id, packed } of rows) {
      last = Number(id);
      if (!(packed instanceof Uint8Array)) continue;
      const issue = new PackedIssue(packed, unpacker);
      const changes = issue.changes.map(settled);
      if (changes.every((change, i) => change === issue.changes[i])) continue;
      put.run(pack({ ...issue, changes }), last);
    }
  }
}

/** The very same change where it has that form already. */
function settled(change: Change): Change {
  const [from, to] = [change.from && settledValue(change.from), change.to && settledValue(change.to)];
  return from === change.from && to === change.to ? change : { ...change, from, to };
}

function settledValue(value: FieldValue): FieldValue | null {
  const other = historyValue(value);
  return other?.id === value.id && other.name === value.name ? value : other;
}
