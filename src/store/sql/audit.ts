import { currentActor } from '../../concurrency/request-scope.ts';
import { type AuditEntry, type AuditEvent, type AuditFilter, QUESTION_ACTION } from '../../model/audit.ts';
import type { Instant } from '../../model/issue.ts';
import type { Audited, DescribeChange } from '../audited-kinds.ts';
import type { AuditLog } from '../store.ts';
import { type Engine, FixedQuery, insert, type Tx } from './engine.ts';
import type { Queries, Tables } from './tables.ts';

/** Writes events into the transaction that makes the change; they are seen in the order of their numbers. */
export type WriteAudit = (tx: Tx, events: readonly AuditEvent[]) => Promise<void>;

/** The way in which a kind of documents writes its changes to the audit log. */
export interface KindAudit<Document> {
  readonly describe: DescribeChange<Document>;
  readonly write: WriteAudit;
}

/** Returns how a kind writes its changes; null for a kind that is not audited. */
export function auditOf<Document>(write: WriteAudit, kind: Audited<Document>): KindAudit<Document> | null {
  return typeof kind === 'function' ? { describe: kind, write } : null;
}

/** The kind under which the last number of an entry is kept. */
const NUMBERS = 'audit';

/**
 * Gives the next `count` numbers, and returns the last one. Its row is locked until the transaction ends, so that entries
 * come into sight in their order. Numbers are larger than the time (ms), so that a database that was restored gives none
 * that its original has given since.
 */
const nextNumbers = new FixedQuery((db: Queries, of: { tenant: string; count: number; least: number }) =>
  db
    .insertInto('last_number')
    .values({ tenant: of.tenant, kind: NUMBERS, number: of.least })
    .onConflict((found) =>
      found.columns(['tenant', 'kind']).doUpdateSet({
        number: (row) =>
          row
            .case()
            .when(row('last_number.number', '+', of.count), '>', row.ref('excluded.number'))
            .then(row('last_number.number', '+', of.count))
            .else(row.ref('excluded.number'))
            .end(),
      }),
    )
    .returning('number'),
);

const put = insert('audit');

/** Opens the audit log of a tenant, and what writes to it within other transactions. */
export function openAudit(
  engine: Engine,
  { tenant, now }: { readonly tenant: string; readonly now: () => Instant },
): { readonly log: AuditLog; readonly write: WriteAudit } {
  const write: WriteAudit = async (tx, events) => {
    if (events.length === 0) return;
    const at = now();
    const count = events.length;
    const last = await nextNumbers.first(tx.db, { tenant, count, least: at + count });
    const before = Number(last?.number) - count;
    const rows = events.map((event, index) => ({
      tenant,
      number: before + 1 + index,
      ...rowOf(event, at),
    }));
    const [first] = rows;
    if (rows.length === 1 && first !== undefined) await put.one.run(tx.db, first);
    else await tx.put(put, rows);
  };

  function selected(filter: AuditFilter) {
    const { after, since, until, actor, action, subject, withQuestions = true } = filter;
    let query = engine.db.selectFrom('audit').selectAll().where('tenant', '=', tenant);
    if (after !== undefined) query = query.where('number', '>', after);
    // The number of an entry is larger than its time, so that the search begins there.
    if (since !== undefined) query = query.where('number', '>', since).where('at', '>=', since);
    if (until !== undefined) query = query.where('at', '<', until);
    if (actor !== undefined) query = query.where('actor', 'in', [actor].flat());
    if (subject !== undefined) query = query.where('subject', '=', subject);
    if (!withQuestions) query = query.where('action', '!=', QUESTION_ACTION);
    if (action === undefined) return query;
    // The dot comes right before the slash.
    return action.includes('.')
      ? query.where('action', '=', action)
      : query.where('action', '>', `${action}.`).where('action', '<', `${action}/`);
  }

  return {
    write,
    log: {
      add: (events, { isDurable } = { isDurable: true }) => {
        const actor = currentActor();
        const owned = events.map((event) => ({ actor, ...event }));
        return engine.write((tx) => write(tx, owned), { isDurable });
      },
      list: async (filter, count) =>
        (await selected(filter).orderBy('number').limit(count).execute()).map(entryOf),
      async remove({ before, areQuestions }, count) {
        const { numDeletedRows } = await engine.write(({ db }) => {
          const oldest = db
            .selectFrom('audit')
            .select('number')
            .where('tenant', '=', tenant)
            .where('number', '<=', before)
            .where('action', areQuestions ? '=' : '!=', QUESTION_ACTION)
            .orderBy('number')
            .limit(count);
          return db
            .deleteFrom('audit')
            .where('tenant', '=', tenant)
            .where('number', 'in', oldest)
            .executeTakeFirstOrThrow();
        });
        return Number(numDeletedRows);
      },
    },
  };
}

function rowOf(event: AuditEvent, now: Instant): Omit<Tables['audit'], 'tenant' | 'number'> {
  const { subject, verb, facts, actor = currentActor(), at = now } = event;
  return {
    at,
    actor: actor.account,
    via: actor.via,
    token: actor.tokenId,
    request: actor.requestId,
    action: `${subject.kind}.${verb}`,
    subject: subject.id,
    document: JSON.stringify(facts),
  };
}

function entryOf({ number, at, token, request, document, tenant: _, ...row }: Tables['audit']): AuditEntry {
  const ids = { tokenId: token, requestId: request };
  return { id: Number(number), at: Number(at), ...row, ...ids, facts: JSON.parse(document) };
}
