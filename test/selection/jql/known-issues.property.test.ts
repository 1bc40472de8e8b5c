import fc from 'fast-check';
import { expect, test } from '#jest';
import { isVisible, sees, type Visibility } from '../../../src/engine/columns/visibility.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { FieldContent, FieldValue, Issue } from '../../../src/model/issue.ts';
import { changesOf, contentOf, projectKeyOf } from '../../../src/model/issues/issue-fields.ts';
import { MentionCodes } from '../../../src/model/issues/single-mentions.ts';
import { splitValue } from '../../../src/model/issues/value-sets.ts';
import type { Naming, RedactContent } from '../../../src/selection/jql/jql.ts';
import { knownIssues } from '../../../src/selection/jql/known-issues.ts';
import { nameAll } from '../../../src/selection/jql/values.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { runs } from '../../support/soak.ts';
import { aCutIssue } from './arbitrary-question.ts';

const aWorld = fc.record({
  issues: fc
    .array(
      fc.record({
        issue: fc.oneof(
          anOddIssue,
          aCutIssue.map(({ cut }) => cut),
        ),
        project: fc.constantFrom('WEB', 'HR', 'web'),
        level: fc.constantFrom(null, { id: '7', name: 'Seven' }),
        reporter: fc.constantFrom({ id: 'ada', name: 'Ada' }, null),
      }),
      { maxLength: 12 },
    )
    .map((some) =>
      some.map(
        ({ issue, project, level, reporter }, i): Issue => ({
          ...issue,
          key: i % 5 === 4 ? `${project}-0${i}` : `${project}-${i}`,
          project: { id: project, name: `The ${project}` },
          fields: { ...issue.fields, security: level, reporter },
        }),
      ),
    ),
  seen: fc.array(fc.constantFrom(...Object.values(sees)), { minLength: 6, maxLength: 6 }),
  singles: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  all: fc.boolean(),
  hides: fc.boolean(),
});

/** The words of a naming, and their order where people see it. */
function plainNaming({ byName, byId, names }: Naming): unknown {
  const plain = (map: Naming['byId']) => [...map].map(([word, ids]) => [word, [...ids].sort()]);
  return { byName: plain(byName).sort(), byId: plain(byId).sort(), names };
}

function valuesIn(content: FieldContent | undefined): readonly FieldValue[] {
  if (content === undefined || content === null || typeof content !== 'object') return [];
  return 'length' in content ? content : [content];
}

test('what is known is what the issues that can be seen mention, in the order in which they were created', async () => {
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ issues, seen, singles, all, hides }) => {
      const table = tableOf(issues);
      const { columns } = table;
      const visibility: Visibility = {
        classes: Uint8Array.from(seen),
        singles: new Set(singles.filter((row) => row < issues.length)),
        reporters: new Set([columns.values('reporter').find({ id: 'ada', name: 'Ada' })]),
        assignees: new Set(),
        account: null,
        all,
        key: '',
      };
      const rows = [...columns.rowsByCreation()].filter((row) =>
        isVisible(columns.arrays(), row, visibility),
      );
      const visible = rows.flatMap((row) => issues[row] ?? []);
      const codes = new MentionCodes();
      const single = codes.collect();
      const { accessClass } = columns.arrays();
      for (const row of rows) {
        const isWhole = all || visibility.classes[accessClass[row] ?? 0] === sees.everything;
        const issue = issues[row];
        if (!isWhole && issue !== undefined) single.add(codes.codesOf(issue));
      }
      const newest = () => Uint32Array.from(rows).reverse();
      const known = knownIssues(columns, visibility, newest, single.mentions());
      const redact: RedactContent | undefined = hides
        ? (content) =>
            content === null || typeof content !== 'object' || 'length' in content ? content : null
        : undefined;
      const fields = new Set(issues.flatMap((issue) => Object.keys(issue.fields)));
      for (const field of [...fields, 'nothing', 'status']) {
        await table.hold(field);
        const contents = visible
          .map((issue) => contentOf(issue, field) ?? null)
          .map((one) => redact?.(one) ?? (redact ? null : one));
        const { today, former, lists, numbers, texts, values } = known.observed(field, redact);
        const now = new Map(contents.flatMap(valuesIn).map((one) => [`${one.id}\n${one.name}`, one]));
        expect(plainNaming(today)).toEqual(plainNaming(nameAll(now.values())));
        expect(lists).toBe(contents.some((one) => Array.isArray(one) && one.length > 0));
        expect(numbers).toBe(contents.some((one) => typeof one === 'number'));
        expect(values).toBe(now.size > 0);
        expect([...texts]).toEqual([
          ...new Set(contents.filter((one) => typeof one === 'string' && one !== '')),
        ]);
        const once = visible
          .flatMap((issue) => changesOf(issue, field))
          .flatMap(({ from, to }) => [from, to])
          .flatMap((one) => valuesIn(redact === undefined ? one : one && redact(one)));
        const plain = numbers || texts.size > 0;
        const elements = lists ? once.flatMap((one) => splitValue(one)) : once;
        expect({ ...Object(plainNaming(former)), names: [] }).toEqual({
          ...Object(plainNaming(nameAll(plain ? [] : elements))),
          names: [],
        });
      }
      const authors = visible.flatMap(({ changes }) => changes.flatMap(({ by }) => by ?? []));
      expect([...known.authors().byId.values()].flatMap((ids) => [...ids]).sort()).toEqual(
        [...new Set(authors)].sort(),
      );
      expect([...known.fieldIds()].sort()).toEqual(
        [...new Set(visible.flatMap((issue) => Object.keys(issue.fields)))].sort(),
      );
      expect(known.projects().byKey.names.map((key) => key.toLowerCase())).toEqual([
        ...new Set(visible.map((issue) => projectKeyOf(issue).toLowerCase())),
      ]);
      for (const key of [
        'WEB-1',
        'WEB-04',
        'HR-2',
        'WEB-99',
        'WEB',
        ...issues.map((one) => one.key.toUpperCase()),
      ]) {
        const found = known.rowsOfKey(key).map((row) => columns.keyOf(row));
        expect(found.sort()).toEqual(
          visible
            .map((issue) => issue.key)
            .filter((one) => one.toUpperCase() === key)
            .sort(),
        );
      }
    }),
    { numRuns: runs(150) },
  );
});
