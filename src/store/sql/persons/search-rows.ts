import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { AuditFacts } from '../../../model/audit.ts';
import type { User } from '../../../model/issue.ts';
import type { StoredDocuments, StoredWork } from '../../audited-kinds.ts';
import type { PersonRecord, PersonTraces } from '../../person-store.ts';
import {
  documentWithout,
  type PersonPlaces,
  placesInDocuments,
  placesInNamespaces,
  placesInWork,
  withoutPersons,
} from '../../persons/person-places.ts';
import { type PersonReplacement, replaceInDocument } from '../../persons/replace-person.ts';
import type { DirectoryList } from '../../tracker-documents.ts';
import type { Areas } from '../areas.ts';
import { type Engine, upsert } from '../engine.ts';
import type { Queries, Tables } from '../tables.ts';

/** One way through all that is stored of a tenant, in search of one person. */
export interface PersonSearch {
  readonly engine: Engine;
  readonly areas: Areas;
  readonly tenant: string;
  readonly who: PersonReplacement;
  /** Finds the person in prose; null where no words are known. */
  readonly words: RegExp | null;
  /** True: what is found is replaced. */
  readonly isWriting: boolean;
  readonly found: PersonFindings;
  readonly onRecord: (record: PersonRecord) => Promise<void>;
}

/** Counts what is found, by place. */
export class PersonFindings {
  readonly #byPlace = new Map<string, { records: number; inText: number }>();

  add(
    place: string,
    { isRecord, isInText }: { readonly isRecord: boolean; readonly isInText: boolean },
  ): void {
    const counts = this.#byPlace.get(place) ?? { records: 0, inText: 0 };
    if (isRecord) counts.records += 1;
    if (isInText) counts.inText += 1;
    this.#byPlace.set(place, counts);
  }

  traces(): readonly PersonTraces[] {
    return [...this.#byPlace].flatMap(([place, counts]) =>
      counts.records + counts.inText === 0 ? [] : [{ place, ...counts }],
    );
  }
}

/** Returns true where a text has the person in its words. */
export function isInText({ words }: Pick<PersonSearch, 'words'>, text: string): boolean {
  return words !== null && text.search(words) >= 0;
}

/** Rows of large tables that are read at once. */
const ROWS_AT_ONCE = 1_000;

const putUser = upsert('user');

/** Queries for a pass over rows, and what is called before the first of them is changed; null: none is to be. */
interface Pass {
  readonly db: Queries;
  readonly begin: (() => void) | null;
}

/** Goes through rows of an area: while no one else writes them where they are to be changed. */
function inPass(
  { engine, areas, isWriting }: PersonSearch,
  area: string,
  pass: (of: Pass) => Promise<void>,
): Promise<void> {
  if (!isWriting) return pass({ db: engine.db, begin: null });
  return areas.write(area, ({ db, revision, last, next }) =>
    pass({
      db,
      begin() {
        if (last() === revision) next();
      },
    }),
  );
}

/** Replaces a person in the documents of the kinds that are meant; one that is theirs alone goes. */
export async function searchDocuments(
  search: PersonSearch,
  isMeant: (kind: keyof StoredDocuments) => boolean,
): Promise<void> {
  const { engine, tenant, found, onRecord, who } = search;
  const kinds = await engine.db
    .selectFrom('document')
    .select('kind')
    .distinct()
    .where('tenant', '=', tenant)
    .orderBy('kind')
    .execute();
  for (const { kind } of kinds) {
    const [name, tracker] = kindAndTracker(kind);
    if (name === null || !isMeant(name)) continue;
    await inPass(search, kind, async ({ db, begin }) => {
      const rows = await db
        .selectFrom('document')
        .select(['id', 'name', 'document'])
        .where((row) => row.and({ tenant, kind }))
        .execute();
      for (const row of rows) {
        const before = JSON.parse(row.document);
        const document: object | null = documentWithout({ kind: name, id: row.id }, before, who);
        const isRecord = document !== before;
        const text = JSON.stringify(document);
        found.add(kind, { isRecord, isInText: isInText(search, text) });
        if (!isRecord) continue;
        const content = excerptOf(name, before, document ?? {});
        if (content !== null) await onRecord({ kind: name, tracker, id: row.id, content });
        if (begin === null) continue;
        begin();
        const one = { tenant, kind, id: row.id };
        await (document === null
          ? db.deleteFrom('document').where((is) => is.and(one))
          : db
              .updateTable('document')
              .set({ document: text, name: replacedName(row.name, who) })
              .where((is) => is.and(one))
        ).execute();
      }
    });
  }
}

