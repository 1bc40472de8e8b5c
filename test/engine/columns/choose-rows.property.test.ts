import fc from 'fast-check';
import { expect, test } from '#jest';
import { addRowFacts, chooseInPlace, joinChosen, noFacts } from '../../../src/engine/columns/choose-rows.ts';
import { ASK, NO, type RowPredicate, UNKNOWN, YES } from '../../../src/engine/columns/row-predicates.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { anIssue } from '../../support/issue-story.ts';
import { runs } from '../../support/soak.ts';

const day = (at: number) => Date.parse('2026-03-01T09:00:00Z') + at * 86_400_000;
const asOf = day(20);

/** Some rows, some of them with cut histories, some created after `asOf`. */
const someColumns = fc
  .array(
    fc.record({
      project: fc.constantFrom('WEB', 'OPS', 'HR'),
      created: fc.integer({ min: 0, max: 24 }),
      isCut: fc.boolean(),
    }),
    { maxLength: 24 },
  )
  .map((records) => {
    const issues = records.map(({ project, created, isCut }, i) => {
      const story = anIssue(`${project}-${i + 1}`, new Date(day(created)).toISOString());
      return (
        isCut
          ? story.historyIs({ complete: false, unknownFrom: null, unknownUntil: null, reason: 'limit' })
          : story
      ).issue;
    });
    return tableOf(issues).columns;
  });

const aTruth = fc.constantFrom(NO, UNKNOWN, YES);
const aLeaf: fc.Arbitrary<RowPredicate> = fc.oneof(
  aTruth.map((truth) => ({ kind: 'constant', truth }) as const),
  fc.constant({ kind: 'ask' } as const),
  fc
    .array(fc.constantFrom(NO, UNKNOWN, YES, ASK), { minLength: 1, maxLength: 3 })
    .map((truths) => ({ kind: 'project', truths: Uint8Array.from(truths) }) as const),
  fc.tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 24 })).map(([from, until]) => ({
    ...({ kind: 'instant', column: 'created', empty: NO } as const),
    ...{ from: day(from), until: day(until) },
  })),
);
const { predicate: aPredicate } = fc.letrec<{ predicate: RowPredicate }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    aLeaf,
    tie('predicate').map((of) => ({ kind: 'not', of }) as const),
    fc.record({ kind: fc.constantFrom('all', 'any'), of: fc.array(tie('predicate'), { maxLength: 4 }) }),
  ),
}));

type Range = readonly [least: number, greatest: number];

/** The least and the greatest truth a predicate may turn out to have for a row, found part by part. */
function rangeOf(predicate: RowPredicate, row: number, arrays: ReturnType<typeof arraysOf>): Range {
  const either: Range = [NO, YES];
  switch (predicate.kind) {
    case 'constant':
      return [predicate.truth, predicate.truth];
    case 'project': {
      const truth = predicate.truths[arrays.project[row] ?? 0] ?? ASK;
      return truth === ASK ? either : [truth, truth];
    }
    case 'instant': {
      const at = arrays.created[row] ?? 0;
      const truth = at >= predicate.from && at < predicate.until ? YES : NO;
      return [truth, truth];
    }
    case 'not': {
      const [least, greatest] = rangeOf(predicate.of, row, arrays);
      return [YES - greatest, YES - least];
    }
    case 'all':
    case 'any': {
      const parts = predicate.of.map((one) => rangeOf(one, row, arrays));
      const [join, none] = predicate.kind === 'all' ? [Math.min, YES] : [Math.max, NO];
      return [
        join(none, ...parts.map(([least]) => least)),
        join(none, ...parts.map(([, greatest]) => greatest)),
      ];
    }
    default:
      return either;
  }
}

const arraysOf = ({ arrays }: { arrays(): ReturnType<ReturnType<typeof tableOf>['columns']['arrays']> }) =>
  arrays();

test('rows are chosen as each part of a predicate decides, however they are divided', () => {
  fc.assert(
    fc.property(
      someColumns,
      aPredicate,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
      (columns, predicate, cuts) => {
        const arrays = columns.arrays();
        const rows = columns.rowsByCreation().toReversed();
        const expected = Array.from(rows, (row) => {
          if ((arrays.created[row] ?? 0) > asOf) return NO;
          const [least, greatest] = rangeOf(predicate, row, arrays);
          return least === greatest ? least : ASK;
        });
        const own = rows.slice();
        const bounds = [
          0,
          ...cuts.map((cut) => Math.floor(cut * rows.length)).sort((a, b) => a - b),
          rows.length,
        ];
        const parts = bounds.slice(1).map((to, i) => {
          const from = bounds[i] ?? 0;
          return { from, chosen: chooseInPlace(predicate, arrays, own.subarray(from, to), asOf) };
        });
        const rowsOf = (truth: number) => rows.filter((_, i) => expected[i] === truth);
        const facts = noFacts();
        addRowFacts(facts, rowsOf(YES), arrays);
        expect(joinChosen(own, parts)).toEqual({
          ...{ rows: rowsOf(YES), needsIssue: rowsOf(ASK), facts },
          unknown: rowsOf(UNKNOWN).length,
        });
      },
    ),
    { numRuns: runs(500) },
  );
});
