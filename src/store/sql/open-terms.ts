import { createIssueTerms, type termKinds, type WritableTerms } from '../packed/issue-terms.ts';
import { FixedQuery } from './engine.ts';
import type { Owner, Queries } from './tables.ts';

/** The terms of an owner's packed issues: one set for all who pack or unpack them in a process. */
export interface StoredTerms {
  readonly terms: WritableTerms;
  /**
   * Makes sure that all terms are known of issues up to a revision, which were read before: they are stored with the first
   * issue that needs them.
   */
  upTo(db: Queries, revision: number): Promise<void>;
  /** From now on they are known up to this revision, whose terms were assigned here. */
  areKnown(revision: number): void;
}

type Ends = Readonly<Record<(typeof termKinds)[number], number>>;

/** A part for each kind, which has its own place in the index. */
const rest = new FixedQuery((db: Queries, of: { tenant: string; tracker: string } & Ends) => {
  const ofKind = (kind: keyof Ends) =>
    db
      .selectFrom('issue_term')
      .select(['kind', 'number', 'term'])
      .where((row) => row.and({ tenant: of.tenant, tracker: of.tracker, kind }))
      .where('number', '>=', of[kind]);
  const others = [ofKind('changed'), ofKind('value'), ofKind('fields')];
  return others.reduce((all, one) => all.unionAll(one), ofKind('text'));
});

/** Opens the terms of an owner; `current` returns the revision of the issues, whose terms are all stored. */
export function openTerms([tenant, tracker]: Owner, current: () => Promise<number>): StoredTerms {
  const terms = createIssueTerms();
  let known = -1;
  return {
    terms,
    async upTo(db, revision) {
      if (revision <= known) return;
      const now = await current();
      const { end } = terms;
      const ends = { text: end('text'), changed: end('changed'), value: end('value'), fields: end('fields') };
      terms.take(await rest.all(db, { tenant, tracker, ...ends }));
      known = Math.max(known, revision, now);
    },
    areKnown(revision) {
      known = Math.max(known, revision);
    },
  };
}
