import type { DatabaseSync } from 'node:sqlite';
import { foldedName } from '../../issues/ids-and-names.ts';
import { migrations } from './migrations.ts';
import { takeOverCache } from './take-over/cache.ts';
import { takeOverDelegations } from './take-over/delegations.ts';
import { takeOverDigests } from './take-over/digests.ts';
import { takeOverExports } from './take-over/exports.ts';
import { takeOverIssues } from './take-over/issues.ts';
import { takeOverSettings } from './take-over/settings.ts';
import { takeOverStamps } from './take-over/stamps.ts';
import { takeOverWatches } from './take-over/watches.ts';

const rooms = [
  ...[takeOverIssues, takeOverSettings, takeOverDelegations],
  ...[takeOverStamps, takeOverWatches, takeOverCache, takeOverExports, takeOverDigests],
];

/** Takes the steps that a file lacks of the schema as it was before kysely wrote it. */
export function takeOlderSteps(database: DatabaseSync, version: number): void {
  // SQLite itself knows the case of ASCII letters only.
  database.function('folded_name', { deterministic: true }, (name) => foldedName(String(name)));
  for (const step of migrations.slice(version)) {
    if (typeof step === 'string') database.exec(step);
    else step(database);
  }
}

/** Has what older tables have go to those of the first schema of kysely. */
export function takeOver(database: DatabaseSync): void {
  for (const room of rooms) database.exec(room);
  // What is added later comes later.
  database.exec(`
    INSERT INTO area (tenant, area, revision, word)
    SELECT tenant, kind, max(added), hex(randomblob(9)) FROM document WHERE true GROUP BY tenant, kind
    ON CONFLICT (tenant, area) DO UPDATE SET revision = max(area.revision, excluded.revision)
  `);
}
