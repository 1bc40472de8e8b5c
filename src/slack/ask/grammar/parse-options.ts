import type { ReportTypeFacts } from '../../../api/reporting/reporting-api.ts';
import { AppError, badRequest } from '../../../model/error.ts';
import type { DurationUnit, Hours, MovingRange, Question } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import {
  type AggregationType,
  defaultStatistic,
  type Selection,
  type Statistic,
  type TimePeriod,
  timePeriods,
} from '../../../model/request.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import type { ParserContext } from './parser-context.ts';
import { readCalendar, readCalendarPart } from './read-calendar.ts';
import { readRange, USUAL_FIELD } from './read-range.ts';
import { oneOf, plainText, readIssueKeys, unquoted, type Word } from './typed-words.ts';

/** The parts that can come after a filter, in any order; a part that was not typed is absent. */
export interface Tails {
  readonly range?: MovingRange & { readonly words: string };
  readonly statistic?: Statistic | 'list';
  /** A calendar's id, or `normalHours`. */
  readonly calendar?: string;
  readonly unit?: DurationUnit;
  readonly reportType?: string;
  /** With the report type that has periods. */
  readonly timePeriod?: TimePeriod;
  readonly groupBy?: readonly string[];
  /** Times are of the stages of the flow. */
  readonly byStage?: true;
  /** Issues that are not started count as well; only aging takes it. */
  readonly backlog?: true;
  /** Cycle times are wanted: the times of issues from start to done. */
  readonly cycleTime?: true;
  /** The statuses whose time is asked for: the ids of one name. */
  readonly inStatus?: readonly string[];
  /** The time of a sprint, by which one it is. */
  readonly sprint?: 'this' | 'last';
}

/** The kinds of parts that can come after a report. */
export const tailKinds = [
  'range',
  'statistic',
  'calendar',
  'unit',
  'reportType',
  'groupBy',
  'cycleTime',
  'inStatus',
  'sprint',
] as const satisfies (keyof Tails)[];
type TailKind = keyof Tails;

const MAX_WORDS = 14;

