import { sql } from 'kysely';
import type { Issue, User } from '../../model/issue.ts';
import { fieldsOfRows, PackedIssue } from '../packed/packed-issue.ts';
import type { Erasures } from '../persons/pseudonyms.ts';
import type { IssueStore, SyncStore } from '../store.ts';
import type { Areas } from './areas.ts';
import { type Engine, FixedQuery, type PackedRow, upsert } from './engine.ts';
import type { StoredTerms, TermsOfOwner } from './open-terms.ts';
import type { Owner, Queries } from './tables.ts';

/** The number of issues that are remembered by key until one is written. */
const MAX_LATELY = 64;

interface OfTracker {
  tenant: string;
  tracker: string;
}

/** A row, or a key without an issue, that a change has left. */
interface Revised {
  readonly revision: number;
}

/** The issues of an owner. */
const issuesOf = (db: Queries, { tenant, tracker }: OfTracker) =>
  db.selectFrom('issue').where('issue.tenant', '=', tenant).where('issue.tracker', '=', tracker);

const countAll = sql<number>`count(*)`.as('count');

function countOf(row: { readonly count: number } | undefined): number {
  return Number(row?.count ?? 0);
}

type OfKey = OfTracker & { key: string };
const keyOf = ({ tenant, tracker, key }: OfKey) => ({ tenant, tracker, key });

const byKey = new FixedQuery((db: Queries, of: OfKey) =>
  issuesOf(db, of).select(['revision', 'packed']).where('key', '=', of.key),
);

/** By a key it had before, as its id says, which stays. */
const byAlias = new FixedQuery((db: Queries, of: OfKey) =>
  issuesOf(db, of)
    .select(['revision', 'packed'])
    .where('tracker_id', '=', (is) =>
      is
        .selectFrom('issue_alias')
        .select('tracker_id')
        .where((row) => row.and(keyOf(of))),
    ),
);

/** By a key it had before, as its history says. */
const byFormerKey = new FixedQuery((db: Queries, of: OfKey) =>
  issuesOf(db, of)
    .select(['revision', 'packed'])
    .where('key', '=', (is) =>
      is
        .selectFrom('issue_former_key')
        .select('issue_key')
        .where((row) => row.and(keyOf(of))),
    ),
);

const goneSince = new FixedQuery((db: Queries, of: OfTracker & { since: number; count: number }) =>
  db
    .selectFrom('issue_gone')
    .select(['key', 'revision'])
    .where((row) => row.and({ tenant: of.tenant, tracker: of.tracker }))
    .where('revision', '>', of.since)
    .orderBy('revision')
    .limit(of.count),
);

/** The changes after a revision and up to another one, at a mark of the issues. */
interface Ahead {
  readonly mark: string;
  readonly since: number;
  /** Infinite where nothing changed later. */
  readonly until: number;
  readonly rows: readonly PackedRow[];
  readonly keys: readonly (Revised & { readonly key: string })[];
}

/** The parts with which the issues of a tracker are read and written. */
export interface IssueParts {
  readonly owner: Owner;
  readonly area: string;
  readonly areas: Areas;
  readonly terms: TermsOfOwner;
  readonly erasures: Erasures;
}

