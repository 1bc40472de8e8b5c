import type { Erasure } from '../../../model/erasure.ts';
import { byHash } from '../../persons/pseudonyms.ts';
import type { PersonReplacement } from '../../persons/replace-person.ts';
import { openSecret, type SecretKeys } from '../../sealed-secrets.ts';
import { ERASURES } from '../areas.ts';
import { type Engine, FixedQuery } from '../engine.ts';
import type { Queries } from '../tables.ts';

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
