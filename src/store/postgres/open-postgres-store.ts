import { sql } from 'kysely';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { BlobsOf } from '../folder-blobs.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import type { Engine, EngineHooks } from '../sql/engine.ts';
import { openTenants } from '../sql/open-tenant.ts';
import { assertSecretKeysAreSet, missingKey, rotateSecrets, type SecretRotation } from '../sql/secrets.ts';
import type { Store } from '../store.ts';
import type { OnUpgrade } from '../upgrade-progress.ts';
import { migrate } from './migrate.ts';
import { openEngine } from './open-engine.ts';
import { openSignals } from './postgres-signals.ts';
import { readIdentity } from './read-identity.ts';

/** Options of opening a store; see `migrate`. */
interface Opening extends EngineHooks {
  readonly blobs: (engine: Engine) => BlobsOf;
  readonly secretKeys: SecretKeys | null;
  readonly onUpgrade?: OnUpgrade | undefined;
  /** Dates entries of the audit log; without it they are of 1970. */
  readonly now?: (() => Instant) | undefined;
}

/** Opens (and if need be creates and upgrades) the store in a database of PostgreSQL. */
export async function openPostgresStore(
  url: string,
  { blobs, secretKeys, onUpgrade, now = () => 0, ...hooks }: Opening,
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
export function identityOf({ db }: Pick<Engine, 'db'>): Promise<string> {
  return readIdentity(async (query) => (await sql.raw<{ word: string }>(query).execute(db)).rows[0]?.word);
}

/** Returns how far (ms) the clock of the database is ahead of another one. */
export async function readClock(engine: Pick<Engine, 'db'>, now: () => Instant): Promise<number> {
  const before = now();
  const { there } = await engine.db
    .selectNoFrom(sql<string>`extract(epoch from clock_timestamp()) * 1000`.as('there'))
    .executeTakeFirstOrThrow();
  // The database is taken to have read its clock in the middle of the round trip.
  return Math.round(Number(there) - (before + now()) / 2);
}
