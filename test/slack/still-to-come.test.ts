import { expect, test } from '#jest';
import type { Coverage } from '../../src/model/delegation.ts';
import { stillToCome } from '../../src/slack/delegations/still-to-come.ts';
import { aDelegation } from '../support/a-delegation.ts';

const at = (day: number) => Date.parse(`2026-03-${String(day).padStart(2, '0')}T00:00:00Z`);
const between = (from: number, until: number) => ({ from: at(from), until: at(until) });
const about = { person: 'ada', categoryId: null };
const ends = (day: number) => aDelegation('ada').to('bob').until(`2026-03-0${day}T09:00Z`).delegation;
const week: Coverage = {
  span: between(2, 9),
  delegations: [ends(4), ends(6)],
  uncovered: [between(2, 3), between(3, 6)].map((span) => ({ ...about, reason: 'gap', ...span })),
  awayToo: [between(2, 5), between(2, 7)].map((span) => ({
    ...about,
    delegate: 'bob',
    standIns: [],
    ...span,
  })),
  ending: [ends(4), ends(6)],
};

test('of a week that runs nothing is warned of that is over', () => {
  const [, uncovered] = week.uncovered;
  const [, awayToo] = week.awayToo;
  const [, ending] = week.ending;
  expect(stillToCome(week, at(5))).toEqual({
    ...week,
    uncovered: [uncovered],
    awayToo: [awayToo],
    ending: [ending],
  });
});

test('of a week that is over, or yet to come, everything is told', () => {
  expect(stillToCome(week, at(9))).toEqual(week);
  expect(stillToCome(week, at(1))).toEqual(week);
});
