import { randomBytes } from 'node:crypto';
import type { Erasure } from '../../../model/erasure.ts';
import type { Instant, User } from '../../../model/issue.ts';
import type { BlobStore } from '../../blobs.ts';
import { type Documents, getOrMake, type SingleDocuments } from '../../documents.ts';
import type { PersonStore, SearchHow, StoredPerson } from '../../person-store.ts';
import {
  byWords,
  type Erasures,
  hashOf,
  PSEUDONYM_KEY,
  pseudonymOf,
  wordsOf,
} from '../../persons/pseudonyms.ts';
import { lastingStamps } from '../../stamps.ts';
import type { KeptLink } from '../../tracker-documents.ts';
import { type Areas, ERASED } from '../areas.ts';
import type { Engine } from '../engine.ts';
import { searchIssues, searchTerms } from './search-issues.ts';
import {
  PersonFindings,
  type PersonSearch,
  searchAlerts,
  searchAudit,
  searchCache,
  searchDocuments,
  searchUsers,
  searchWork,
} from './search-rows.ts';

/** The parts of a tenant's store in which persons are found. */
interface PersonsParts {
  readonly tenant: string;
  readonly erasures: Erasures;
  readonly erased: Documents<Erasure>;
  readonly secrets: SingleDocuments<string>;
  readonly blobs: (of: 'exports' | 'cache') => BlobStore;
  readonly now: () => Instant;
}

const KEY_BYTES = 32;

/** Opens the persons in everything that is stored of a tenant. */
export function openPersons(
  engine: Engine,
  areas: Areas,
  { tenant, erasures, erased, secrets, blobs, now }: PersonsParts,
): PersonStore {
  /** The trackers that have issues, users or documents. */
  async function trackers(): Promise<readonly string[]> {
    const rows = await engine.db.selectFrom('area').select('area').where('tenant', '=', tenant).execute();
    const names = rows.flatMap(({ area }) => /^(?:issues|people) (.+)$/.exec(area)?.[1] ?? []);
    return [...new Set(names)].sort();
  }

  async function users(): Promise<readonly User[]> {
    const rows = await engine.db.selectFrom('user').select('document').where('tenant', '=', tenant).execute();
    return rows.map(({ document }) => JSON.parse(document));
  }

  /** The accounts of the chat that are linked to a user, also where the link is not in force. */
  async function linkedTo(account: string): Promise<readonly string[]> {
    const rows = await engine.db
      .selectFrom('document')
      .select(['id', 'document'])
      .where('tenant', '=', tenant)
      .where('kind', 'like', 'links %')
      .execute();
    return rows.flatMap(({ id, document }) => {
      const { link }: KeptLink = JSON.parse(document);
      return link?.user === account ? [id] : [];
    });
  }

  async function personOf(account: string, own: readonly User[], others: readonly User[]) {
    const shared = new Set(others.flatMap(({ id, name, login, email }) => [id, name, login, email]));
    const distinct = (texts: readonly (string | undefined)[]) => [
      ...new Set(texts.flatMap((text) => (text === undefined || shared.has(text) ? [] : [text]))),
    ];
    const logins = distinct(own.map(({ login }) => login)).filter((login) => login !== account);
    return {
      logins,
      accounts: [account, ...logins, ...(await linkedTo(account))],
      texts: distinct(own.flatMap(({ name, email }) => [name, email])),
    };
  }

  /** Goes through everything; users and links are last, because they say by which names and accounts a person is known. */
  async function pass(
    { erasure, ...known }: StoredPerson,
    { onPlace = () => {}, onRecord = async () => {}, isWriting }: SearchHow & { readonly isWriting: boolean },
  ) {
    // Without a key no one was erased so far, and there is no hash to recognize.
    const key = (await secrets.get(PSEUDONYM_KEY)) ?? '';
    const found = new PersonFindings();
    const who = byWords(erasure, key, known);
    const words = wordsOf(known);
    const search: PersonSearch = { engine, areas, tenant, who, words, isWriting, found, onRecord };
    const all = await trackers();
    const steps: readonly (readonly [place: string, step: () => Promise<void>])[] = [
      ...all.flatMap(
        (tracker) =>
          [
            [`terms ${tracker}`, () => searchTerms(search, tracker)],
            [`issues ${tracker}`, () => searchIssues(search, { tracker, erasures })],
          ] as const,
      ),
      ['documents', () => searchDocuments(search, (kind) => kind !== 'links')],
      ['work', () => searchWork(search)],
      ['watch alerts', () => searchAlerts(search)],
      ['audit log', () => searchAudit(search)],
      ['cache', () => searchCache(search)],
      ['files', async () => (isWriting ? removeCopies() : undefined)],
      ...all.map((tracker) => [`users ${tracker}`, () => searchUsers(search, tracker)] as const),
      ['links', () => searchDocuments(search, (kind) => kind === 'links')],
    ];
    for (const [place, step] of steps) {
      onPlace(place);
      await step();
    }
    return found.traces();
  }

  /** Removes the files that have copies of what was replaced: those of exports, and the columns, which are made again. */
  async function removeCopies(): Promise<void> {
    for (const place of ['exports', 'cache'] as const) {
      for (const name of await blobs(place).names()) await blobs(place).remove(name);
    }
    // Columns that are being saved have a stamp that the store lacks then.
    await areas.write('stamp', async (tx) => {
      tx.next();
      await tx.db
        .deleteFrom('document')
        .where((row) => row.and({ tenant, kind: 'stamp' }))
        .where('id', 'not in', lastingStamps)
        .execute();
    });
  }

  return {
    users,
    async find(id) {
      const known = await users();
      const all = await erased.list();
      const key = await getOrMake(secrets, PSEUDONYM_KEY, () => randomBytes(KEY_BYTES).toString('hex'));
      const ofPseudonym = all.find(({ pseudonym }) => pseudonym.id === id);
      const account =
        ofPseudonym === undefined
          ? id
          : (known.find((one) => hashOf(one.id, key) === ofPseudonym.hash)?.id ?? null);
      if (account === null && ofPseudonym !== undefined) {
        return { account, erasure: ofPseudonym, isErased: true, isKnown: true, accounts: [], texts: [] };
      }
      const hash = hashOf(account ?? id, key);
      const before = ofPseudonym ?? all.find((one) => one.hash === hash);
      const [own, others] = [
        known.filter((one) => one.id === account),
        known.filter((one) => one.id !== account),
      ];
      const { logins, ...names } = await personOf(account ?? id, own, others);
      const erasure = {
        hash,
        logins: logins.map((login) => hashOf(login, key)),
        pseudonym: pseudonymOf(hash, all),
        at: now(),
      };
      return {
        account,
        erasure: before ?? erasure,
        isErased: before !== undefined,
        isKnown: own.length > 0 || before !== undefined,
        ...names,
      };
    },
    search: (person, how) => pass(person, { ...how, isWriting: false }),
    async erase(person, how) {
      const { erasure } = person;
      // From then on the tracker cannot bring the person back.
      await erased.change(erasure.hash, (stored) => stored ?? erasure);
      await pass(person, { ...how, isWriting: true });
      // Every process forgets its terms and its columns.
      await areas.write(ERASED, async (tx) => {
        tx.next();
      });
    },
  };
}
