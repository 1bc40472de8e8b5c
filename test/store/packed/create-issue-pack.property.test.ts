import fc from 'fast-check';
import { expect, test } from '#jest';
import { changesOf, contentOf } from '../../../src/issues/issue-fields.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { createIssuePack } from '../../../src/store/packed/create-issue-pack.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { runs } from '../../support/soak.ts';

/** Twice, for what comes again is packed otherwise than what comes first. */
const packedTwice = (issues: readonly Issue[]) => {
  const pack = createIssuePack();
  for (const issue of issues) pack.add(issue);
  return issues.map((issue) => pack.add(issue));
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
        const asked = [...Object.keys(issue.fields), ...issue.changes.map(({ field }) => field), 'missing'];
        for (const field of asked) {
          expect(changesOf(packed, field)).toEqual(changesOf(issue, field));
          expect(contentOf(packed, field)).toEqual(contentOf(issue, field));
        }
        // Once all are unpacked, single ones are taken from among them.
        expect(packed.changes).toEqual(issue.changes);
        expect(packed.fields).toEqual(issue.fields);
        for (const field of asked) {
          expect(changesOf(packed, field)).toEqual(changesOf(issue, field));
          expect(contentOf(packed, field)).toEqual(contentOf(issue, field));
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

test('what was dropped is cleared away, and what stays reads as before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anOddIssue, fc.boolean()), { minLength: 1, maxLength: 40 }),
      async (told) => {
        const pack = createIssuePack();
        const all = told.map(([issue, stays]) => ({ issue, stays, packed: pack.add(issue) }));
        const kept = all.filter(({ stays }) => stays);
        for (const { packed, stays } of all) if (!stays) pack.drop(packed);
        const { garbage, all: before } = pack.bytes();
        await pack.compact(kept.map(({ packed }) => packed));
        expect(all.map(({ packed }) => packed)).toEqual(all.map(({ issue }) => issue));
        const isWorthIt = garbage * 4 > before;
        expect(pack.bytes()).toEqual({
          all: isWorthIt ? before - garbage : before,
          garbage: isWorthIt ? 0 : garbage,
        });
      },
    ),
    { numRuns: runs(60) },
  );
});