/** After these a query goes on, so that nothing of ours can begin there. */
const goesOn = /(?:[=~<>!(,]|^(?:and|or|not|in|is|was|on|to|from|by|before|after|during|order))$/i;

/** A mention or a link, whose angle bracket compares nothing. */
const mark = /^<.+>$/;

/** Takes what can be understood off the end of some words, and hands back what is left. */
export async function parseOptions(
  words: readonly Word[],
  kinds: readonly TailKind[],
  context: ParserContext,
): Promise<{ readonly left: readonly Word[]; readonly tails: Tails }> {
  let left = words;
  let tails: Tails = {};
  for (;;) {
    const taken = await lastTail(left, kinds, context);
    if (taken === null) return { left, tails };
    const [twice] = kinds.filter((kind) => kind in taken.tail && kind in tails);
    if (twice !== undefined) {
      throw badRequest(`You gave this twice: "${plainText(left.slice(taken.start))}". Try: only one.`);
    }
    tails = { ...tails, ...taken.tail };
    left = left.slice(0, taken.start);
  }
}

/** The longest end that is one thing we know; null where there is none. */
export async function lastTail(
  words: readonly Word[],
  kinds: readonly TailKind[],
  context: ParserContext,
): Promise<{ readonly start: number; readonly tail: Tails } | null> {
  const fewest = await nameLength(words, context);
  let problem: AppError | null = null;
  for (let start = Math.max(fewest, words.length - MAX_WORDS); start < words.length; start += 1) {
    // No query begins with a word after which it goes on: that one is a name.
    if (start > 1 && isOpen(words[start - 1]?.plain ?? '')) continue;
    try {
      const tail =
        (await tailOf(words.slice(start), kinds, context)) ??
        (await calendarPart(words, start, kinds, context));
      if (tail !== null) return { start, tail };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      // `between Nov 2 and Nov 13 list` is a time and a word after it.
      problem ??= error;
    }
  }
  if (problem !== null) throw problem;
  return null;
}

/** The number of words that surely name a project, and so are no end: those after `project`, or the only one. */
async function nameLength(
  words: readonly Word[],
  { isProject, isLoose = false }: ParserContext,
): Promise<number> {
  const [first = '', second = ''] = words.map(({ plain }) => plain);
  if (oneOf(['project'], first) !== undefined && second !== '' && (await isProject(second))) return 2;
  // A project may be called like a time.
  if (words.length > 1 && isLoose && (await isProject(unquoted(plainText(words))))) return words.length;
  const isKey = words.length === 1 || /^[A-Z][A-Z0-9_]+$/.test(first);
  return isKey && (await isProject(first)) ? 1 : 0;
}

/** The calendar that was typed, else that of the place, its time zone, and the unit where one was typed. */
export function hoursOf(
  { calendar, unit }: Pick<Tails, 'calendar' | 'unit'>,
  { hours }: Pick<ParserContext, 'hours'>,
): Hours & Pick<Question, 'unit'> {
  const { timeZone } = hours;
  return { calendar: calendar ?? hours.calendar, timeZone, ...(unit === undefined ? {} : { unit }) };
}

function isOpen(word: string): boolean {
  return goesOn.test(word) && !mark.test(word);
}

/** A part of a calendar's name, where it can be no part of a filter's name or query. */
async function calendarPart(
  words: readonly Word[],
  start: number,
  kinds: readonly TailKind[],
  { calendars, isProject }: ParserContext,
): Promise<Tails | null> {
  const [preposition, ...others] = words.slice(start).map(({ plain }) => plain);
  if (!kinds.includes('calendar') || oneOf(['in'], preposition) === undefined) return null;
  const calendar = readCalendarPart(others.join(' '), calendars);
  if (calendar === null || (await isProject(others.join(' ')))) return null;
  const first = words[0]?.plain ?? '';
  const isPlain =
    start === 0 ||
    oneOf(['project'], first) !== undefined ||
    readIssueKeys([first]).others.length === 0 ||
    (await isProject(first));
  return isPlain ? { calendar } : null;
}

async function tailOf(
  words: readonly Word[],
  kinds: readonly TailKind[],
  context: ParserContext,
): Promise<Tails | null> {
  const plain = words.map((word) => word.plain);
  const [first, ...others] = plain;
  const after = others.join(' ');
  if (kinds.includes('statistic')) {
    const statistic = readStatistic(plain);
    if (statistic !== null) return { statistic };
  }
  if (kinds.includes('range')) {
    const range = readRange(plain, context);
    if (range !== null) return { range: { ...range, words: plain.join(' ') } };
  }
  if (kinds.includes('backlog') && /^with backlog$/i.test(plain.join(' '))) return { backlog: true };
  if (context.isLoose === true) {
    const loose = await looseTail(plain.join(' '), kinds, context);
    if (loose !== null) return loose;
  }
  const preposition = after === '' ? undefined : oneOf(['in', 'by'], first);
  if (preposition === 'in' && kinds.includes('unit')) {
    const unit = oneOf(['hours', 'days'], after);
    if (unit !== undefined) return { unit };
  }
  if (preposition === 'in' && kinds.includes('calendar')) {
    const calendar = readCalendar(after, context.calendars);
    return calendar === null ? null : { calendar };
  }
  if (preposition !== 'by') return null;
  const grouping = await readGrouping(after, context);
  if (grouping?.kind === 'report' && kinds.includes('reportType')) {
    const { kind: _, ...report } = grouping;
    return report;
  }
  if (grouping?.kind === 'group' && kinds.includes('groupBy')) return { groupBy: grouping.groupBy };
  return null;
}

/** Names of sprints and filters can end in these words too. */
async function looseTail(
  text: string,
  kinds: readonly TailKind[],
  context: ParserContext,
): Promise<Tails | null> {
  if (kinds.includes('cycleTime') && /^cycle ?times?$/i.test(text)) return { cycleTime: true };
  const [, which] = /^(?:in |during )?(?:the )?(this|current|last|previous) sprint$/i.exec(text) ?? [];
  if (which !== undefined && kinds.includes('sprint'))
    return { sprint: /^(?:this|current)$/i.test(which) ? 'this' : 'last' };
  const [, name = ''] = /^time in (.+)$/i.exec(text) ?? [];
  if (name === '' || !kinds.includes('inStatus')) return null;
  const wanted = unquoted(name).toLowerCase();
  const ids = (await context.statuses())
    .filter((one) => one.name.toLowerCase() === wanted)
    .map(({ id }) => id);
  return ids.length === 0 ? null : { inStatus: ids };
}

const nicknames: ReadonlyMap<string, string> = new Map([
  ['type', 'issuetype'],
  ['component', 'components'],
  ['label', 'labels'],
  ['version', 'fixVersions'],
  ['fix version', 'fixVersions'],
]);

/** The words after `by`: a report type, or fields that group. */
type Grouping =
  | {
      readonly kind: 'report';
      readonly reportType: string;
      readonly timePeriod?: TimePeriod;
      readonly byStage?: true;
    }
  | { readonly kind: 'group'; readonly groupBy: readonly string[] };

/** The report type that `by week` and other periods ask for. */
export const BY_PERIOD = reportIds.statusDurationByTimePeriod;

/** A report type by id or title, a period, or fields by id or name with commas or `and` between; null for any other text. */
export async function readGrouping(
  typed: string,
  { reportTypes, isField }: ParserContext,
): Promise<Grouping | null> {
  const plain = (name: string) => name.toLowerCase().replaceAll(/\s/g, '');
  const wanted = plain(unquoted(typed));
  const report = reportTypes.find(({ id, title }) => [plain(id), plain(title)].includes(wanted));
  if (report !== undefined) return { kind: 'report', reportType: report.id };
  // Stages are groups of statuses.
  if (/^stages?$/.test(wanted))
    return { kind: 'report', reportType: reportIds.statusDuration, byStage: true };
  const blocked = reportTypes.find(({ id }) => id === reportIds.blockedDuration);
  if (wanted === 'blocked' && blocked !== undefined && !(await isField(wanted)))
    return { kind: 'report', reportType: blocked.id };
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

/** The report types a file of any issues can be asked for with nothing but their name. */
export function offeredReports(reportTypes: readonly ReportTypeFacts[]): readonly ReportTypeFacts[] {
  return reportTypes.filter(({ shape, requires }) => shape === 'issue' && requires.length === 0);
}

/** The statistics that `readStatistic` takes. */
export const allowedStatistics = 'average, median, sum, p85 (any percentile), standard deviation, list';

const names: ReadonlyMap<string, AggregationType> = new Map([
  ['average', 'average'],
  ['avg', 'average'],
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

/** True if cycle times are shown with a statistic of this type. */
export function isCycleFigure({ type }: Statistic): boolean {
  return type === 'average' || type === 'median' || type === 'percentile';
}

/** The figure that two sides are compared by; null for a statistic that has none. */
export function comparedFigure({ type, percentile }: Statistic): 'median' | 'p85' | 'average' | null {
  if (type === 'average' || type === 'median') return type;
  if (type !== 'percentile') return null;
  return percentile === 50 ? 'median' : percentile === 85 ? 'p85' : null;
}

/** The same ends with the days of `last sprint` or `this sprint` as their time, and which sprint (mrkdwn) that is. */
export async function withSprintTime(
  { sprint: which, ...tails }: Tails,
  selection: Selection | null,
  { sprintNow }: ParserContext,
): Promise<{ readonly tails: Tails; readonly remark: string | null }> {
  if (which === undefined) return { tails, remark: null };
  if (tails.range !== undefined) {
    throw badRequest(`You gave two times: "${which} sprint" and "${tails.range.words}". Try: only one.`);
  }
  const found = await sprintNow(which, selection);
  if (found === null) {
    const state = which === 'last' ? 'has been closed' : 'is running';
    throw badRequest(`No sprint ${state} here. Try: a time such as last 2 weeks.`);
  }
  const { name, start, end } = found;
  const to = which === 'this' ? null : end;
  const range = {
    field: USUAL_FIELD,
    when: { by: 'dates', from: start, to },
    words: `${which} sprint`,
  } as const;
  return { tails: { ...tails, range }, remark: `The ${which} sprint is ${codeText(name)}.` };
}
