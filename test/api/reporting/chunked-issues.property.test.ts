import fc from 'fast-check';
import { expect, test } from '#jest';
import { rightsOf } from '../../../src/api/access-rules.ts';
import { knownFields } from '../../../src/api/reporting/field-columns.ts';
import { issuesByKey } from '../../../src/api/reporting/issue-keys-in.ts';
import { askerVocabulary, visibleIssues } from '../../../src/api/reporting/scene.ts';
import { findIssue, joinChunks } from '../../../src/issues/issue-chunks.ts';
import { authorsIn, metIn } from '../../../src/jql/field-contents.ts';
import { browsableOf } from '../../../src/mirror/sights.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { Issue, Status } from '../../../src/model/issue.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { runs } from '../../support/soak.ts';

const asker = { user: 'ada', admin: false };
const directory = {
  ...emptyDirectory,
  access: [
    { kind: 'project' as const, id: 'HR', viewers: ['bob'] },
    { kind: 'level' as const, id: '7', viewers: ['ada'] },
  ],
  sight: null,
};
const statuses = new Map<string, Status>();
const users = new Map([
  ['ada', { id: 'ada', name: 'Ada' }],
  ['Ada', { id: 'Ada', name: 'Ada' }],
]);

const person = fc.constantFrom({ id: 'ada', name: 'Ada' }, { id: 'bob', name: 'Bob' }, null);

/** Issues of several projects and levels, odd in whatever else they hold. */
const someIssues: fc.Arbitrary<readonly Issue[]> = fc
  .array(
    fc.record({
      odd: anOddIssue,
      project: fc.constantFrom('WEB', 'HR', 'OPS'),
      level: fc.constantFrom(null, { id: '7', name: 'Seven' }, { id: '8', name: 'Eight' }),
      reporter: person,
    }),
    { maxLength: 10 },
  )
  .map((some) =>
    some.map(({ odd, project, level, reporter }, i) => ({
      ...odd,
      key: `${project}-${i + 1}`,
      fields: { ...odd.fields, security: level, reporter },
    })),
  );

/** The issues as one array and as one that was made of chunks; some of them have been looked at before. */
const twice = fc
  .record({ issues: someIssues, cuts: fc.array(fc.nat(10), { maxLength: 4 }) })
  .map(({ issues, cuts }) => {
    const bounds = [
      0,
      ...cuts.map((cut) => Math.min(cut, issues.length)).sort((a, b) => a - b),
      issues.length,
    ];
    const chunks = bounds.flatMap((from, i) => {
      const chunk = issues.slice(from, bounds[i + 1] ?? from);
      return chunk.length === 0 ? [] : [chunk];
    });
    return { whole: [...issues], older: joinChunks(chunks.slice(1)), chunked: joinChunks(chunks) };
  });

test('an asker sees the same, and knows of the same, however the issues are cut', async () => {
  await fc.assert(
    fc.asyncProperty(twice, async ({ whole, older, chunked }) => {
      await visibleIssues(older, asker, directory);
      const visible = await visibleIssues(chunked, asker, directory);
      expect(visible).toEqual(whole.filter(rightsOf(asker, directory)));
      expect(await visibleIssues(chunked, asker, directory)).toBe(visible);
      const alone = [...visible];
      const everything = { statuses, users, directory };
      expect(askerVocabulary(asker, everything, { visible, some: true })).toEqual(
        askerVocabulary(asker, everything, { visible: alone, some: true }),
      );
    }),
    { numRuns: runs(40) },
  );
});

test('fields, values and what may be browsed are the same, in the same order, however the issues are cut', async () => {
  await fc.assert(
    fc.asyncProperty(twice, async ({ whole, older, chunked }) => {
      const fields = [
        ...new Set(['security', 'reporter', 'status', ...whole.flatMap(({ fields }) => Object.keys(fields))]),
      ];
      for (const field of fields) metIn(older, field);
      for (const field of fields) expect(tell(metIn(chunked, field))).toEqual(tell(metIn(whole, field)));
      expect(tell(authorsIn(chunked))).toEqual(tell(authorsIn(whole)));
      const known = knownFields(chunked);
      const fresh = knownFields(whole);
      expect([[...known.contents], [...known.changed]]).toEqual([[...fresh.contents], [...fresh.changed]]);
      for (const field of fields) expect(known.kindOf(field)).toBe(fresh.kindOf(field));
      const listed = (issues: readonly Issue[]) => {
        const { projects, singles, unlevelled, lastId } = browsableOf(issues);
        const single = ({ likeness, ...one }: (typeof singles)[number]) => ({ ...one, likeness: likeness() });
        const open = projects.map((key) => [...unlevelled(key)].map(single));
        return { projects, singles: singles.map(single), lastId, open };
      };
      expect(listed(chunked)).toEqual(listed(whole));
    }),
    { numRuns: runs(40) },
  );
});

test('issues are found by key, in the order of the keys, however they are cut', () => {
  fc.assert(
    fc.property(twice, fc.array(fc.nat(12)), ({ whole, chunked }, numbers) => {
      const keys = ['NONE-1', ...numbers.map((number) => whole[number]?.key ?? 'WEB-99')];
      const expected = keys.flatMap((key) => whole.filter((issue) => issue.key === key));
      expect(issuesByKey(keys, chunked)).toEqual(expected);
      expect(issuesByKey(keys, whole)).toEqual(expected);
      for (const key of keys)
        expect(findIssue(chunked, key)?.key ?? null).toBe(whole.find((one) => one.key === key)?.key ?? null);
    }),
    { numRuns: runs(40) },
  );
});

/** With the order in which things are told. */
function tell(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, one]) => [key, tell(one)]);
  if (value instanceof Set) return [...value];
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).map(([key, one]) => [key, tell(one)]);
  }
  return value;
}
