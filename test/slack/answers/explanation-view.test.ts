import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { explanationBlocks } from '../../../src/slack/answers/explanation-view.ts';
import { anExplanation, officeHours } from '../../support/an-answer.ts';

const choices = [
  { id: 'total', title: 'Total' },
  { id: 'review', title: 'Review: time' },
];

/** What is read in a list of a rich text, one line each; dates as their fallback. */
const lines = (blocks: ReturnType<typeof explanationBlocks>) =>
  blocks.flatMap((block) =>
    block.type !== 'rich_text'
      ? []
      : block.elements.flatMap((element) =>
          element.type !== 'rich_text_list'
            ? []
            : element.elements.map((line) =>
                line.elements
                  .map((inline) =>
                    inline.type === 'date' ? inline.fallback : 'text' in inline ? inline.text : '',
                  )
                  .join(''),
              ),
        ),
  );

test('a figure is told with how it is made and what it is made of', () => {
  const blocks = explanationBlocks(choices, 'review', anExplanation());
  expect(JSON.stringify(blocks[1])).toContain('*WEB-1 in Review*\\n*3d*');
  expect(lines(blocks)).toEqual([
    'Every visit of the status counts.',
    'Time is counted around the clock.',
    'Visit 1: 2d, from 2026-11-12 12:00 UTC to 2026-11-14 12:00 UTC',
    'Visit 2: 1d, from 2026-11-17 12:00 UTC (still running)',
  ]);
});

test('the menu holds every figure, and shows the one that is explained', () => {
  const [menu] = explanationBlocks(choices, 'review', anExplanation());
  expect(menu).toMatchObject({
    accessory: {
      type: 'static_select',
      action_id: 'explain-figure',
      options: [{ value: 'total' }, { value: 'review' }],
      initial_option: { value: 'review', text: { text: 'Review: time' } },
    },
  });
});

test('what the calendar counts stands beside what the clock shows, which is never told in working days', () => {
  const [first] = anExplanation().parts;
  if (first === undefined) throw new Error('No part');
  const blocks = explanationBlocks(
    choices,
    'review',
    anExplanation({ parts: [{ ...first, countedMs: 16 * millisecondsInHour }], calendar: officeHours }),
  );
  expect(lines(blocks)).toContain(
    'Visit 1: 2d counted, of 48h by the clock, from 2026-11-12 12:00 UTC to 2026-11-14 12:00 UTC',
  );
  expect(JSON.stringify(blocks.at(-1))).toContain('Calendar Office hours · 1d is a working day of 8h');
});

test('it says how many issues count, which are left out and why, and where it was cut', () => {
  const shown = JSON.stringify(
    explanationBlocks(
      choices,
      'review',
      anExplanation({
        value: { kind: 'count', value: 4 },
        denominator: { counted: 4, of: 5 },
        excluded: [{ key: 'WEB-3', reason: 'its history is cut' }],
        trim: { from: Date.parse('2026-11-01T00:00:00Z'), to: null },
        more: 12,
      }),
    ),
  );
  expect(shown).toContain('*4*, from 4 of 5 issues.');
  expect(shown).toContain('*Left out*\\nWEB-3: its history is cut');
  expect(shown).toContain('counted from <!date^1793491200^');
  expect(shown).toContain('… and 12 more.');
});

test('all issues that are left out are counted where the first of them are named', () => {
  const excluded = Array.from({ length: 150 }, (_, i) => ({ key: `WEB-${i + 1}`, reason: 'never there' }));
  const shown = JSON.stringify(explanationBlocks(choices, 'review', anExplanation({ excluded })));
  expect(shown).toContain('WEB-10: never there\\n… and 140 more issues.');
});

test('what never was is not told as nothing', () => {
  const shown = JSON.stringify(
    explanationBlocks(choices, 'review', anExplanation({ value: null, parts: [] })),
  );
  expect(shown).toContain('Never: no such time is known.');
});

test('before a figure is chosen it asks for one; without any it says so', () => {
  expect(JSON.stringify(explanationBlocks(choices, null, null))).toContain('Choose a figure, and I tell');
  expect(explanationBlocks([], null, null)).toMatchObject([
    { text: { text: 'There is no figure here to explain: the answer holds none.' } },
  ]);
});
