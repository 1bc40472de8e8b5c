import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { changesOf, contentOf } from '../../../src/model/issues/issue-fields.ts';
import {
  createIssueTerms,
  type StoredTerm,
  termKinds,
  type WritableTerms,
} from '../../../src/store/packed/issue-terms.ts';
import { createIssuePacker } from '../../../src/store/packed/pack-issue.ts';
import { fieldsOfRows, PackedIssue } from '../../../src/store/packed/packed-issue.ts';
import { createIssueUnpacker } from '../../../src/store/packed/unpack-issue.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { runs } from '../../support/soak.ts';

const elsewhere = (issue: Issue): Issue => ({ ...issue, key: 'ELSEWHERE-1' });

/** What comes again in another issue is packed otherwise than what comes first. */
const packedTwice = (issues: readonly Issue[]) => {
  const terms = createIssueTerms();
  const [pack, unpacker] = [createIssuePacker(terms), createIssueUnpacker(terms)];
  for (const issue of issues) pack(elsewhere(issue));
  return issues.map((issue) => new PackedIssue(Uint8Array.from(pack(issue)), unpacker));
};

test('an issue that was packed is the issue it was, whatever is odd about it', () => {
  fc.assert(
    fc.property(fc.array(anOddIssue, { minLength: 1, maxLength: 5 }), (issues) => {
      const packed = packedTwice(issues);
      expect(packed).toEqual(issues);
      expect(packed.map((issue) => ({ ...issue }))).toEqual(issues);
    }),
    { numRuns: runs(60) },
  );
});

test('what is absent stays absent, and fields stay in their order', () => {
  fc.assert(
    fc.property(fc.array(anOddIssue, { minLength: 1, maxLength: 5 }), (issues) => {
      for (const [i, packed] of packedTwice(issues).entries()) {
        const issue = issues[i];
        if (issue === undefined) throw new Error('There is one for each.');
        expect(Object.keys(packed).sort()).toEqual(Object.keys(issue).sort());
        expect(Object.entries(packed.fields)).toEqual(Object.entries(issue.fields));
        expect(JSON.parse(JSON.stringify(packed))).toEqual(JSON.parse(JSON.stringify(issue)));
      }
    }),
    { numRuns: runs(60) },
  );
});

test('single fields and the changes of one field are told as among all', () => {
  fc.assert(
    fc.property(fc.array(anOddIssue, { minLength: 1, maxLength: 5 }), (issues) => {
      for (const [i, packed] of packedTwice(issues).entries()) {
        const issue = issues[i];
        if (issue === undefined) throw new Error('There is one for each.');
        const names = [...Object.keys(issue.fields), ...issue.changes.map(({ field }) => field), 'missing'];
        for (const field of names) {
          expect(changesOf(packed, field)).toEqual(changesOf(issue, field));
          expect(contentOf(packed, field)).toEqual(contentOf(issue, field));
        }
        // Once all are unpacked, single ones are taken from among them.
        expect(packed.changes).toEqual(issue.changes);
        expect(packed.fields).toEqual(issue.fields);
        for (const field of names) {
          expect(changesOf(packed, field)).toEqual(changesOf(issue, field));
          expect(contentOf(packed, field)).toEqual(contentOf(issue, field));
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

test('fields of a packed issue are read one by one, in any order, as they are in the whole one', () => {
  fc.assert(
    fc.property(fc.array(anOddIssue, { minLength: 1, maxLength: 5 }), fc.nat(), (issues, from) => {
      const terms = createIssueTerms();
      const [pack, unpacker] = [createIssuePacker(terms), createIssueUnpacker(terms)];
      for (const issue of issues) pack(elsewhere(issue));
      const fields = issues.flatMap((issue) => [
        ...Object.keys(issue.fields),
        ...issue.changes.map(({ field }) => field),
        'missing',
      ]);
      const packed = issues.map((issue, id) => ({ id, revision: 0, packed: Uint8Array.from(pack(issue)) }));
      fieldsOfRows(packed, unpacker, (rows) => {
        const all = rows.map(({ issue }) => issue);
        // One after the other, so that what is read of one disturbs nothing of another.
        for (const i of fields.keys()) {
          const field = fields[(i + from) % fields.length] ?? '';
          for (const [at, read] of all.entries()) {
            const issue = issues[at];
            if (issue === undefined) throw new Error('There is one for each.');
            expect(changesOf(read, field)).toEqual(changesOf(issue, field));
            expect(contentOf(read, field)).toEqual(contentOf(issue, field));
            const { id, key, project, summary, created, updated, history } = issue;
            expect([read.id, read.key, read.project, read.summary]).toEqual([id, key, project, summary]);
            expect([read.created, read.updated, read.history]).toEqual([created, updated, history]);
            const next = fields[(i + from + 1) % fields.length] ?? '';
            expect(changesOf(read, field)).toEqual(changesOf(issue, field));
            expect(all[(at + 1) % all.length]?.key).toBe(issues[(at + 1) % all.length]?.key);
            expect(changesOf(read, next)).toEqual(changesOf(issue, next));
          }
        }
      });
    }),
    { numRuns: runs(30) },
  );
});

test('what others have packed since reads as it was, and so does what was packed before', () => {
  fc.assert(
    fc.property(fc.array(anOddIssue, { minLength: 1, maxLength: 4 }), fc.nat(5), (issues, broken) => {
      const stored: StoredTerm[] = [];
      const [here, there] = [createIssueTerms(), createIssueTerms()];
      const catchUp = (terms: WritableTerms) => {
        const ends = new Map(termKinds.map((kind): [string, number] => [kind, terms.end(kind)]));
        terms.take(stored.filter(({ kind, number }) => number >= (ends.get(kind) ?? 0)));
      };
      const all: { readonly issue: Issue; readonly bytes: Uint8Array }[] = [];
      // In turns, twice each, so that both give out terms the other needs.
      for (const [i, issue] of [...issues, ...issues.map(elsewhere), ...issues].entries()) {
        for (const terms of i % 2 === 0 ? [here, here, there] : [there, there, here]) {
          catchUp(terms);
          terms.begin();
          all.push({ issue, bytes: Uint8Array.from(createIssuePacker(terms)(issue)) });
          stored.push(...terms.assigned());
        }
        if (i !== broken) continue;
        // A transaction that fails: what it assigned is another's to assign.
        catchUp(here);
        here.begin();
        for (const one of issues.toReversed()) createIssuePacker(here)(one);
        here.unassign();
      }
      const fresh = createIssueTerms();
      for (const terms of [here, there, fresh]) {
        catchUp(terms);
        const unpacker = createIssueUnpacker(terms);
        for (const { issue, bytes } of all) expect(new PackedIssue(bytes, unpacker)).toEqual(issue);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('issues that are the same are the same bytes where no term is new, others are not', () => {
  fc.assert(
    fc.property(anOddIssue, anOddIssue, (issue, other) => {
      const terms = createIssueTerms();
      const [pack, packKnown] = [createIssuePacker(terms), createIssuePacker(terms.known)];
      const first = new PackedIssue(Uint8Array.from(pack(issue)), createIssueUnpacker(terms));
      const bytes = (one: Issue) => Buffer.from(packKnown(one)).toString('hex');
      for (const one of [issue, other]) pack(elsewhere(one));
      expect(bytes(first)).toBe(bytes(issue));
      expect(bytes(other) === bytes(issue)).toBe(isDeepStrictEqual(other, issue));
    }),
    { numRuns: runs(60) },
  );
});
