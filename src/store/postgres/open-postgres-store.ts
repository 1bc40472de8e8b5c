import { sql } from 'kysely';
import type { Client } from 'pg';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ExaminedStore } from '../examined-store.ts';
import { folderBlobs } from '../folder-blobs.ts';
import { assertNotMoved, storeInDatabase } from '../move/move-mark.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import type { Engine } from '../sql/engine.ts';
import { openTenants, type StoreOpening } from '../sql/open-tenant.ts';
import {
  assertSecretKeysAreSet,
  examineSecrets,
  missingKey,
  rotateSecrets,
  type SecretRotation,
} from '../sql/secrets.ts';
import { noSignals, type Store } from '../store.ts';
import {
  cannotOpen,
  checkDatabase,
  clientOf,
  markInDatabase,
  migrate,
  migrations,
  pendingSteps,
  readIdentity,
  takenSteps,
} from './migrate.ts';
import { openEngine } from './open-engine.ts';
import { openSignals } from './postgres-signals.ts';

/** Opens (and if need be creates and upgrades) the store in a database of PostgreSQL. */
export async function openPostgresStore(
  url: string,
  { blobs, secretKeys, onUpgrade, now = () => 0, ...hooks }: StoreOpening,
): Promise<Store & SecretRotation> {
  await migrate(url, onUpgrade);
  const engine = await openEngine(url, hooks);
  await assertSecretKeysAreSet(engine, secretKeys).catch(async (error) => {
    await engine.close();
    throw error;
  });
  const signals = openSignals(url, engine);
  const tenants = openTenants(engine, { blobs: blobs(engine), signals: signals.forTenant, secretKeys, now });
  return {
    forTenant: tenants.forTenant,
    async writeProblem() {
      try {
        await engine.write(({ db }) =>
          db
            .insertInto('last_number')
            .values({ tenant: '', kind: 'probe', number: 1 })
            .onConflict((found) =>
              found
                .columns(['tenant', 'kind'])
                .doUpdateSet({ number: (row) => sql`${row.ref('last_number.number')} + 1` }),
            )
            .execute(),
        );
        return null;
      } catch (error) {
        if (error instanceof AppError) return 'a database that can be written to';
        const why = error instanceof Error ? error.message : String(error);
        return `a database that can be written to: ${why}`;
      }
    },
    missingKey: (name) => missingKey(engine, secretKeys, name),
    async clockOffset(now) {
      // The first one may have opened a connection.
      await readClock(engine, now);
      return readClock(engine, now);
    },
    async backUp() {
      throw badRequestAs(
        'not-possible-here',
        'The store is a database of PostgreSQL, which its own tools copy. Try: pg_dump --format=custom --file=dwell.dump with the address in DATABASE_URL.',
      );
    },
    async removeTraces() {},
    async removeKilledCopies() {},
    identity: () => identityOf(engine),
    rotateSecrets: () => rotateSecrets(engine, secretKeys, now),
    isReplaced: () => false,
    connections() {
      const { totalCount, idleCount, waitingCount } = engine.pool;
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    async close() {
      if (tenants.hasDeferred()) await tenants.close();
      await signals.close();
      await engine.close();
    },
  };
}

/** Returns the identity of a database; see `readIdentity`. */
function identityOf({ db }: Pick<Engine, 'db'>): Promise<string> {
  return readIdentity(async (query) => (await sql.raw<{ word: string }>(query).execute(db)).rows[0]?.word);
}

/** Returns how far (ms) the clock of the database is ahead of another one. */
async function readClock(engine: Pick<Engine, 'db'>, now: () => Instant): Promise<number> {
  const before = now();
  const { there } = await engine.db
    .selectNoFrom(sql<string>`extract(epoch from clock_timestamp()) * 1000`.as('there'))
    .executeTakeFirstOrThrow();
  // The database is taken to have read its clock in the middle of the round trip.
  return Math.round(Number(there) - (before + now()) / 2);
}

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
