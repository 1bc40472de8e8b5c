import { expect, test } from '#jest';
import { exitsFrom, timeline } from '../../../src/engine/visits/timeline.ts';
import { at, cut, through } from '../../api/answers/a-team.ts';

const story = through(1, '03-02T08:00 1', '03-03T08:00 3', '03-04T08:00 4', '03-05T08:00 5');

function exitsOf(lost: number, remaining: number) {
  const { visits } = timeline(cut(story, lost, remaining), 'status', at('03-09T08:00'));
  return exitsFrom(visits).map(({ value, at: when }) => [value.name, when]);
}

test('the change with which known time begins again tells when the status it came from was left', () => {
  expect(exitsOf(0, 2)).toEqual([['Review', at('03-05T08:00')]]);
  expect(exitsOf(0, 1)).toEqual([
    ['Doing', at('03-04T08:00')],
    ['Review', at('03-05T08:00')],
  ]);
});

test('nobody knows when a status was left into unknown time', () => {
  expect(exitsOf(1, 2)).toEqual([
    ['Open', at('03-03T08:00')],
    ['Doing', null],
    ['Review', at('03-05T08:00')],
  ]);
  expect(exitsOf(0, 3)).toEqual([]);
});