/** The kind of documents by which an area is called, and the tracker they are of; null for a kind of a later version. */
function kindAndTracker(kind: string): readonly [name: keyof StoredDocuments | null, tracker: string | null] {
  const names = Object.keys(placesInDocuments) as (keyof StoredDocuments)[];
  const name = names.find((one) => one === kind) ?? names.find((one) => kind.startsWith(`${one} `)) ?? null;
  return [name, name === null || name === kind ? null : kind.slice(name.length + 1)];
}

/** Names of what belongs to someone begin with the account. */
function replacedName(name: string | null, who: PersonReplacement): string | null {
  const end = name?.indexOf('\n') ?? -1;
  if (name === null || end < 0) return name;
  return (who.pseudonymOf(name.slice(0, end))?.id ?? name.slice(0, end)) + name.slice(end);
}

/** Kinds of documents that list many people: an export names the members that have the person, as the rest is about others. */
const lists: readonly string[] = ['delegation-permissions', 'project access'];

/** The part of a document that is about the person; null where that is nothing but a name and an id. */
function excerptOf(kind: keyof StoredDocuments, before: object, after: object): unknown {
  if (kind === 'facts') return null;
  if (lists.includes(kind)) {
    const others = new Map(Object.entries(after));
    return {
      in: Object.entries(before).flatMap(([name, value]) => (value === others.get(name) ? [] : [name])),
    };
  }
  if (kind !== 'directory') return before;
  const [listed, replaced] = [before as DirectoryList, after as DirectoryList];
  const entries = listed.entries.filter((entry, i) => entry !== replaced.entries[i]);
  return { list: listed.kind, entries: entries.map(({ id }) => id) };
}

/** Replaces a person in what is worked on; what is theirs alone goes. */
export async function searchWork(search: PersonSearch): Promise<void> {
  const { tenant, found, onRecord, who } = search;
  for (const kind of Object.keys(placesInWork) as (keyof StoredWork)[]) {
    await inPass(search, `work ${kind}`, async ({ db, begin }) => {
      const all = db
        .selectFrom('work')
        .select(['id', 'document'])
        .where((row) => row.and({ tenant, kind }));
      for (const row of await (begin === null ? all : all.forUpdate()).execute()) {
        const before = JSON.parse(row.document);
        const document = withoutPersons(placesInWork[kind], before, who);
        const isRecord = document !== before;
        found.add(kind, { isRecord, isInText: isInText(search, JSON.stringify(document)) });
        if (!isRecord) continue;
        await onRecord({ kind, tracker: null, id: row.id, content: before });
        if (begin === null) continue;
        begin();
        const one = { tenant, kind, id: row.id };
        // The id of a nudge has the person in it.
        const id = inBlanks(row.id, who);
        await (document === null
          ? db.deleteFrom('work').where((is) => is.and(one))
          : db
              .updateTable('work')
              .set({ id, document: JSON.stringify({ ...document, id }) })
              .where((is) => is.and(one))
        ).execute();
      }
    });
  }
}

/** Replaces accounts among words with blanks between them. */
function inBlanks(text: string, who: PersonReplacement): string {
  return text
    .split(' ')
    .map((word) => who.pseudonymOf(word)?.id ?? word)
    .join(' ');
}

/** Replaces a person in the alerts of watches. */
export async function searchAlerts(search: PersonSearch): Promise<void> {
  const { tenant, found, onRecord, who } = search;
  await inPass(search, 'watch alerts', async ({ db, begin }) => {
    const rows = await db
      .selectFrom('watch_alert')
      .select(['watch', 'key', 'since', 'account'])
      .where('tenant', '=', tenant)
      .where('account', 'is not', null)
      .execute();
    for (const { account, ...row } of rows) {
      const pseudonym = account === null ? null : who.pseudonymOf(account);
      found.add('watch alerts', { isRecord: pseudonym !== null, isInText: false });
      if (pseudonym === null) continue;
      const { watch, key } = row;
      await onRecord({ kind: 'watch alert', tracker: null, id: watch, content: { key, account } });
      if (begin === null) continue;
      begin();
      await db
        .updateTable('watch_alert')
        .set({ account: pseudonym.id })
        .where((is) => is.and({ tenant, ...row }))
        .execute();
    }
  });
}

