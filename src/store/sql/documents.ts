import type { AuditEvent, AuditFacts } from '../../model/audit.ts';
import { type Documents, NameTaken } from '../documents.ts';
import type { Erasures } from '../persons/pseudonyms.ts';
import type { PersonReplacement } from '../persons/replace-person.ts';
import type { Areas, AreaWrite } from './areas.ts';
import type { KindAudit } from './audit.ts';
import { type Engine, FixedQuery, upsert } from './engine.ts';
import type { Queries } from './tables.ts';

/** The properties of a kind of document. */
export interface KindOfDocument<Document> {
  /** Its area is called the same. */
  readonly kind: string;
  /** The name by which it is unique among its kind, as names are compared; null: it needs none. */
  readonly nameOf?: (document: Document) => string | null;
  /** Describes its changes, and writes them to the audit log in the transaction that makes them; null: it is not audited. */
  readonly audit: KindAudit<Document> | null;
  /** Keeps persons erased in what is written; left out: its documents have none. */
  readonly persons?: {
    readonly erasures: Erasures;
    /** Returns null for a document that is of an erased person alone. */
    readonly replace: (id: string, document: Document, who: PersonReplacement) => Document | null;
  };
}

/** All documents of a kind at a mark of its area. */
interface Known<Document> {
  readonly mark: string;
  readonly byId: ReadonlyMap<string, Document>;
  readonly list: readonly Document[];
}

/** A write of documents, with what it does for the audit log. */
interface Writing extends AreaWrite {
  readonly events: AuditEvent[];
  /** Null: no one was erased. */
  readonly who: PersonReplacement | null;
}

interface OfKind {
  tenant: string;
  kind: string;
}

const allOfKind = new FixedQuery((db: Queries, of: OfKind) =>
  db
    .selectFrom('document')
    .select(['id', 'document'])
    .where((row) => row.and({ tenant: of.tenant, kind: of.kind }))
    .orderBy('added')
    .orderBy('id'),
);

const put = upsert('document', ['added']);

const putUnnamed = new FixedQuery((db: Queries, of: OfKind & { id: string; document: string }) =>
  db
    .updateTable('document')
    .set({ document: of.document })
    .where((row) => row.and({ tenant: of.tenant, kind: of.kind, id: of.id })),
);

const next = new FixedQuery((db: Queries, of: OfKind & { first: number }) =>
  db
    .insertInto('last_number')
    .values({ tenant: of.tenant, kind: of.kind, number: of.first })
    .onConflict((found) =>
      found.columns(['tenant', 'kind']).doUpdateSet({ number: (row) => row('last_number.number', '+', 1) }),
    )
    .returning('number'),
);

const remove = new FixedQuery((db: Queries, of: OfKind & { id: string }) =>
  db.deleteFrom('document').where((row) => row.and({ tenant: of.tenant, kind: of.kind, id: of.id })),
);

/** Opens the documents of a kind of a tenant. */
export function openDocuments<Document>(
  engine: Engine,
  areas: Areas,
  {
    tenant,
    kind,
    nameOf = () => null,
    audit,
    persons,
  }: KindOfDocument<Document> & { readonly tenant: string },
): Documents<Document> {
  let known: Known<Document> | null = null;

  async function read(db: Queries, mark: string): Promise<Known<Document>> {
    const rows = await allOfKind.all(db, { tenant, kind });
    return knownOf(mark, new Map(rows.map(({ id, document }) => [id, JSON.parse(document)])));
  }

  async function current(): Promise<Known<Document>> {
    const mark = await areas.markOf(kind);
    if (known?.mark === mark) return known;
    const now = await read(engine.db, mark);
    known = now;
    return now;
  }

  /** Puts a document, or removes it, among those there are from then on. */
  async function write(
    tx: Writing,
    byId: Map<string, Document>,
    {
      id,
      document: given,
      facts,
    }: { readonly id: string; readonly document: Document | null; readonly facts?: AuditFacts | undefined },
  ): Promise<void> {
    const document =
      given === null || tx.who === null || persons === undefined ? given : persons.replace(id, given, tx.who);
    const stored = byId.get(id);
    const note = (after: Document | null) => {
      const event = audit?.describe({ id, before: stored ?? null, after }) ?? null;
      if (event !== null) tx.events.push(facts === undefined ? event : { ...event, facts });
    };
    if (document === null) {
      if (!byId.delete(id)) return;
      tx.next();
      await remove.run(tx.db, { tenant, kind, id });
      return note(null);
    }
    const text = JSON.stringify(document);
    if (stored !== undefined && JSON.stringify(stored) === text) return;
    const name = nameOf(document);
    const added = tx.next();
    // An older store may have its name twice, which is no reason to refuse another change.
    if (stored !== undefined && nameOf(stored) === name) {
      await putUnnamed.run(tx.db, { tenant, kind, id, document: text });
    } else {
      await put.one.run(tx.db, { tenant, kind, id, added, name, document: text });
    }
    byId.set(id, JSON.parse(text));
    note(document);
  }

  async function changing<Result>(
    work: (tx: Writing, before: Known<Document>, byId: Map<string, Document>) => Promise<Result>,
  ): Promise<Result> {
    try {
      const [result, after] = await areas.write(kind, async (tx) => {
        const mark = tx.markNow();
        const before = known?.mark === mark ? known : await read(tx.db, mark);
        const byId = new Map(before.byId);
        const events: AuditEvent[] = [];
        const who = (await persons?.erasures.at(tx.erasures)) ?? null;
        const result = await work({ ...tx, events, who }, before, byId);
        await audit?.write(tx, events);
        return [result, tx.markNow() === mark ? before : knownOf(tx.markNow(), byId)] as const;
      });
      known = after;
      return result;
    } catch (error) {
      if (engine.reasonOf(error) === 'not-unique')
        throw new NameTaken('The name is taken.', { cause: error });
      throw error;
    }
  }

  return {
    get: async (id) => (await current()).byId.get(id) ?? null,
    list: async () => (await current()).list,
    change: (id, change, facts) =>
      changing(async (tx, { list }, byId) => {
        const document = change(byId.get(id) ?? null, list);
        await write(tx, byId, { id, document, facts });
        return document;
      }),
    changeAll: (ids, change) =>
      changing(async (tx, { list }, byId) => {
        const documents = change(
          ids.map((id) => byId.get(id) ?? null),
          list,
        );
        for (const [i, id] of ids.entries()) await write(tx, byId, { id, document: documents[i] ?? null });
      }),
    addNumbered: ({ name, first }, make) =>
      changing(async (tx, { list }, byId) => {
        const series = `${kind} ${name}`.trim();
        const number = Number((await next.first(tx.db, { tenant, kind: series, first }))?.number);
        const document = make(number, list);
        await write(tx, byId, { id: `${name} ${number}`.trim(), document });
        return document;
      }),
  };
}

function knownOf<Document>(mark: string, byId: ReadonlyMap<string, Document>): Known<Document> {
  return { mark, byId, list: [...byId.values()] };
}
