import { z } from 'zod';
import { compareKind } from '../../api/answers/compare/compare-kind.ts';
import type { CompareQuestion } from '../../api/answers/compare/compare-sides.ts';
import { oneOf } from '../../api/parameters/parameter.ts';
import { readDateRange } from '../../api/parameters/selection.ts';
import { about, badRequest } from '../../model/error.ts';
import type { Side } from '../../model/question.ts';
import { dateRangeFields } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { selectionText, withNotes } from '../../output/provenance-sheet.ts';
import {
  factLines,
  facts,
  factsOf,
  statistics,
  statisticsOf,
  unknownLines,
  unknowns,
  unknownsOf,
} from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { askFigures, status } from '../ask-figures.ts';
import { dateParameters, filterParameters, measureParameters, readFilter } from '../inputs.ts';
import { withinField } from '../read-arguments.ts';
import { defineTool } from '../tool.ts';

const sideParameters = z.object({
  ...filterParameters,
  startDate: dateParameters.startDate,
  endDate: dateParameters.endDate,
  dateRangeField: oneOf(dateRangeFields)
    .default('finished')
    .meta({ description: 'The date that startDate and endDate are about.' }),
});

const side = z
  .object({
    title: z.string(),
    issues: z.int(),
    finished: z.int(),
    cycleTime: statistics,
    complete: z.boolean(),
    query: z.string().nullable(),
    ...unknowns.shape,
  })
  .meta({ id: 'Side' });

function sideOf(asked: z.output<typeof sideParameters>, timeZone: string): Side {
  const selection = readFilter(asked);
  const range = readDateRange(asked, timeZone);
  const { field, from, to } = range ?? {};
  const dates =
    range === null ? '' : `, ${field} ${[asked.startDate ?? '…', asked.endDate ?? '…'].join(' to ')}`;
  const named = selection.by === 'jql' ? selection.jql : selectionText(selection);
  return {
    title: `${named}${dates}`,
    selection,
    range: field === undefined ? null : { field, when: { by: 'dates', from: from ?? null, to: to ?? null } },
  };
}

/** Two sets of issues side by side. */
export const compare = defineTool({
  name: 'compare',
  title: 'Compare two sets of issues',
  description:
    'Two projects, filters or times side by side: issues, issues finished, cycle time and time in each status. Each side has its own filter and dates.',
  takesLong: true,
  parameters: z.object({
    left: sideParameters.meta({ description: 'The first side.' }),
    right: sideParameters.meta({ description: 'The second side; its filter or its dates must differ.' }),
    ...measureParameters,
  }),
  output: z.object({
    ...facts.shape,
    left: side,
    right: side,
    statuses: z.array(status.extend({ left: statistics, right: statistics })).meta({
      description: 'Time in each status that is not of category Done, of the issues that were there.',
    }),
  }),
  async answer({ left, right, ...asked }, context) {
    const { value, wording } = await askFigures(
      compareKind,
      ({ calendar, timeZone }): CompareQuestion => {
        const sides = [
          withinField('left', () => sideOf(left, timeZone)),
          withinField('right', () => sideOf(right, timeZone)),
        ] as const;
        if (sides[0].title.toLowerCase() === sides[1].title.toLowerCase()) {
          throw badRequest(about('right', 'is the same as left. Try: another filter or other dates.'));
        }
        return { kind: 'compare', sides, calendar, timeZone };
      },
      asked,
      context,
    );
    const sides = ([0, 1] as const).map((i) => ({
      ...{ title: value.titles[i], issues: value.issues[i], finished: value.finished[i] },
      cycleTime: statisticsOf(value.cycleTime[i], wording),
      ...{ complete: value.provenance[i].complete, query: value.provenance[i].query },
      ...unknownsOf(value.doubts[i]),
    }));
    const [one, other] = sides;
    if (one === undefined || other === undefined) throw new Error('There are two sides.');
    const both = bothOf(value.provenance);
    const statuses = value.statuses.map(({ id, title, category, sides: [first, second] }) => ({
      ...{ id, name: title, category },
      ...{ left: statisticsOf(first, wording), right: statisticsOf(second, wording) },
    }));
    const content = { ...factsOf(both, wording), left: one, right: other, statuses };
    const pair = (figure: (side: z.output<typeof statistics>) => string | null) => [
      figure(one.cycleTime),
      figure(other.cycleTime),
    ];
    const { text: said } = answerText(
      [`Left: ${one.title}`, `Right: ${other.title}`],
      [
        {
          columns: ['Figure', 'Left', 'Right'],
          rows: [
            ['Issues', one.issues, other.issues],
            ['Finished', one.finished, other.finished],
            ['Cycle time, median', ...pair(({ median }) => median?.text ?? null)],
            ['Cycle time, p85', ...pair(({ p85 }) => p85?.text ?? null)],
            ['Cycle time, average', ...pair(({ average }) => average?.text ?? null)],
            ['Cycle times counted', ...pair(({ count }) => String(count))],
          ],
        },
        {
          title: 'Time in status, average and median of the issues that were there',
          columns: ['Status', 'Left: average', 'Left: median', 'Right: average', 'Right: median'],
          rows: statuses.map((row) => [
            row.name,
            ...[row.left.average, row.left.median, row.right.average, row.right.median].map(
              (figure) => figure?.text ?? null,
            ),
          ]),
        },
      ],
      [
        ...value.doubts.flatMap((doubts, i) =>
          unknownLines(doubts).map((line) => `${i === 0 ? 'Left' : 'Right'}: ${line}`),
        ),
        ...value.provenance.map(
          ({ complete, query }, i) =>
            `${i === 0 ? 'Left' : 'Right'}: histories ${complete ? 'complete' : 'NOT complete'}; JQL: ${query ?? 'none'}`,
        ),
        ...factLines({ ...both, query: null }, wording),
      ],
    );
    return { content, text: said };
  },
});

/** What is to be known of both sides together. */
function bothOf([one, other]: readonly [Provenance, Provenance]): Provenance {
  return withNotes(
    {
      ...one,
      query: null,
      complete: one.complete && other.complete,
      issues: one.issues + other.issues,
      cutHistories: one.cutHistories + other.cutHistories,
      undecided: one.undecided + other.undecided,
      // Of whatever question, so the same on both sides.
      unasked: Math.max(one.unasked ?? 0, other.unasked ?? 0),
    },
    other.notes ?? [],
  );
}
