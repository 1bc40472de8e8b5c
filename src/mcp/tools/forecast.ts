import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import {
  type ForecastPercentile,
  type ForecastQuestion,
  forecastSchema,
} from '../../api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../api/answers/forecast/forecast-kind.ts';
import { forecastOf, forecastParameters } from '../../api/parameters/forecast.ts';
import { issueKey } from '../../api/parameters/parameter.ts';
import { about, badRequestAs } from '../../model/error.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import { answerText, durationWord, factLines, more, unknownLines, zonedText } from '../answer-facts.ts';
import { askFigures, countText } from '../ask-figures.ts';
import { filterParameters, measureParameters, readIssueFilter } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const output = z.object({ ...factMembers, ...forecastSchema.shape, more });

/** When issues are finished, or how many by a day. */
export const forecast = defineTool({
  name: 'forecast',
  title: 'Forecast',
  description:
    'When issues will be done, or how many by a day, with 50, 85 and 95% certainty, from the last 12 weeks; or when one issue will be done. Include its doubts: change, scopeGrows, refused.',
  takesLong: true,
  parameters: z.object({
    ...filterParameters,
    issueKey: issueKey.optional().meta({ description: 'When this open issue will be done; no filter then.' }),
    count: forecastParameters.count.meta({
      description: 'When so many issues are done; without count and until: all open ones.',
    }),
    until: forecastParameters.until.meta({ description: 'How many are done by this day: yyyy-MM-dd.' }),
    ...measureParameters,
  }),
  output,
  async answer({ issueKey: key, count, until, ...input }, context) {
    if (key !== undefined && (count !== undefined || until !== undefined)) {
      const other = count === undefined ? 'until' : 'count';
      throw badRequestAs(
        'conflicting-values',
        about(other, 'cannot be used with issueKey. Try: one of them.'),
      );
    }
    const selection = key === undefined ? readIssueFilter(input) : ({ by: 'keys', keys: [key] } as const);
    const { value, body, wording } = await askFigures(
      forecastKind,
      (measured): ForecastQuestion => ({
        kind: 'forecast',
        selection,
        ...(selection.by === 'sprint' ? { sprint: selection.id } : {}),
        ...forecastOf({ count, until }),
        ...measured,
      }),
      input,
      context,
    );
    const { provenance, percentiles, odds, weeks, arrived, scopeGrows, change, issue, sprint } = value;
    const valueText = ({ date, issues }: ForecastPercentile) =>
      issues === null ? (date ?? 'later than in five years') : countText(issues);
    const title = value.forecastOf === 'count' ? `Issues done by ${value.until}, so many or more` : 'Done by';
    const { text } = answerText(
      [
        issue === null
          ? `${value.remaining === null ? 'How many' : `${value.remaining}${value.isOpenCount ? ' open' : ''}`} issues of ${selectionText(selection)}.`
          : `${issue.key} ${issue.summary}: ${issue.status?.name ?? 'status unknown'}, ${durationWord(issue.ageMs, wording) ?? 'unknown'} since work began.`,
        ...refusedLines(value),
        ...(sprint?.percent == null || sprint.end === null
          ? []
          : [`Chance to be done by the end of ${sprint.name}, ${sprint.end}: ${sprint.percent}%.`]),
      ],
      [
        {
          columns: ['Certainty', title],
          rows: percentiles.map((one) => [`${one.percent}%`, valueText(one)]),
        },
        {
          title: 'Chance',
          columns: [value.forecastOf === 'count' ? 'Issues, or more' : 'Done by', 'Chance'],
          rows: odds.map((one) => [one.issues ?? one.date, `${one.percent}%`]),
        },
        {
          title: 'Drawn from these weeks',
          columns: ['From', 'To', 'Finished'],
          rows: weeks.map((one) => [
            zonedText(one.start, wording),
            zonedText(one.end, wording),
            one.finished,
          ]),
        },
      ],
      [
        ...(change === null
          ? []
          : [
              `DOUBT: throughput changed from ${countText(change.before)} to ${countText(change.recent)} a week in the last six weeks. From these alone: ${change.percentiles.map((one) => `${one.percent}% ${valueText(one)}`).join(', ')}.`,
            ]),
        ...(scopeGrows ? [`DOUBT: the scope grows, ${arrived} issues arrived in these weeks.`] : []),
        ...(issue === null || value.compared === null
          ? []
          : [
              `Compared with ${value.compared} finished issues that took at least as long${value.comparedInStatus ? ' and were in its status' : ''}.`,
            ]),
        ...unknownLines(value),
        ...factLines(provenance, wording),
      ],
    );
    return { content: output.parse(body), text };
  },
});

function refusedLines({
  refused,
}: {
  readonly refused: z.output<typeof forecastSchema>['refused'];
}): readonly string[] {
  if (refused === null) return [];
  const { reason, needed, found, tryOn } = refused;
  const numbers = needed === null ? '' : `: needs ${needed}, found ${found}`;
  return [`NO FORECAST, ${reason}${numbers}${tryOn === null ? '' : `; try again on ${tryOn}`}.`];
}
