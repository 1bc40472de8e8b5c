import type { CaseIssue } from './case-world.ts';
import { readFields, readQuestion, type StandInParameters } from './stand-in-timepiece-asked.ts';
import { cell, columnsOf, fieldCells, outer, titles } from './stand-in-timepiece-frame.ts';
import { measuresOf, type StandInFigure, standInKinds } from './stand-in-timepiece-measures.ts';
import { StandInRefusal } from './stand-in-timepiece-query.ts';

/** What nobody has documented of statistics: the word for all issues (null: there is none), and the formula. */
export interface StandInStatistics {
  readonly allIssues: string | null;
  readonly deviation: 'population' | 'sample';
}

/** One row per group of issues, or one of all. */
export function aggregationBody(
  asked: StandInParameters,
  issues: readonly CaseIssue[],
  { allIssues, deviation }: StandInStatistics,
) {
  const question = readQuestion(asked);
  const type = (asked.aggregationtype ?? '').toLowerCase();
  if (!['average', 'sum', 'median', 'standarddeviation'].includes(type)) {
    throw new StandInRefusal(400, 'aggregationType is invalid.');
  }
  if (standInKinds[question.columnsBy] === 'instant') {
    throw new StandInRefusal(400, 'Aggregations are not available for date reports.');
  }
  const groupBy = readFields(asked.groupbyfields);
  const measured = issues.map((issue) => ({
    figures: measuresOf(issue, question),
    group: fieldCells(issue, groupBy),
  }));
  const columns = columnsOf(
    measured.map(({ figures }) => figures),
    question,
  );
  const groups: { own: (typeof measured)[number]['group']; members: StandInFigure[][] }[] = [];
  for (const { figures, group } of measured) {
    const same = groups.find(({ own }) => JSON.stringify(own) === JSON.stringify(group));
    if (same === undefined) groups.push({ own: group, members: [figures] });
    else same.members.push(figures);
  }
  const all = allIssues !== null && asked.averagedenominator?.toLowerCase() === allIssues.toLowerCase();
  const rows = groups.map(({ own, members }) => ({
    headerColumns: [],
    groupByColumns: own,
    fieldColumns: [],
    issueCount: members.length,
    valueColumns: columns.map(({ id }) => {
      const values = members.flatMap((figures) =>
        figures.filter((one) => one.id === id).map(({ value }) => value),
      );
      const value = condense(values, type, all ? members.length : values.length, deviation);
      const figure = value === null ? undefined : { value, visits: 0 };
      const { count: _, ...told } = cell(id, figure, question, asked);
      return told;
    }),
  }));
  const met = measured.flatMap(({ figures }) => figures.flatMap(({ statuses }) => statuses));
  return {
    ...outer(asked, question, met),
    isAggregationType: true,
    isOverall: groupBy.length === 0,
    isAverage: type === 'average',
    isSum: type === 'sum',
    isMedian: type === 'median',
    isStddev: type === 'standarddeviation',
    table: { header: { headerColumns: [], ...titles(groupBy, [], columns) }, body: { rows } },
  };
}

function condense(
  values: readonly number[],
  type: string,
  count: number,
  deviation: StandInStatistics['deviation'],
): number | null {
  if (values.length === 0) return null;
  let sum = 0;
  for (const value of values) sum += value;
  if (type === 'sum') return sum;
  if (type === 'average') return sum / count;
  if (type === 'median') {
    const sorted = [...values].sort((a, b) => a - b);
    const [low = 0, high = low] = [
      sorted[Math.floor((sorted.length - 1) / 2)],
      sorted[Math.ceil((sorted.length - 1) / 2)],
    ];
    return (low + high) / 2;
  }
  const mean = sum / count;
  let squares = (count - values.length) * mean ** 2;
  for (const value of values) squares += (value - mean) ** 2;
  if (deviation === 'sample') return count < 2 ? null : Math.sqrt(squares / (count - 1));
  return Math.sqrt(squares / count);
}
