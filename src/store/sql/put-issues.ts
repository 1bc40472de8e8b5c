import { sql } from 'kysely';
import pLimit from 'p-limit';
import { type History, type Instant, type Issue, RESTRICTION } from '../../model/issue.ts';
import { contentOf } from '../../model/issues/issue-fields.ts';
import type { StoredTerm, WritableTerms } from '../packed/issue-terms.ts';
import { PackedIssue } from '../packed/packed-issue.ts';
import { replaceInIssue } from '../persons/replace-person.ts';
import type { IssueStore, KeptIssue, SyncStore } from '../store.ts';
import type { AreaWrite } from './areas.ts';
import { type Engine, FixedQuery, insert, type RowWriter, upsert } from './engine.ts';
import type { StoredTerms } from './open-terms.ts';
import type { IssueParts } from './read-issues.ts';
import type { Queries, Tables } from './tables.ts';

/** An issue as a batch has it: as it is stored, or as it will be. */
interface Row {
  /** Null: not stored yet. */
  readonly id: number | null;
  /** As what it is stored. */
  readonly stored: { readonly key: string; readonly trackerId: string | null } | null;
  key: string;
  issue: Issue;
  packed: Uint8Array<ArrayBuffer>;
  /** The revision that it gets; null: it stays as it is stored. */
  revision: number | null;
  isGone: boolean;
}

type IssueValues = Omit<Tables['issue'], 'id'>;

const addIssue = insert('issue');

/** The writes of a batch: rows, keys with the revision at which they were left (null: they have an issue), and keys of before. */
interface IssueWrites {
  readonly rows: ReadonlySet<Row>;
  readonly left: ReadonlyMap<string, number | null>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly former: ReadonlyMap<string, string>;
  readonly terms: readonly StoredTerm[];
}

/** Puts rows under numbers that they have already. */
const updateIssue: RowWriter<IssueValues & { id: number }> = {
  one: new FixedQuery((db, of) =>
    db
      .updateTable('issue')
      .set({
        key: of.key,
        revision: of.revision,
        updated: of.updated,
        tracker_id: of.tracker_id,
        source_updated: of.source_updated,
        cut: of.cut,
        unread_roles: of.unread_roles,
        packed: of.packed,
      })
      .where('id', '=', of.id),
  ),
  many: upsert('issue').many,
};

const putRemoved = upsert('issue_gone');
const putAlias = upsert('issue_alias');
const putFormer = upsert('issue_former_key');
const putTerm = insert('issue_term');

type Merge = (stored: Issue, incoming: Issue) => Issue;

