import { sql } from 'kysely';
import { PackedIssue } from '../packed/packed-issue.ts';
import type { SyncStore } from '../store.ts';
import { type Engine, FixedQuery, upsert } from './engine.ts';
import type { TermsOfOwner } from './open-terms.ts';
import type { Owner, Queries } from './tables.ts';

const addSeen = upsert('issue_seen');

/** The first key of an issue from a text on. */
const keyFrom = new FixedQuery((db: Queries, of: { tenant: string; tracker: string; from: string }) =>
  db
    .selectFrom('issue')
    .select('key')
    .where((row) => row.and({ tenant: of.tenant, tracker: of.tracker }))
    .where('key', '>=', of.from)
    .orderBy('key')
    .limit(1),
);

/** The facts of stored issues that a synchronisation of one tracker needs. */
export function openSync(
  engine: Engine,
  { owner: [tenant, tracker], terms }: { readonly owner: Owner; readonly terms: TermsOfOwner },
): Omit<SyncStore, 'removeIssues'> {
  const of = { tenant, tracker };
  const { db } = engine;
  const seen = db.selectFrom('issue_seen').where((row) => row.and({ tenant, tracker }));
  const issues = db
    .selectFrom('issue')
    .where('issue.tenant', '=', tenant)
    .where('issue.tracker', '=', tracker);

  return {
    async kept(ids) {
      const rows = await issues
        .select(['tracker_id', 'key', 'source_updated', 'cut'])
        .where(engine.isOneOf('tracker_id', ids))
        .execute();
      return new Map(
        rows.map(({ tracker_id, key, source_updated, cut }) => [
          tracker_id ?? '',
          { key, updated: source_updated, complete: cut === 0 },
        ]),
      );
    },
    async standings(ids) {
      const stored = await terms.current();
      const rows = await issues
        .select(['tracker_id', 'revision', 'packed'])
        .where(engine.isOneOf('tracker_id', ids))
        .execute();
      await stored.upTo(db, Math.max(-1, ...rows.map(({ revision }) => revision)));
      return new Map(
        rows.map(({ tracker_id, packed }) => {
          const { status, assignee } = new PackedIssue(packed, stored.unpacker);
          return [tracker_id ?? '', { status: status.id, assignee: assignee?.id ?? null }];
        }),
      );
    },
    async clearSeen() {
      await engine.write(async ({ db }) => {
        await db
          .deleteFrom('issue_seen')
          .where((row) => row.and({ tenant, tracker }))
          .execute();
      });
    },
    async addSeen(ids) {
      const rows = ids.map((tracker_id) => ({ ...of, tracker_id }));
      await engine.write((tx) => tx.put(addSeen, rows));
    },
    countSeen: async () => countOf(await seen.select(countAll).executeTakeFirst()),
    async unseen(after, count) {
      const rows = await issues
        .select('tracker_id')
        .where('tracker_id', '>', after ?? '')
        .where((is) =>
          is.not(
            is.exists(
              is
                .selectFrom('issue_seen')
                .select('issue_seen.tracker_id')
                .whereRef('issue_seen.tenant', '=', 'issue.tenant')
                .whereRef('issue_seen.tracker', '=', 'issue.tracker')
                .whereRef('issue_seen.tracker_id', '=', 'issue.tracker_id'),
            ),
          ),
        )
        .orderBy('tracker_id')
        .limit(count)
        .execute();
      return rows.map(({ tracker_id }) => tracker_id ?? '');
    },
    async projectsAfter(after, count) {
      const projects: string[] = [];
      for (let last = after; projects.length < count; ) {
        // A point comes after the hyphen, and before whatever else a key of a project can have.
        const row = await keyFrom.first(db, { ...of, from: last === null ? '' : `${last}.` });
        if (row === undefined) break;
        last = row.key.slice(0, row.key.lastIndexOf('-'));
        projects.push(last);
      }
      return projects;
    },
    countCut: async () => countOf(await issues.select(countAll).where('cut', '=', 1).executeTakeFirst()),
  };
}

const countAll = sql<number>`count(*)`.as('count');

function countOf(row: { readonly count: number } | undefined): number {
  return Number(row?.count ?? 0);
}
