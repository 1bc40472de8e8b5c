import type { Client } from 'pg';
import { AppError } from '../../model/error.ts';
import type { ExaminedStore } from '../examined-store.ts';
import { folderBlobs } from '../folder-blobs.ts';
import { assertNotMoved, storeInDatabase } from '../move/move-mark.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import { noSignals } from '../signals.ts';
import { openTenants } from '../sql/open-tenant.ts';
import { examineSecrets } from '../sql/secrets.ts';
import {
  cannotOpen,
  checkDatabase,
  clientOf,
  markInDatabase,
  migrations,
  pendingSteps,
  takenSteps,
} from './migrate.ts';
import { openEngine } from './open-engine.ts';
import { identityOf, readClock } from './open-postgres-store.ts';

/** Examines the store in a database; see `examineStore`. */
export async function examinePostgres(
  url: string,
  { dataDir, secretKeys }: { readonly dataDir: string; readonly secretKeys: SecretKeys | null },
): Promise<ExaminedStore> {
  const client = clientOf(url);
  client.on('error', () => {});
  try {
    await client.connect();
    await checkDatabase(client);
    assertNotMoved(await markInDatabase(client), storeInDatabase);
    const [taken, pending] = [await takenSteps(client), await pendingSteps(client)];
    const facts = await readFacts(client, taken.length > 0);
    const engine = pending.length === 0 ? await openEngine(url) : null;
    return {
      engine: `PostgreSQL ${facts.version}`,
      bytes: facts.bytes,
      madeAt: null,
      schema: { stored: taken.at(-1) ?? null, known: Object.keys(migrations).at(-1) ?? '' },
      upgrade: taken.length > 0 && pending.length > 0 ? { isSlow: false } : null,
      problems: problemsOf(facts),
      connections: { open: facts.open, max: facts.max },
      data:
        engine === null
          ? null
          : {
              ...openTenants(engine, {
                blobs: folderBlobs(dataDir),
                signals: () => noSignals,
                secretKeys,
                now: () => 0,
              }),
              clockOffset: (now) => readClock(engine, now),
              identity: () => identityOf(engine),
              secrets: () => examineSecrets(engine, secretKeys),
              damage: null,
            },
      close: async () => engine?.close(),
    };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw cannotOpen(cause, client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Facts of a database and of its user. */
interface Facts {
  readonly version: string;
  readonly bytes: number;
  readonly open: number;
  readonly max: number;
  readonly isStandby: boolean;
  readonly creates: boolean;
  readonly writes: boolean;
}

async function readFacts(client: Client, hasTables: boolean): Promise<Facts> {
  const { rows } = await client.query(`
    SELECT current_setting('server_version') AS version,
      pg_database_size(current_database())::float8 AS bytes,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open,
      current_setting('max_connections')::int AS max,
      pg_is_in_recovery() AS "isStandby",
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates,
      ${hasTables ? "has_table_privilege('document', 'INSERT')" : 'true'} AS writes`);
  return rows[0];
}

function problemsOf({ isStandby, creates, writes }: Facts): readonly string[] {
  return [
    ...(isStandby
      ? ['The database is a standby, which takes no writes. Set DATABASE_URL to the primary.']
      : []),
    ...(creates
      ? []
      : ['Its user cannot create tables, which an upgrade does. Set DATABASE_URL to the user who owns it.']),
    ...(writes ? [] : ['Its user cannot write to its tables. Set DATABASE_URL to the user who owns them.']),
  ];
}
