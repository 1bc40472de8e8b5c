import { z } from 'zod';
import { expect, test } from '#jest';
import { factMembers, inputOf } from '../../../src/api/answers/document.ts';
import { kindOf } from '../../../src/api/answers/index.ts';
import type { Answer } from '../../../src/model/answer.ts';
import {
  aCompareAnswer,
  aFinishedAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  anIssueAnswer,
  aSummaryAnswer,
  aWeeklyAnswer,
} from '../../support/an-answer.ts';

const aging = anAging([anAgingIssue('WEB-1', 30)]);
const answers: readonly Answer[] = [
  ...[aWeeklyAnswer(), anAgingAnswer(aging), aMineAnswer(aging), aCompareAnswer()],
  ...[aSummaryAnswer(), anIssueAnswer(), aFinishedAnswer()],
];

const named = answers.map((answer) => [answer.question.kind, answer] as const);

test.each(named)('the JSON of %s begins with its facts, and holds no rights', (_, answer) => {
  const kind = kindOf(answer.question);
  const document = z
    .object({ ...factMembers, ...kind.document?.schema.shape })
    .parse(inputOf(kind, answer.value));
  expect(Object.keys(document).slice(0, Object.keys(factMembers).length)).toEqual(Object.keys(factMembers));
  const text = JSON.stringify(document);
  for (const name of ['principal', 'contents', 'dependsOnPrincipal', 'ownScope', 'isOwn', 'provenance'])
    expect([name, text.includes(`"${name}"`)]).toEqual([name, false]);
});

test.each(named)(
  'each figure of %s that can be explained is called as the member that holds it',
  (_, answer) => {
    const kind = kindOf(answer.question);
    const schema = JSON.stringify(z.toJSONSchema(kind.document?.schema ?? z.object({}), { io: 'output' }));
    const ids = kind.figures(answer.value).map(({ id }) => id.split(':'));
    expect(ids.length).toBeGreaterThan(0);
    for (const [member = '', which = ''] of ids) {
      expect([member, schema.includes(`"${member}":{`)]).toEqual([member, true]);
      if (member === 'cycleTime') expect([which, schema.includes(`"${which}":{`)]).toEqual([which, true]);
    }
  },
);
