import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { answerView } from '../../../src/slack/answers/answer-view.ts';
import { anIssueAnswer, aRun, officeHours, provenanceOf } from '../../support/an-answer.ts';

const at = Date.parse('2026-11-18T12:00:00Z');

const privately = (answer: Answer) =>
  answerView(answer, {
    place: 'private',
    run: aRun(answer.question),
    part: { start: 0, size: 10 },
    sharedBy: null,
    timeZone: 'UTC',
  });
const headline = (answer: Answer) => JSON.stringify(privately(answer).message.blocks[0]);

test('an issue says what it is doing now before anything else', () => {
  expect(headline(anIssueAnswer())).toContain(
    '*WEB-1* Basket loses its items\\n*Doing* for *1d*, since <!date^1794916800^{date_short_pretty} at {time}|2026-11-17 12:00 UTC>, with *Ada*.',
  );
});

test('the text tells every status, so that nobody needs the blocks', () => {
  expect(privately(anIssueAnswer()).message.text).toBe(
    'WEB-1 Basket loses its items. Doing for 1d, since 2026-11-17 12:00 UTC, with Ada. To Do 3d (1 visit, 75 %); Doing (now) 1d (1 visit, 25 %); Total 4d (2 visits, 100 %). Calendar 24/7 · as of 2026-11-18 12:00 UTC · sample data · history complete.',
  );
});

test('in office hours a day is a working day, and the answer says so', () => {
  const answer = anIssueAnswer({
    statuses: [
      {
        status: 'Doing',
        category: 'In Progress',
        visits: 1,
        ms: 20 * millisecondsInHour,
        share: 1,
        now: true,
      },
    ],
    totalMs: 20 * millisecondsInHour,
    provenance: provenanceOf(1, { calendar: officeHours }),
  });
  expect(privately(answer).message.text).toContain('Doing (now) 2d 4h');
  expect(privately(answer).message.text).toContain('1d is a working day of 8h');
});

test('names from the tracker cannot be mistaken for marks of Slack', () => {
  const answer = anIssueAnswer({
    summary: '<!channel> & <https://evil.example|click>',
    assignee: '<@U1>',
  });
  expect(headline(answer)).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
  expect(headline(answer)).toContain('*&lt;@U1&gt;*');
  expect(privately(answer).message.text).not.toMatch(/<[!@h]/);
});

test('the key leads to the issue where the tracker tells its address', () => {
  expect(headline(anIssueAnswer({ link: 'https://tracker.example/browse/WEB-1' }))).toContain(
    '*<https://tracker.example/browse/WEB-1|WEB-1>*',
  );
});

test('an address cannot end the mark it stands in', () => {
  expect(headline(anIssueAnswer({ link: 'https://tracker.example/?a=1|<!here>' }))).toContain(
    '*<https://tracker.example/?a=1%7C%3C!here%3E|WEB-1>*',
  );
});

test('a cut history is a line of the table, a warning, and part of the text', () => {
  const { message } = privately(
    anIssueAnswer({
      history: {
        complete: false,
        unknownFrom: null,
        unknownUntil: at - 3_000_000,
        reason: 'only 2 of 9 entries',
      },
      unknown: { from: at - 4_000_000, until: at - 3_000_000, ms: 1_000_000, share: 0.25 },
    }),
  );
  expect(JSON.stringify(message.blocks)).toContain(
    ':warning: History cut before <!date^1795000200^{date_short_pretty} at {time}|2026-11-18 11:10 UTC>: only 2 of 9 entries',
  );
  expect(message.text).toContain('History cut before 2026-11-18 11:10 UTC: only 2 of 9 entries.');
  expect(message.text).toContain('Unknown 16m 40s (– visits, 25 %)');
  expect(message.text).toContain('history not complete');
});

test('a change that contradicts the state before it is told', () => {
  expect(privately(anIssueAnswer({ contradictions: 2 })).message.text).toContain(
    'History complete (it contradicts itself at 2 steps).',
  );
});

test('where nothing is known, nothing is made up', () => {
  const { text } = privately(
    anIssueAnswer({ current: null, statusNow: null, assignee: null, statuses: [], totalMs: 0 }),
  ).message;
  expect(text).toContain('Its status now is not known, nobody assigned.');
  expect(text).not.toContain('Total');
});
