import { z } from 'zod';
import { type CompareQuestion, compareSchema } from '../../api/answers/compare/compare-answer.ts';
import { compareKind } from '../../api/answers/compare/compare-kind.ts';
import { factMembers } from '../../api/answers/document.ts';
import { oneOf } from '../../api/parameters/parameter.ts';
import { readDateRange } from '../../api/parameters/selection.ts';
import type { DurationFigures } from '../../model/answer.ts';
import { about, badRequest } from '../../model/error.ts';
import type { Side } from '../../model/question.ts';
import { dateRangeFields } from '../../model/request.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { answerText, durationWord, factLines, more, unknownLines } from '../answer-facts.ts';
import { askFigures } from '../ask-figures.ts';
import { dateParameters, filterParameters, measureParameters, readIssueFilter } from '../inputs.ts';
import { defineTool, withinField } from '../tool.ts';

const sideParameters = z.object({
  ...filterParameters,
  startDate: dateParameters.startDate,
  endDate: dateParameters.endDate,
  dateRangeField: oneOf(dateRangeFields)
    .default('finished')
    .meta({ description: 'The date that startDate and endDate are about.' }),
});

function sideOf(input: z.output<typeof sideParameters>, timeZone: string): Side {
  const selection = readIssueFilter(input);
  const range = readDateRange(input, timeZone);
  const { field, from, to } = range ?? {};
  const dates =
    range === null ? '' : `, ${field} ${[input.startDate ?? '…', input.endDate ?? '…'].join(' to ')}`;
  const named = selection.by === 'jql' ? selection.jql : selectionText(selection);
  return {
    title: `${named}${dates}`,
    selection,
    range: field === undefined ? null : { field, when: { by: 'dates', from: from ?? null, to: to ?? null } },
  };
}

const output = z.object({ ...factMembers, ...compareSchema.shape, more });

/** Two sets of issues side by side. */
export const compareTool = defineTool({
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
  output,
  async answer({ left, right, ...input }, context) {
    const { value, body, provenance, wording } = await askFigures(
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
      input,
      context,
    );
    const [one, other] = value.sides;
    const word = (ms: number | null) => durationWord(ms, wording);
    const pair = (figure: (figures: DurationFigures) => number | null) =>
      value.sides.map(({ cycleTime }) => word(figure(cycleTime)));
    const { text } = answerText(
      [`Left: ${one.title}`, `Right: ${other.title}`],
      [
        {
          columns: ['Figure', 'Left', 'Right'],
          rows: [
            ['Issues', one.issues, other.issues],
            ['Finished', one.finished, other.finished],
            ['Cycle time, median', ...pair(({ medianMs }) => medianMs)],
            ['Cycle time, p85', ...pair(({ p85Ms }) => p85Ms)],
            ['Cycle time, average', ...pair(({ averageMs }) => averageMs)],
            ['Cycle times counted', ...value.sides.map(({ cycleTime }) => String(cycleTime.count))],
          ],
        },
        {
          title: 'Time in status, average and median of the issues that were there',
          columns: ['Status', 'Left: average', 'Left: median', 'Right: average', 'Right: median'],
          rows: value.statuses.map(({ name, sides }) => [
            name,
            ...sides.flatMap(({ averageMs, medianMs }) => [word(averageMs), word(medianMs)]),
          ]),
        },
      ],
      [
        ...value.sides.flatMap((side, i) =>
          unknownLines(side).map((line) => `${i === 0 ? 'Left' : 'Right'}: ${line}`),
        ),
        ...value.sides.map(
          ({ provenance: { complete, query } }, i) =>
            `${i === 0 ? 'Left' : 'Right'}: histories ${complete ? 'complete' : 'NOT complete'}; JQL: ${query ?? 'none'}`,
        ),
        ...factLines({ ...provenance, query: null }, wording),
      ],
    );
    return { content: output.parse(body), text };
  },
});
