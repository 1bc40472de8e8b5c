import { setTimeout as pause } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import type { AuditEvent } from '../../model/audit.ts';
import type { Instant } from '../../model/issue.ts';
import type { KindOfWork, WhichWork, Work } from '../work-kinds.ts';
import type { Areas } from './areas.ts';
import type { KindAudit } from './audit.ts';
import type { Engine } from './engine.ts';
import type { Queries, Tables } from './tables.ts';

/** Long enough (ms) for another's short write to end. */
const SHORT_LOCK_TIMEOUT_MS = 50;

/** The most tries to claim free work that others have locked, and the pause (ms) between two. */
const MAX_TRIES = 40;
const RETRY_MS = 20;

/** A lease that is over, or was never begun. */
const NOT_HELD = { holder: null, held_until: 0 } as const;

/** Opens the work of a kind of a tenant; what is added is written to the audit log in the same transaction. */
export function openWork<Document>(
  engine: Engine,
  areas: Areas,
  {
    tenant,
    audit,
    kind,
    planOf,
    order,
    maxLeaseMs,
    maxPauseMs,
    complete = (stored) => stored,
  }: KindOfWork<Document> & {
    readonly tenant: string;
    readonly audit: KindAudit<Document> | null;
  },
): Work<Document> {
  const read = ({ document }: { readonly document: string }) => complete(JSON.parse(document));
  const all = (db: Queries) =>
    db
      .selectFrom('work')
      .select('document')
      .where((row) => row.and({ tenant, kind }));
  /** Writes the document with the given id. */
  const update = (db: Queries, id: string, values: Partial<Tables['work']>) =>
    db
      .updateTable('work')
      .set(values)
      .where((row) => row.and({ tenant, kind, id }));
  const planned = (document: Document) => {
    const { id, owner, open, plannedFor } = planOf(document);
    return { id, owner, open, planned_for: plannedFor, document: JSON.stringify(document) };
  };

  function selected(db: Queries, which: WhichWork) {
    const { ids, owner, owners, open, plannedBefore, plannedAfter, freeAt } = which;
    let query = all(db);
    if (ids !== undefined) query = query.where(engine.isOneOf('id', ids));
    if (owner !== undefined) query = query.where('owner', '=', owner);
    if (owners !== undefined) query = query.where(engine.isOneOf('owner', owners));
    if (plannedBefore !== undefined) query = query.where('planned_for', '<', plannedBefore);
    if (plannedAfter !== undefined) query = query.where('planned_for', '>', plannedAfter);
    if (freeAt !== undefined) query = query.where(isOver('held_until', freeAt, maxLeaseMs));
    if (open === undefined) return query;
    const names = open.filter((name) => name !== null);
    return query.where((row) =>
      row.or([
        ...(names.length > 0 ? [engine.isOneOf('open', names)] : []),
        ...(open.includes(null) ? [row('open', 'is', null)] : []),
      ]),
    );
  }

  /** The next one that is free. */
  function next(db: Queries, { now, open, resting = [] }: Parameters<Work<Document>['claim']>[0]) {
    const free = selected(db, { open, freeAt: now })
      .where((row) => row.not(engine.isOneOf('owner', resting)))
      .where(isOver('not_before', now, maxPauseMs));
    const ordered =
      order === 'plan'
        ? free.where('planned_for', '<=', now)
        : free.orderBy((row) =>
            row
              .selectFrom('work as one')
              .select((of) => of.fn.max('one.served').as('served'))
              .where('one.tenant', '=', tenant)
              .where('one.kind', '=', kind)
              .whereRef('one.owner', '=', 'work.owner'),
          );
    return ordered.orderBy('planned_for').orderBy('added').limit(1);
  }

  /** The turn of what was taken up last. */
  async function lastServed(db: Queries): Promise<number> {
    const last = await db
      .selectFrom('work')
      .select((row) => row.fn.max('served').as('served'))
      .where((row) => row.and({ tenant, kind }))
      .executeTakeFirst();
    return Number(last?.served ?? 0);
  }

  /** Writes to what a holder holds. */
  function whileHeld(
    {
      id,
      holder,
      lockTimeoutMs,
    }: { readonly id: string; readonly holder: string; readonly lockTimeoutMs?: number },
    change: (stored: Document) => Document | null,
    values: Partial<Tables['work']>,
  ): Promise<boolean> {
    return engine.write(
      async ({ db }) => {
        const row = await selected(db, { ids: [id] })
          .where('holder', '=', holder)
          .forUpdate()
          .executeTakeFirst();
        const changed = row === undefined ? null : change(read(row));
        if (changed === null) return false;
        await update(db, id, { ...planned(changed), ...values }).execute();
        return true;
      },
      lockTimeoutMs === undefined ? {} : { lockTimeoutMs },
    );
  }

  return {
    async get(id) {
      const row = await selected(engine.db, { ids: [id] }).executeTakeFirst();
      return row === undefined ? null : read(row);
    },
    async list(which, count) {
      const query = selected(engine.db, which).orderBy('planned_for', 'desc').orderBy('added', 'desc');
      const rows = await (count === undefined ? query : query.limit(count)).execute();
      return rows.map(read);
    },
    async due(open, now) {
      const { count, first } = await engine.db
        .selectFrom('work')
        .select((row) => [row.fn.countAll().as('count'), row.fn.min('planned_for').as('first')])
        .where((row) => row.and({ tenant, kind }))
        .where(engine.isOneOf('open', open))
        .where('planned_for', '<=', now)
        .executeTakeFirstOrThrow();
      return { count: Number(count), first: first === null ? null : Number(first) };
    },
    async change(which, change) {
      const found = (db: Queries) => selected(db, which).orderBy('planned_for').orderBy('added');
      const isNothing = ({ put = [], remove = [] }: ReturnType<typeof change>) =>
        put.length + remove.length === 0;
      const foreseen = change((await found(engine.db).execute()).map(read));
      if (isNothing(foreseen)) return foreseen;
      return areas.write(`work ${kind}`, async (tx) => {
        const stored = (await found(tx.db).forUpdate().execute()).map(read);
        const changes = change(stored);
        const known = new Set(stored.map((document) => planOf(document).id));
        const added: AuditEvent[] = [];
        for (const document of changes.put ?? []) {
          const values = planned(document);
          if (known.has(values.id)) await update(tx.db, values.id, values).execute();
          else {
            const begin = { ...NOT_HELD, not_before: 0, served: 0, added: tx.next() };
            await tx.db
              .insertInto('work')
              .values({ tenant, kind, ...values, ...begin })
              .execute();
            const event = audit?.describe({ id: values.id, before: null, after: document }) ?? null;
            if (event !== null) added.push(event);
          }
        }
        const gone = (changes.remove ?? []).map((document) => planOf(document).id);
        if (gone.length > 0) {
          await tx.db
            .deleteFrom('work')
            .where((row) => row.and({ tenant, kind }))
            .where(engine.isOneOf('id', gone))
            .execute();
        }
        await audit?.write(tx, added);
        return changes;
      });
    },
    async claim(which, { holder, until }, take) {
      // The order of turns needs every claim before this one.
      const write: Engine['write'] =
        order === 'turns' ? (work) => areas.write(`work ${kind}`, work) : engine.write;
      const tryOnce = () =>
        write(async ({ db }) => {
          const row = await next(db, which).forUpdate().skipLocked().executeTakeFirst();
          if (row === undefined) return null;
          const document = take(read(row));
          const { id, ...values } = planned(document);
          const turn = order === 'turns' ? { served: (await lastServed(db)) + 1 } : {};
          const taken = { holder, held_until: until, ...turn };
          await update(db, id, { ...values, ...taken }).execute();
          return document;
        });
      // Rows that others have locked are skipped, and looked at again once they are free.
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        // Processes look for work all the time, which must not wait until an import has done writing.
        if ((await next(engine.db, which).executeTakeFirst()) === undefined) return null;
        const taken = await tryOnce();
        if (taken !== null) return taken;
        await pause(RETRY_MS);
      }
      return null;
    },
    keep: (id, { holder, until }, change, { isPatient } = { isPatient: false }) =>
      whileHeld({ id, holder, ...(!isPatient && { lockTimeoutMs: SHORT_LOCK_TIMEOUT_MS }) }, change, {
        held_until: until,
      }),
    release: (id, { holder, notBefore }, change) =>
      whileHeld({ id, holder }, change, { ...NOT_HELD, not_before: notBefore }),
  };
}

/** An instant in a column has come, or is further away than any is set. */
function isOver(column: 'held_until' | 'not_before', now: Instant, maxMs: number) {
  return (row: ExpressionBuilder<Tables, 'work'>) =>
    row.or([row(column, '<=', now), row(column, '>', now + maxMs)]);
}
