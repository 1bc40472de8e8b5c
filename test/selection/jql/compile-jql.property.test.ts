import fc from 'fast-check';
import { expect, test } from '#jest';
import { ASK } from '../../../src/engine/columns/row-predicates.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { runs } from '../../support/soak.ts';
import { aWorld } from './a-world.ts';
import {
  aCutIssue,
  aQuestion,
  aTime,
  aTrueIssue,
  aZone,
  directory,
  wellTravelled,
} from './arbitrary-question.ts';
import { answerOf, columnTruth } from './ask.ts';
import { definedAnswer } from './defined-answer.ts';

const QUESTIONS = runs(480);
const QUESTIONS_OF_CUT = runs(480);

const anyIssue = fc.oneof(
  aTrueIssue,
  aCutIssue.map(({ cut }) => cut),
);

/** Asked while the history runs, or after its end. */
const aNow = fc.oneof(aTime, fc.constant(Date.parse('2026-04-10T10:07:00Z')));

test('every question is answered as it is defined', () => {
  const answers = { yes: 0, no: 0, unknown: 0 };
  const rows = { shown: 0, loaded: 0 };
  fc.assert(
    fc.property(
      aQuestion,
      fc.array(anyIssue, { minLength: 1, maxLength: 4 }),
      aNow,
      aZone,
      (jql, some, now, timeZone) => {
        const issues = some.map((issue, i) => ({ ...issue, key: `WEB-${i}` }));
        const facts = {
          issues: [wellTravelled, ...issues],
          now: new Date(now).toISOString(),
          timeZone,
          directory,
        };
        const world = aWorld(facts);
        const query = compileJql(jql, world);
        for (const issue of issues) {
          const answer = answerOf(issue, query, world);
          answers[answer] += 1;
          rows[columnTruth(issue, query, world) === ASK ? 'loaded' : 'shown'] += 1;
          expect(answer).toBe(definedAnswer(jql, issue, world));
        }
      },
    ),
    { numRuns: QUESTIONS, seed: 20260320 },
  );
  // All three answers have to come up often for the comparison to mean something.
  expect(Math.min(...Object.values(answers))).toBeGreaterThan(QUESTIONS / 6);
  expect(rows.shown).toBeGreaterThan(rows.loaded);
});

test('what is answered of a cut history is true of the whole one', () => {
  let decided = 0;
  fc.assert(
    fc.property(aQuestion, aCutIssue, aNow, aZone, (jql, { truth, cut }, now, timeZone) => {
      const facts = { now: new Date(now).toISOString(), timeZone, directory };
      const answerIn = (issue: Issue) => {
        const world = aWorld({ ...facts, issues: [wellTravelled, issue] });
        return answerOf(issue, compileJql(jql, world), world);
      };
      const answer = answerIn(cut);
      if (answer === 'unknown') return;
      decided += 1;
      expect(answer).toBe(answerIn(truth));
    }),
    { numRuns: QUESTIONS_OF_CUT, seed: 20260321 },
  );
  expect(decided).toBeGreaterThan(QUESTIONS_OF_CUT * 0.4);
});
