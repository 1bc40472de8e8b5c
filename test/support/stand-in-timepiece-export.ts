import type { CaseIssue } from './case-world.ts';
import { aggregationBody, type StandInStatistics } from './stand-in-timepiece-aggregation.ts';
import type { StandInParameters } from './stand-in-timepiece-asked.ts';
import { listBody } from './stand-in-timepiece-list.ts';
import { StandInRefusal } from './stand-in-timepiece-query.ts';

/** A queued export. Of its states only two have names that are documented. */
export interface StandInExport {
  status: 'In Progress' | 'Successful' | 'Aborted';
  /** So often it is told to be under way. */
  polls: number;
  readonly total: number;
  readonly csv: string;
}

const statistics: Readonly<Record<string, string>> = {
  CSVAVERAGE: 'average',
  CSVSUM: 'sum',
  CSVMEDIAN: 'median',
  CSVSTDDEV: 'standardDeviation',
};

/** The file of an export: titles and values alone. */
export function startExport(
  asked: StandInParameters,
  issues: readonly CaseIssue[],
  silent: StandInStatistics,
): StandInExport {
  const type = (asked.outputtype ?? '').toUpperCase();
  const statistic = statistics[type];
  if (statistic === undefined && type !== 'CSV') throw new StandInRefusal(400, 'outputType is invalid.');
  const { table } =
    statistic === undefined
      ? listBody(asked, issues)
      : aggregationBody({ ...asked, aggregationtype: statistic }, issues, silent);
  const { header, body } = table;
  const parts = ['headerColumns', 'groupByColumns', 'fieldColumns', 'valueColumns'] as const;
  const lines = [
    parts.flatMap((part) => header[part].map(({ value }) => value)),
    ...body.rows.map((row) => parts.flatMap((part) => row[part].map(({ value }) => value))),
  ];
  const csv = lines
    .map((line) => line.map((text) => `"${text.replaceAll('"', '""')}"`).join(','))
    .join('\r\n');
  return { status: 'In Progress', polls: 2, total: issues.length, csv: `${csv}\r\n` };
}