/** Opens the reading of one tracker's issues and users. */
export function openReading(
  engine: Engine,
  { owner, area, areas, terms, erasures }: IssueParts,
): Omit<IssueStore, 'putIssues'> {
  const [tenant, tracker] = owner;
  const of = { tenant, tracker };
  // An answer about an issue reads it several times.
  const lately = areas.remember(area, async () => new Map<string, Issue | null>());
  const upToLast = (stored: StoredTerms, rows: readonly Revised[]) =>
    stored.upTo(
      engine.db,
      rows.reduce((last, { revision }) => Math.max(last, revision), -1),
    );
  let ahead: Ahead | null = null;

  /** Reads what changed after a revision, of which a caller takes some at a time. */
  async function readAhead(mark: string, since: number, count: number): Promise<Ahead> {
    const [rows, keys] = await engine.read(async (reader) => [
      await reader.packedIssues(owner, { order: 'revision', after: since, count }),
      await goneSince.all(reader.db, { ...of, since, count }),
    ]);
    const isWhole = rows.length < count && keys.length < count;
    const until = isWhole ? Number.POSITIVE_INFINITY : (lastOf(rows, keys, count) ?? since);
    const isKnown = ({ revision }: Revised) => revision <= until;
    return { mark, since, until, rows: rows.filter(isKnown), keys: keys.filter(isKnown) };
  }

  const counting = issuesOf(engine.db, of).select(countAll);

  return {
    ...openUsers(engine, { owner, areas, erasures }),
    reader: () => engine.issueReader(owner),
    async issue(typed) {
      const key = typed.toUpperCase();
      const known = await lately();
      const before = known.get(key);
      if (before !== undefined) return before;
      const stored = await terms.current();
      let row = await byKey.first(engine.db, { ...of, key });
      row ??= await byAlias.first(engine.db, { ...of, key });
      row ??= await byFormerKey.first(engine.db, { ...of, key });
      if (row !== undefined) await stored.upTo(engine.db, row.revision);
      const issue = row === undefined ? null : new PackedIssue(row.packed, stored.unpacker);
      known.set(key, issue);
      if (known.size > MAX_LATELY) for (const oldest of known.keys().take(1)) known.delete(oldest);
      return issue;
    },
    async issuesAt(ids) {
      const stored = await terms.current();
      const found = await engine.db
        .selectFrom('issue')
        .select(['id', 'tracker', 'revision', 'packed'])
        .where(engine.isNumbered(tenant, ids))
        .execute();
      const rows = found.filter((row) => row.tracker === tracker);
      await upToLast(stored, rows);
      const byId = new Map(rows.map(({ id, packed }) => [id, packed]));
      return ids.map((id) => {
        const packed = byId.get(id);
        return packed === undefined ? null : new PackedIssue(packed, stored.unpacker);
      });
    },
    async issuesAfter(after, count, use) {
      const stored = await terms.current();
      const rows = await engine.packedIssues(owner, { order: 'id', after, count });
      await upToLast(stored, rows);
      return fieldsOfRows(rows, stored.unpacker, use);
    },
    formerKeys: areas.remember(area, async () => {
      const former = engine.db
        .selectFrom('issue_former_key')
        .select(['key', 'issue_key'])
        .where((row) => row.and({ tenant, tracker }));
      const aliases = engine.db
        .selectFrom('issue_alias as alias')
        .innerJoin('issue', (join) =>
          join
            .onRef('issue.tenant', '=', 'alias.tenant')
            .onRef('issue.tracker', '=', 'alias.tracker')
            .onRef('issue.tracker_id', '=', 'alias.tracker_id'),
        )
        .select(['alias.key', 'issue.key as issue_key'])
        .where('alias.tenant', '=', tenant)
        .where('alias.tracker', '=', tracker);
      const rows = await former.unionAll(aliases).execute();
      return new Map(rows.map(({ key, issue_key }) => [key, issue_key]));
    }),
    async recentKeys(count) {
      const rows = await issuesOf(engine.db, of)
        .select('key')
        .orderBy('updated', 'desc')
        .orderBy('key')
        .limit(count)
        .execute();
      return rows.map(({ key }) => key);
    },
    count: async () => countOf(await counting.executeTakeFirst()),
    countUnreadRoles: async () => countOf(await counting.where('unread_roles', '=', 1).executeTakeFirst()),
    revision: () => areas.revisionOf(area),
    mark: () => areas.markOf(area),
    lineage: () => areas.lineage(),
    async changedSince(since, count) {
      const stored = await terms.current();
      const mark = await areas.markOf(area);
      if (ahead?.mark !== mark || since < ahead.since || since >= ahead.until)
        ahead = await readAhead(mark, since, Math.max(count, engine.minChanges));
      const isNext = ({ revision }: Revised) => revision > since;
      const [rows, keys] = [ahead.rows.filter(isNext), ahead.keys.filter(isNext)];
      await upToLast(stored, rows);
      const until = lastOf(rows, keys, count) ?? since;
      const isRead = rows.length + keys.length <= count;
      if (isRead) ahead = null;
      return {
        issues: rows.flatMap(({ id, revision, packed }) =>
          revision > until ? [] : [{ id, issue: new PackedIssue(packed, stored.unpacker) }],
        ),
        removed: keys.flatMap(({ key, revision }) => (revision > until ? [] : [key])),
        revision: until,
      };
    },
  };
}

