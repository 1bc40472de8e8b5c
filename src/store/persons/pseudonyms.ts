import { createHmac } from 'node:crypto';
import type { Erasure, Pseudonym } from '../../model/erasure.ts';
import type { KnownPerson } from '../person-store.ts';
import { openSecret, type SecretKeys } from '../sealed-secrets.ts';
import { ERASURES } from '../sql/areas.ts';
import { type Engine, FixedQuery } from '../sql/engine.ts';
import type { Queries } from '../sql/tables.ts';
import type { PersonReplacement } from './replace-person.ts';

/** The digits of a hash that a pseudonym has in its id, and at least in its name. */
const ID_DIGITS = 16;
const NAME_DIGITS = 4;

/** Hashes that are remembered; an issue has some dozen ids, most of which others have as well. */
const MAX_KNOWN = 100_000;

/** The keyed hash (HMAC-SHA-256, hexadecimal) of the id of an account; the key is a secret of the tenant. */
export function hashOf(account: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(account).digest('hex');
}

/** Returns the pseudonym of a hash, whose name has as many of its digits as none of the others has. */
export function pseudonymOf(hash: string, others: readonly Erasure[]): Pseudonym {
  const names = new Set(others.map(({ pseudonym }) => pseudonym.name));
  let digits = NAME_DIGITS;
  while (names.has(nameOf(hash, digits)) && digits < ID_DIGITS) digits += 1;
  return { id: `erased-${hash.slice(0, ID_DIGITS)}`, name: nameOf(hash, digits) };
}

function nameOf(hash: string, digits: number): string {
  return `Erased person ${hash.slice(0, digits)}`;
}

/** A word of JQL, with the text in its quotes. */
const queryWord = /"([^"]*)"|'([^']*)'|[\p{L}\p{N}_.:@-]+/gu;

/** Recognizes erased persons by the ids of their accounts, one hash for each id that is met. Nothing else of them is known. */
function byHash(erasures: readonly Erasure[], key: string): PersonReplacement {
  const byHash = new Map(
    erasures.flatMap(({ hash, logins, pseudonym }) =>
      [hash, ...logins].map((one) => [one, pseudonym] as const),
    ),
  );
  const byId = new Map(erasures.map(({ pseudonym }) => [pseudonym.id, pseudonym]));
  const known = new Map<string, Pseudonym | null>();
  function recognize(account: string): Pseudonym | null {
    const before = known.get(account);
    if (before !== undefined) return before;
    if (known.size >= MAX_KNOWN) known.clear();
    const pseudonym = byHash.get(hashOf(account, key)) ?? null;
    known.set(account, pseudonym);
    return pseudonym;
  }
  return {
    pseudonymOf: recognize,
    withId: (id) => byId.get(id) ?? null,
    textFor: () => null,
    inWords: (text, as) =>
      // A title has a name, which no hash is of.
      as === 'name'
        ? text
        : text.replace(queryWord, (all, double, single) => {
            const word = double ?? single ?? all;
            const pseudonym = /^\d*$/.test(word) ? null : recognize(word);
            return pseudonym === null ? all : `"${pseudonym.id}"`;
          }),
  };
}

/** Replaces one person everywhere: by accounts and words or, where no account is known any more, by the hash of it. */
export function byWords(erasure: Erasure, key: string, { accounts, texts }: KnownPerson): PersonReplacement {
  const own = new Set(accounts);
  const { pseudonym } = erasure;
  const ofHash = byHash([erasure], key);
  const other = new Set([...texts.filter((text) => !own.has(text)), pseudonym.name]);
  const words = wordsOf({ accounts, texts });
  return {
    pseudonymOf(account) {
      if (own.size === 0) return ofHash.pseudonymOf(account);
      return own.has(account) ? pseudonym : null;
    },
    withId: ofHash.withId,
    textFor: (text) => (other.has(text) ? pseudonym.name : null),
    inWords(text, as) {
      if (words === null) return text;
      const quote = as === 'id' ? '"' : '';
      return text.replace(words, () => quote + pseudonym[as] + quote);
    },
  };
}

/**
 * The expression that finds a person as whole words, perhaps in quotes; null where no words are known. Digits alone are
 * left out: they stand for many things.
 */
export function wordsOf({ accounts, texts }: KnownPerson): RegExp | null {
  const words = [...accounts, ...texts]
    .filter((word) => !/^\d*$/.test(word))
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (words.length === 0) return null;
  const any = words.join('|');
  return new RegExp(`(["'])(?:${any})\\1|(?<![\\p{L}\\p{N}_.@-])(?:${any})(?![\\p{L}\\p{N}_@-])`, 'giu');
}

/** The kind and the name of the secret that hashes of accounts are made with. */
const SECRET_KIND = 'secret';
export const PSEUDONYM_KEY = 'pseudonym-key';

/** The persons who were erased, as all that is written needs them: what the tracker sends again stays erased. */
export interface Erasures {
  /** The replacement at a word of an area's state, which a transaction has read; null while no one was erased, at no cost. */
  at(word: string): Promise<PersonReplacement | null>;
}

const listed = new FixedQuery((db: Queries, of: { tenant: string }) =>
  db
    .selectFrom('document')
    .select(['kind', 'document'])
    .where('tenant', '=', of.tenant)
    .where((row) => row.or([row('kind', '=', ERASURES), row.and({ kind: SECRET_KIND, id: PSEUDONYM_KEY })])),
);

/** Opens the persons of a tenant who were erased; they are read again where another one was. */
export function openErasures(
  engine: Engine,
  { tenant, secretKeys }: { readonly tenant: string; readonly secretKeys: SecretKeys | null },
): Erasures {
  let known: { readonly word: string; readonly replacement: PersonReplacement } | null = null;
  return {
    async at(word) {
      if (word === '') return null;
      if (known?.word === word) return known.replacement;
      const rows = await listed.all(engine.db, { tenant });
      const secret = rows.find(({ kind }) => kind === SECRET_KIND);
      if (secret === undefined) throw new Error('The secret of pseudonyms is missing.');
      const place = { tenant, name: PSEUDONYM_KEY };
      const erasures: readonly Erasure[] = rows.flatMap(({ kind, document }) =>
        kind === ERASURES ? [JSON.parse(document)] : [],
      );
      const replacement = byHash(erasures, openSecret(JSON.parse(secret.document), place, secretKeys));
      known = { word, replacement };
      return replacement;
    },
  };
}