/** Opens the writing of one tracker's issues: a batch is read at once, made up in memory, and written at once. */
export function openWriting(
  engine: Engine,
  { owner, area, areas, terms, erasures }: IssueParts,
): Pick<IssueStore, 'putIssues'> & Pick<SyncStore, 'removeIssues'> {
  const [tenant, tracker] = owner;
  const of = { tenant, tracker };
  const inTurn = pLimit(1);

  const rowsBy = async (db: Queries, column: 'tracker_id' | 'key', values: readonly string[]) =>
    db
      .selectFrom('issue')
      .select(['id', 'key', 'tracker_id', 'packed'])
      .where((row) => row.and({ tenant, tracker }))
      .where(engine.isOneOf(column, values))
      .execute();

  /** The keys to which keys lead that issues had before. */
  async function formerKeysIn(db: Queries, keys: readonly string[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const rows = await db
      .selectFrom('issue_former_key')
      .select(['key', 'issue_key'])
      .where((row) => row.and({ tenant, tracker }))
      .where(engine.isOneOf('key', keys))
      .execute();
    return new Map(rows.map(({ key, issue_key }) => [key, issue_key]));
  }

  /** Reads the rows that a batch may change: by id, by key, and by keys that issues had before. */
  async function readBatch(db: Queries, { unpacker }: StoredTerms, issues: readonly Issue[]) {
    const ownKeys = issues.map(({ key }) => key.toUpperCase());
    const former = await formerKeysIn(db, ownKeys);
    const ids = issues.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const keys = new Set([
      ...ownKeys,
      ...issues.flatMap((issue) => (issue.id === undefined ? formerKeys(issue) : [])),
      ...former.values(),
    ]);
    const rows = [
      ...(ids.length === 0 ? [] : await rowsBy(db, 'tracker_id', ids)),
      ...(await rowsBy(db, 'key', [...keys])),
    ];
    const byKey = new Map<string, Row>();
    const byId = new Map<string, Row>();
    for (const { id, key, tracker_id, packed } of rows) {
      if (byKey.has(key)) continue;
      const row: Row = {
        id,
        key,
        stored: { key, trackerId: tracker_id },
        packed,
        issue: new PackedIssue(packed, unpacker),
        revision: null,
        isGone: false,
      };
      byKey.set(key, row);
      if (tracker_id !== null) byId.set(tracker_id, row);
    }
    return { byKey, byId, former };
  }

  /** Returns true where a row has an issue just as it was packed now. */
  function isSame(row: Row, issue: Issue, packed: Uint8Array, { packThen, packNow }: StoredTerms): boolean {
    // A number never gets another term, so equal bytes are equal issues.
    if (row.issue === issue || Buffer.compare(row.packed, packed) === 0) return true;
    if (row.issue.updated !== issue.updated) return false;
    // A term that has a number now may have had none then; with the same numbers, equal issues are equal bytes.
    return Buffer.compare(packThen(row.issue), packNow(issue)) === 0;
  }

  async function putBatch(
    tx: AreaWrite,
    stored: StoredTerms,
    issues: readonly Issue[],
    merge: Merge,
  ): Promise<readonly KeptIssue[]> {
    const { byKey, byId, former } = await readBatch(tx.db, stored, issues);
    const rows = new Set(byKey.values());
    const aliases = new Map<string, string>();
    const newFormer = new Map<string, string>();
    /** The revision at which a key was left; null: it has an issue. */
    const left = new Map<string, number | null>();
    /** Those that are the same, with keys they had before that may not be known yet. */
    const unsure: { readonly row: Row; readonly former: readonly string[] }[] = [];

    function takeAway(row: Row): void {
      row.isGone = true;
      if (byKey.get(row.key) === row) byKey.delete(row.key);
      const { id } = row.issue;
      if (id !== undefined && byId.get(id) === row) byId.delete(id);
    }

    /** Returns the row only where its issue was created when the incoming one was. */
    const born = (row: Row | undefined, { created }: Issue) =>
      row?.issue.created === created ? row : undefined;

    /** An issue without an id that stays, as it was under a key it had before. */
    function beforeMove(incoming: Issue): Row | undefined {
      if (incoming.id !== undefined) return undefined;
      for (const key of formerKeys(incoming)) {
        const row = born(byKey.get(key), incoming);
        if (row !== undefined) return row;
      }
      return undefined;
    }

    function find(incoming: Issue, before: Row | undefined): Row | undefined {
      const ownKey = incoming.key.toUpperCase();
      const ofId = incoming.id === undefined ? undefined : byId.get(incoming.id);
      if (ofId !== undefined) return ofId;
      const formerly = former.get(ownKey);
      return (
        byKey.get(ownKey) ??
        before ??
        (formerly === undefined || incoming.id !== undefined
          ? undefined
          : born(byKey.get(formerly), incoming))
      );
    }

    function put(incoming: Issue): KeptIssue {
      const moved = beforeMove(incoming);
      const before = find(incoming, moved);
      const issue = before === undefined ? incoming : merge(before.issue, incoming);
      const key = issue.key.toUpperCase();
      const keysBefore = formerKeys(issue);
      for (const formerKey of keysBefore) {
        former.set(formerKey, key);
        newFormer.set(formerKey, key);
      }
      const oldRows = [before, moved].flatMap((row) => (row === undefined || row.key === key ? [] : [row]));
      const packed = stored.pack(issue);
      if (before !== undefined && oldRows.length === 0 && isSame(before, issue, packed, stored)) {
        if (keysBefore.length > 0) unsure.push({ row: before, former: keysBefore });
        return { issue, changed: false };
      }
      for (const row of new Set(oldRows)) {
        left.set(row.key, tx.next());
        if (issue.id !== undefined) aliases.set(row.key, issue.id);
        byKey.delete(row.key);
        if (row !== before) takeAway(row);
      }
      left.set(key, null);
      const there = byKey.get(key);
      if (there !== undefined && there !== before) takeAway(there);
      const row = before ?? newRow(key, issue);
      if (row.issue.id !== undefined && row.issue.id !== issue.id) byId.delete(row.issue.id);
      Object.assign(row, { key, issue, packed: Uint8Array.from(packed), revision: tx.next() });
      rows.add(row);
      byKey.set(key, row);
      if (issue.id !== undefined) byId.set(issue.id, row);
      return { issue, changed: true };
    }

    const results = issues.map(put);
    const known = await formerKeysIn(tx.db, [...newFormer.keys()]);
    for (const [old, key] of newFormer) if (known.get(old) === key) newFormer.delete(old);
    // Other processes learn of a key by the issue it leads to.
    for (const { row, former } of unsure) {
      if (row.revision === null && former.some((key) => newFormer.has(key))) row.revision = tx.next();
    }
    await write(tx, { rows, left, aliases, former: newFormer, terms: stored.terms.assigned() });
    return results;
  }

  async function write(tx: AreaWrite, { rows, left, aliases, former, terms }: IssueWrites): Promise<void> {
    const { db } = tx;
    if (tx.last() === tx.revision) return;
    await tx.put(
      putFormer,
      [...former].map(([key, issue_key]) => ({ ...of, key, issue_key })),
    );
    await tx.put(
      putTerm,
      terms.map((term) => ({ ...of, ...term })),
    );
    const all = [...rows];
    const gone = all.flatMap(({ isGone, id }) => (isGone && id !== null ? [id] : []));
    if (gone.length > 0) await db.deleteFrom('issue').where(engine.isNumbered(tenant, gone)).execute();
    const written = all.filter(({ isGone, revision }) => !isGone && revision !== null);
    // Those that change keys or ids with each other would meet half-way.
    const moving = written.flatMap(({ id, key, issue, stored }) =>
      stored === null || id === null || (stored.key === key && stored.trackerId === (issue.id ?? null))
        ? []
        : [id],
    );
    if (moving.length > 0) {
      await db
        .updateTable('issue')
        .set({ key: sql`'~' || id`, tracker_id: null })
        .where(engine.isNumbered(tenant, moving))
        .execute();
    }
    await tx.put(
      updateIssue,
      written.flatMap((row) => (row.id === null ? [] : [{ ...valuesOf(row), id: row.id }])),
    );
    await tx.put(
      addIssue,
      written.flatMap((row) => (row.id === null ? [valuesOf(row)] : [])),
    );
    const back = [...left].flatMap(([key, revision]) => (revision === null ? [key] : []));
    await db
      .deleteFrom('issue_gone')
      .where((row) => row.and({ tenant, tracker }))
      .where(engine.isOneOf('key', back))
      .execute();
    await tx.put(
      putRemoved,
      [...left].flatMap(([key, revision]) => (revision === null ? [] : [{ ...of, key, revision }])),
    );
    await tx.put(
      putAlias,
      [...aliases].map(([key, tracker_id]) => ({ ...of, key, tracker_id })),
    );
  }

  function valuesOf({ key, issue, packed, revision }: Row): IssueValues {
    return {
      tenant,
      tracker,
      key,
      packed,
      revision: revision ?? 0,
      updated: issue.updated,
      tracker_id: issue.id ?? null,
      source_updated: sourceUpdated(issue),
      cut: Number(mayBeCut(issue.history)),
      unread_roles: Number(contentOf(issue, RESTRICTION) === null),
    };
  }

  return {
    putIssues: (issues, merge) =>
      // Numbers of terms are one transaction's until it has ended.
      inTurn(async () => {
        const assigning: { terms?: WritableTerms } = {};
        try {
          const [results, revision, stored] = await areas.write(area, async (tx) => {
            // An attempt before this one may have met others.
            assigning.terms?.unassign();
            const stored = terms.ofLineage(tx.lineage);
            await stored.upTo(tx.db, tx.revision);
            stored.terms.begin();
            assigning.terms = stored.terms;
            const who = await erasures.at(tx.erasures);
            const present = who === null ? issues : issues.map((issue) => replaceInIssue(issue, who));
            const results = await putBatch(tx, stored, present, merge);
            // Only what is stored with an issue is found by others.
            if (tx.last() === tx.revision) stored.terms.unassign();
            return [results, tx.last(), stored];
          });
          stored.areKnown(revision);
          return results;
        } catch (error) {
          assigning.terms?.unassign();
          throw error;
        }
      }),
    async removeIssues(ids) {
      await areas.write(area, async (tx) => {
        const rows = await rowsBy(tx.db, 'tracker_id', ids);
        const keys = rows.map(({ key }) => key).sort();
        await tx.db
          .deleteFrom('issue')
          .where(
            engine.isNumbered(
              tenant,
              rows.map(({ id }) => id),
            ),
          )
          .execute();
        await tx.put(
          putRemoved,
          keys.map((key) => ({ ...of, key, revision: tx.next() })),
        );
      });
    },
  };
}

function newRow(key: string, issue: Issue): Row {
  return { id: null, stored: null, key, issue, packed: new Uint8Array(), revision: null, isGone: false };
}

/** As Data Center and Cloud call the field whose changes are moves. */
const keyFields: readonly string[] = ['key', 'issuekey'];
const keyLengths = keyFields.map(({ length }) => length);

const aKey = /^[A-Z][A-Z0-9_]*-\d+$/;

/** The keys (upper case) an issue had before, as far as its history says. */
function formerKeys({ key, changes }: Issue): readonly string[] {
  const moves = changes.filter(
    ({ field }) => keyLengths.includes(field.length) && keyFields.includes(field.toLowerCase()),
  );
  if (moves.length === 0) return [];
  const keys = moves
    .flatMap(({ from, to }) => [from, to])
    .flatMap((value) => (value === null ? [] : [value.name.toUpperCase()]));
  return [...new Set(keys)].filter((one) => aKey.test(one) && one !== key.toUpperCase());
}

function sourceUpdated(issue: Issue): Instant | null {
  const updated = contentOf(issue, 'updated');
  return typeof updated === 'number' ? updated : null;
}

/** Returns true where reading the issue again may complete its history: unknown time that ended is a gap of the tracker itself. */
function mayBeCut(history: History): boolean {
  return !history.complete && history.unknownUntil === null;
}
