import { createIssueTerms, type termKinds, type WritableTerms } from '../packed/issue-terms.ts';
import { createIssuePacker, type PackIssue } from '../packed/pack-issue.ts';
import { createIssueUnpacker, type IssueUnpacker } from '../packed/unpack-issue.ts';
import type { Areas } from './areas.ts';
import { FixedQuery } from './engine.ts';
import type { Owner, Queries } from './tables.ts';

/** The terms of an owner's packed issues, and what packs and unpacks with them. */
export interface StoredTerms {
  readonly terms: WritableTerms;
  readonly unpacker: IssueUnpacker;
  readonly pack: PackIssue;
  /** Pack with the terms that were known before the present batch, to compare an issue as it was with what it is now. */
  readonly packThen: PackIssue;
  readonly packNow: PackIssue;
  /**
   * Makes sure that all terms are known of issues up to a revision, which were read before: they are stored with the first
   * issue that needs them.
   */
  upTo(db: Queries, revision: number): Promise<void>;
  /** From now on they are known up to this revision, whose terms were assigned here. */
  areKnown(revision: number): void;
}

/** One set of terms for all who pack or unpack them in a process, for as long as the database loses none of them. */
export interface TermsOfOwner {
  current(): Promise<StoredTerms>;
  /** The same for who knows the lineage of the database already. */
  ofLineage(lineage: string): StoredTerms;
}

type Ends = Readonly<Record<(typeof termKinds)[number], number>>;

/** A part for each kind, which has its own place in the index. */
const newTerms = new FixedQuery((db: Queries, of: { tenant: string; tracker: string } & Ends) => {
  const ofKind = (kind: keyof Ends) =>
    db
      .selectFrom('issue_term')
      .select(['kind', 'number', 'term'])
      .where((row) => row.and({ tenant: of.tenant, tracker: of.tracker, kind }))
      .where('number', '>=', of[kind]);
  const others = [ofKind('changed'), ofKind('value'), ofKind('fields')];
  return others.reduce((all, one) => all.unionAll(one), ofKind('text'));
});

/** Opens the terms of an owner; the area of its issues has the revision up to which terms are stored. */
export function openTerms(
  owner: Owner,
  areas: Pick<Areas, 'lineage' | 'revisionOf'>,
  area: string,
): TermsOfOwner {
  let known: { readonly lineage: string; readonly stored: StoredTerms } | null = null;

  function ofLineage(lineage: string): StoredTerms {
    // A number may be another term's in a database that has lost some; what was read before keeps its own.
    if (known?.lineage !== lineage) known = { lineage, stored: termsOf(owner, () => areas.revisionOf(area)) };
    return known.stored;
  }

  return { ofLineage, current: async () => ofLineage(await areas.lineage()) };
}

function termsOf([tenant, tracker]: Owner, current: () => Promise<number>): StoredTerms {
  const terms = createIssueTerms();
  let known = -1;
  return {
    terms,
    unpacker: createIssueUnpacker(terms),
    pack: createIssuePacker(terms),
    packThen: createIssuePacker(terms.known),
    packNow: createIssuePacker(terms.known),
    async upTo(db, revision) {
      if (revision <= known) return;
      const now = await current();
      const { end } = terms;
      const ends = { text: end('text'), changed: end('changed'), value: end('value'), fields: end('fields') };
      terms.take(await newTerms.all(db, { tenant, tracker, ...ends }));
      known = Math.max(known, revision, now);
    },
    areKnown(revision) {
      known = Math.max(known, revision);
    },
  };
}
