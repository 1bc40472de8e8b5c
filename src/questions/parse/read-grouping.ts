import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { badRequest } from '../../model/error.ts';
import type { AggregationType, Statistic } from '../../model/request.ts';
import { type TimePeriod, timePeriods } from '../../model/request.ts';
import type { ParserContext } from './parser-context.ts';
import { unquoted } from './typed-words.ts';

/** What people call some fields. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ['type', 'issuetype'],
  ['component', 'components'],
  ['label', 'labels'],
  ['version', 'fixVersions'],
  ['fix version', 'fixVersions'],
]);

/** What comes after `by`: a report type, or fields that group. */
type Grouping =
  | { readonly kind: 'report'; readonly reportType: string; readonly timePeriod?: TimePeriod }
  | { readonly kind: 'group'; readonly groupBy: readonly string[] };

/** What `week` and other periods ask for. */
const BY_PERIOD = 'statusDurationByTimePeriod';

/** A report type by id or title, a period, or fields by id or name with commas or `and` between; null for any other text. */
export async function readGrouping(
  typed: string,
  { reportTypes, isField }: Pick<ParserContext, 'reportTypes' | 'isField'>,
): Promise<Grouping | null> {
  const plain = (name: string) => name.toLowerCase().replaceAll(/\s/g, '');
  const wanted = plain(unquoted(typed));
  const report = reportTypes.find(({ id, title }) => [plain(id), plain(title)].includes(wanted));
  if (report !== undefined) return { kind: 'report', reportType: report.id };
  const timePeriod = timePeriods.find((period) => period.toLowerCase() === wanted);
  const byPeriod = reportTypes.find(({ id }) => id === BY_PERIOD);
  if (timePeriod !== undefined && byPeriod !== undefined) {
    return { kind: 'report', reportType: byPeriod.id, timePeriod };
  }
  const fields = typed.split(/\s*,\s*|\s+and\s+/i).map((one) => unquoted(one.trim()));
  const groupBy: string[] = [];
  for (const field of fields) {
    if (field === '') return null;
    const name = nicknames.get(field.toLowerCase()) ?? field;
    if (!(await isField(name))) return null;
    if (!groupBy.includes(name)) groupBy.push(name);
  }
  return { kind: 'group', groupBy };
}

/** These need more than issues: between which statuses, of which field. */
const needMore = ['durationBetweenStatuses', 'anyFieldDuration'];

/** The report types a file of any issues can be asked for with nothing but their name. */
export function offeredReports(reportTypes: readonly ReportTypeFacts[]): readonly ReportTypeFacts[] {
  return reportTypes.filter(({ id, shape }) => shape === 'issue' && !needMore.includes(id));
}

/** What `readStatistic` takes. */
export const allowedStatistics = 'average, median, sum, p85 (any percentile), standard deviation, list';

const names: ReadonlyMap<string, AggregationType> = new Map([
  ['average', 'average'],
  ['mean', 'average'],
  ['median', 'median'],
  ['sum', 'sum'],
  ['total', 'sum'],
  ['spread', 'standardDeviation'],
  ['deviation', 'standardDeviation'],
  ['standard deviation', 'standardDeviation'],
]);

/** Those of one word that are no percentile. */
export const statisticWords = ['average', 'mean', 'median', 'sum', 'total', 'deviation', 'list'];

/** What an average of a filter's issues is made of where nothing is said. */
export const defaultStatistic: Statistic = {
  type: 'average',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 85,
};

/** A statistic in words, or that none is wanted; null for any other text. */
export function readStatistic(words: readonly string[]): Statistic | 'list' | null {
  const text = words.join(' ').toLowerCase();
  if (text === 'list') return 'list';
  const type = names.get(text);
  if (type !== undefined) return { ...defaultStatistic, type };
  const [, short, before, after] =
    /^(?:p(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)(?:st|nd|rd|th)? percentile|percentile (\d+(?:\.\d+)?))$/.exec(
      text,
    ) ?? [];
  const written = short ?? before ?? after;
  if (written === undefined) return null;
  const percentile = Number(written);
  if (percentile > 100) throw badRequest(`"${text}" isn't a percentile. Try: p0 to p100.`);
  return { ...defaultStatistic, type: 'percentile', percentile };
}