/** Replaces a person in the audit log: who did something, and to whom. */
export async function searchAudit(search: PersonSearch): Promise<void> {
  const { engine, tenant, found, isWriting, onRecord, who } = search;
  for (let after = 0, isOver = false; !isOver; ) {
    const rows = await engine.db
      .selectFrom('audit')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('number', '>', after)
      .orderBy('number')
      .limit(ROWS_AT_ONCE)
      .execute();
    after = Number(rows.at(-1)?.number ?? after);
    isOver = rows.length < ROWS_AT_ONCE;
    const changed: { readonly number: number; readonly next: Partial<Tables['audit']> }[] = [];
    for (const row of rows) {
      const facts: AuditFacts = JSON.parse(row.document);
      const people = replaceInDocument(facts, ['people'], who);
      const name = facts.name === undefined ? undefined : who.inWords(facts.name, 'name');
      const next = {
        actor: row.actor === null ? null : (who.pseudonymOf(row.actor)?.id ?? row.actor),
        subject: inBlanks(row.subject, who),
        document: JSON.stringify(name === facts.name ? people : { ...people, name }),
      };
      const isRecord =
        next.actor !== row.actor || next.subject !== row.subject || next.document !== row.document;
      found.add('audit log', { isRecord, isInText: isInText(search, next.document) });
      if (!isRecord) continue;
      const { number, tenant: _, document: __, ...entry } = row;
      await onRecord({ kind: 'audit', tracker: null, id: String(number), content: { ...entry, facts } });
      changed.push({ number, next });
    }
    if (isWriting && changed.length > 0) {
      await engine.write(async ({ db }) => {
        for (const { number, next } of changed) {
          await db
            .updateTable('audit')
            .set(next)
            .where((is) => is.and({ tenant, number }))
            .execute();
        }
      });
    }
    await yieldToOthers();
  }
}

/** Replaces a person in the settings of channels, and removes every other entry of the cache that mentions them. */
export async function searchCache(search: PersonSearch): Promise<void> {
  const { engine, tenant, found, isWriting, onRecord, who } = search;
  const places: Readonly<Record<string, PersonPlaces<never>>> = placesInNamespaces;
  for (let after = '', isOver = false; !isOver; ) {
    const rows = await engine.db
      .selectFrom('cache_entry')
      .select(['key', 'namespace', 'value'])
      .where('tenant', '=', tenant)
      .where('key', '>', after)
      .orderBy('key')
      .limit(ROWS_AT_ONCE)
      .execute();
    after = rows.at(-1)?.key ?? after;
    isOver = rows.length < ROWS_AT_ONCE;
    const changed: { readonly key: string; readonly value: string | null }[] = [];
    for (const { key, namespace, value } of rows) {
      const content = JSON.parse(value);
      const chosen = places[namespace];
      const next = chosen === undefined ? null : replaceInDocument(content, chosen.accounts, who);
      const isRecord =
        next === null
          ? mentions(content, search) || mentions(key.slice(key.indexOf(':') + 1), search)
          : next !== content;
      found.add('cache', { isRecord, isInText: next !== null && isInText(search, JSON.stringify(next)) });
      if (!isRecord) continue;
      await onRecord({ kind: `cache ${namespace}`, tracker: null, id: key, content });
      changed.push({ key, value: next === null ? null : JSON.stringify(next) });
    }
    if (isWriting && changed.length > 0) {
      await engine.write(async ({ db }) => {
        for (const { key, value } of changed) {
          await (value === null
            ? db.deleteFrom('cache_entry').where((is) => is.and({ tenant, key }))
            : db
                .updateTable('cache_entry')
                .set({ value })
                .where((is) => is.and({ tenant, key }))
          ).execute();
        }
      });
    }
    await yieldToOthers();
  }
}

/** Returns true where a JSON value has the person as one of its texts, or in the words of one. */
function mentions(value: unknown, search: PersonSearch): boolean {
  if (typeof value === 'string') return search.who.pseudonymOf(value) !== null || isInText(search, value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => mentions(member, search));
}

/** Puts the pseudonym in the place of a user. */
export async function searchUsers(search: PersonSearch, tracker: string): Promise<void> {
  const { tenant, found, onRecord, who } = search;
  await inPass(search, `people ${tracker}`, async ({ db, begin }) => {
    const rows = await db
      .selectFrom('user')
      .select(['id', 'document'])
      .where((row) => row.and({ tenant, tracker }))
      .execute();
    for (const { id, document } of rows) {
      const pseudonym = who.pseudonymOf(id);
      found.add(`users ${tracker}`, { isRecord: pseudonym !== null, isInText: false });
      if (pseudonym === null) continue;
      await onRecord({ kind: 'user', tracker, id, content: JSON.parse(document) });
      if (begin === null) continue;
      begin();
      await db
        .deleteFrom('user')
        .where((is) => is.and({ tenant, tracker, id }))
        .execute();
      const user: User = pseudonym;
      const row = { tenant, tracker, id: user.id, document: JSON.stringify(user) };
      await putUser.one.run(db, row);
    }
  });
}
