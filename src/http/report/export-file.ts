import { z } from 'zod';
import { csvText } from '../../formats/csv.ts';
import { dateText } from '../../formats/date-text.ts';
import { tableRecords } from '../../formats/table-records.ts';
import type { AggregationType, Asker, Statistic } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { oneOf } from '../parameter.ts';
import { listParameters } from '../parameters/list.ts';
import { figureParameters } from '../parameters/statistic.ts';
import type { HttpParts, Reply } from '../route.ts';
import { csvType, trustHeaders } from '../wire/report-reply.ts';
import { checkDayLength } from './check-day-length.ts';
import { readList } from './read-list.ts';
import { readReport } from './read-report.ts';
import { readWording } from './read-wording.ts';

/** The statistic a kind of file holds; null: the list of issues. */
const statisticOf = {
  CSV: null,
  CSVAVERAGE: 'average',
  CSVSUM: 'sum',
  CSVMEDIAN: 'median',
  CSVSTDDEV: 'standardDeviation',
} as const satisfies Readonly<Record<string, AggregationType | null>>;

/** What an export takes: everything a list does, and what kind of file it is to be. */
export const exportParameters = z.object({
  ...listParameters,
  ...figureParameters,
  outputType: oneOf(['CSV', 'CSVAVERAGE', 'CSVSUM', 'CSVMEDIAN', 'CSVSTDDEV']).meta({
    description: 'What the file holds: the issues, or one statistic over all of them or over each group.',
  }),
});

/** The answer of an export, as it is described. */
export const exportAnswers = {
  description: 'The file, under a name that tells its report and its time.',
  content: { 'text/csv': z.string() },
};

/** Answers every matching issue, or their statistic, as a file. */
export async function exportFile(
  asked: z.output<typeof exportParameters>,
  asker: Asker,
  parts: HttpParts,
): Promise<Reply> {
  const type = statisticOf[asked.outputType];
  const statistic: Statistic | null =
    type === null
      ? null
      : { type, denominator: asked.averageDenominator, deviation: asked.stddevType, percentile: 50 };
  const request = await readReport(asked, 'issue', asker, parts, readList(asked, { statistic }));
  await checkDayLength(asked, asker, parts.settings);
  const table = await parts.reporting.report(request);
  const wording = await readWording(asked, table, parts.settings);
  const { titles, lines } = tableRecords(table, wording);
  return {
    type: csvType,
    headers: {
      'Content-Disposition': `attachment; filename="${fileName(table)}"`,
      ...trustHeaders(table),
    },
    body: csvText([titles, ...lines]),
  };
}

/** Such as `dwell-statusDuration-average-2026-03-18-0930.csv`, as of an instant in the zone of the asker. */
function fileName({ provenance, statistic }: Table): string {
  const { reportType, asOf, timeZone } = provenance;
  const time = dateText(asOf, 'yyyy-MM-dd-HHmm', timeZone);
  return ['dwell', reportType, ...(statistic === null ? [] : [statistic.type]), `${time}.csv`].join('-');
}
