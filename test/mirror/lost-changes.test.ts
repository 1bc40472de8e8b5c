import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from '#jest';
import { createStoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import type { Engine } from '../../src/store/sql/engine.ts';
import { openTenants } from '../../src/store/sql/open-tenant.ts';
import { noSignals } from '../../src/store/store.ts';
import { anIssue } from '../support/issue-story.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const engine = await storeEngine.openEngine(temporaryFolder());
afterAll(() => engine.close());

const ofFailovers = { tenant: '', kind: 'failovers' };
/** The engine with a lineage that changes with each failover of a test. */
const told: Engine = {
  ...engine,
  lineage: sql<string>`coalesce((select number from last_number where tenant = '' and kind = 'failovers'), 0)`,
};
const untold: Engine = { ...engine, lineage: sql<string>`''` };

let runs = 0;
let tenant: string;
beforeEach(() => {
  runs += 1;
  tenant = `acme-${runs}`;
});

/** A process with the store open and its columns made. */
function aProcess(over: Engine) {
  const blobs = () => () => {
    throw new Error('Nothing is written to a file.');
  };
  const issues = openTenants(over, { blobs, signals: () => noSignals, secretKeys: null, now: () => 0 })
    .forTenant(tenant)
    .issues('jira');
  const table = createStoreTable({
    ...{ store: issues, snapshot: null, now: () => 0 },
    onProblem(error) {
      throw error;
    },
  });
  return {
    put: (...some: Issue[]) => issues.putIssues(some, (_, incoming) => incoming),
    /** The keys and statuses of all issues, as columns and as rows have them. */
    async statuses() {
      await new Promise(setImmediate);
      const { columns } = await table.table();
      const keys = [...columns.rowsByCreation()].map((row) => columns.keyOf(row)).sort();
      const rows = await Promise.all(keys.map((key) => issues.issue(key)));
      return { keys, statuses: rows.map((issue) => issue?.status.name) };
    },
  };
}

/** Keeps the rows of the store; what is returned puts them back, as a standby has them that is behind. */
async function standby() {
  const tables = ['issue', 'issue_term', 'area'] as const;
  const rows = await Promise.all(
    tables.map((table) => engine.db.selectFrom(table).selectAll().where('tenant', '=', tenant).execute()),
  );
  return () =>
    engine.write(async ({ db }) => {
      for (const [i, table] of tables.entries()) {
        await db.deleteFrom(table).where('tenant', '=', tenant).execute();
        for (const row of rows[i] ?? []) await db.insertInto(table).values(row).execute();
      }
      await db
        .insertInto('last_number')
        .values({ ...ofFailovers, number: 1 })
        .onConflict((found) =>
          found
            .columns(['tenant', 'kind'])
            .doUpdateSet({ number: (row) => row('last_number.number', '+', 1) }),
        )
        .execute();
    });
}

const inStatus = (key: string, status: string) => anIssue(key, '2026-03-02T09:00:00Z', status).issue;

/** A failover loses two changes, and another process has written more by the time that this one looks again. */
async function failOver(over: Engine) {
  const [one, other] = [aProcess(over), aProcess(over)];
  await one.put(inStatus('WEB-1', 'To Do'));
  const fail = await standby();
  await one.put(inStatus('WEB-2', 'Lost'), inStatus('WEB-3', 'Lost as well'));
  await one.statuses();
  await fail();
  await other.put(inStatus('WEB-4', 'Given again'));
  await other.put(inStatus('WEB-5', 'One more'));
  await other.put(inStatus('WEB-6', 'Behind'), inStatus('WEB-7', 'All'));
  return one.statuses();
}

test('a process notices what a failover has lost, also where lost revisions and terms were given again', async () => {
  expect(await failOver(told)).toEqual({
    keys: ['WEB-1', 'WEB-4', 'WEB-5', 'WEB-6', 'WEB-7'],
    statuses: ['To Do', 'Given again', 'One more', 'Behind', 'All'],
  });
});

test('without the lineage of the database it would not', async () => {
  const { keys, statuses } = await failOver(untold);
  expect(keys).toContain('WEB-2');
  expect(statuses).not.toContain('Given again');
});