/** Returns the revision of the last of the first `count` changes of two sorted lists; undefined where both are empty. */
function lastOf(rows: readonly Revised[], keys: readonly Revised[], count: number): number | undefined {
  return [...rows, ...keys]
    .map(({ revision }) => revision)
    .sort((a, b) => a - b)
    .slice(0, count)
    .at(-1);
}

const putUser = upsert('user');

/** The users of a tracker: the list of all, and each list of some, is read once until a process puts a user. */
function openUsers(
  engine: Engine,
  { owner: [tenant, tracker], areas, erasures }: Pick<IssueParts, 'owner' | 'areas' | 'erasures'>,
): Pick<IssueStore, 'users' | 'putUsers'> {
  const area = `people ${tracker}`;
  const known = areas.remember(area, async () => ({ isWhole: false, users: new Map<string, User>() }));
  const usersOf = (db: Queries) =>
    db
      .selectFrom('user')
      .select(['id', 'document'])
      .where((row) => row.and({ tenant, tracker }));

  return {
    async users(ids) {
      const now = await known();
      if (ids === undefined && !now.isWhole) {
        const rows = await usersOf(engine.db).orderBy('id').execute();
        now.users = new Map(rows.map(({ id, document }) => [id, JSON.parse(document)]));
        now.isWhole = true;
      }
      if (ids === undefined) return now.users;
      const wanted = [...ids];
      const missing = now.isWhole ? [] : wanted.filter((id) => !now.users.has(id));
      if (missing.length > 0) {
        const rows = await usersOf(engine.db).where(engine.isOneOf('id', missing)).execute();
        for (const { id, document } of rows) now.users.set(id, JSON.parse(document));
      }
      return new Map(
        wanted.flatMap((id) => {
          const user = now.users.get(id);
          return user === undefined ? [] : [[id, user]];
        }),
      );
    },
    async putUsers(users) {
      await areas.write(area, async (tx) => {
        const who = await erasures.at(tx.erasures);
        // The user in the place of one who was erased is there already.
        const present = users.filter(({ id }) => (who?.pseudonymOf(id) ?? null) === null);
        if (present.length > 0) tx.next();
        await tx.put(
          putUser,
          present.map((user) => ({ tenant, tracker, id: user.id, document: JSON.stringify(user) })),
        );
      });
    },
  };
}

const addSeen = upsert('issue_seen');

/** The first key of an issue from a text on. */
const keyFrom = new FixedQuery((db: Queries, of: OfTracker & { from: string }) =>
  issuesOf(db, of).select('key').where('key', '>=', of.from).orderBy('key').limit(1),
);

/** The facts of stored issues that a synchronisation of one tracker needs. */
export function openSync(
  engine: Engine,
  { owner: [tenant, tracker], terms }: Pick<IssueParts, 'owner' | 'terms'>,
): Omit<SyncStore, 'removeIssues'> {
  const of = { tenant, tracker };
  const { db } = engine;
  const seen = db.selectFrom('issue_seen').where((row) => row.and({ tenant, tracker }));
  const issues = issuesOf(db, of);

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
      await engine.write(({ db }) =>
        db
          .deleteFrom('issue_seen')
          .where((row) => row.and({ tenant, tracker }))
          .execute(),
      );
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
