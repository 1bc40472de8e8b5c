import {
  type Forecast,
  type ForecastOdds,
  type ForecastPercentile,
  type ForecastQuestion,
  onlyKey,
} from '../../../api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../../api/answers/forecast/forecast-kind.ts';
import { MAX_COUNT } from '../../../api/parameters/forecast.ts';
import { asLiteral } from '../../../api/reporting/query-text.ts';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { countOf, countWords, inStatus } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { capital, dayMsOf, dayWords, type Wording } from '../../../output/wording.ts';
import { isoDay, readIsoDay } from '../../../time/date-text.ts';
import { nearDayText, readDay } from '../../../time/day-words.ts';
import { dayAt } from '../../../time/wall-clock.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import type { ParserContext } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault, type JoinedFilter } from '../../ask/grammar/read-filter.ts';
import { oneOf, plainText, type Word } from '../../ask/grammar/typed-words.ts';
import { limits } from '../../blocks/limits.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import { issueTitle } from '../issue/issue-state.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { chartLabels } from '../view/figures-drawn.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';

const NAME_LENGTH = 60;

/** `/tis forecast [FILTER] [20 issues | by DAY] [in CALENDAR]`. */
export const forecastView: QuestionView<ForecastQuestion, Forecast> = {
  of: forecastKind,
  builderTitle: 'Forecast: when issues will be done',
  commands: [
    {
      word: 'forecast',
      usage: '/tis forecast [FILTER | KEY] [20 issues | by DAY] [in CALENDAR]',
      summary: 'when issues will be done, or how many by a day, with 50, 85 and 95% certainty',
      examples: [
        '/tis forecast WEB 20 issues',
        '/tis forecast WEB by Dec 24',
        '/tis forecast sprint "WEB Sprint 12"',
        '/tis forecast jql project = WEB AND type = Bug',
        '/tis forecast WEB-370',
      ],
      details:
        'Weeks of the last 12 are drawn 10,000 times; at least 5 of them need finished issues. Without a number or a day it is about all open issues. The issues of a sprint are finished at the pace of their projects, those of a query at their own. One KEY: from finished issues that were as old.',
      tries: ({ project, key }) => [`/tis forecast ${project} 20 issues`, `/tis forecast ${key}`],
    },
  ],
  /** Reads `[FILTER] [20 issues | by DAY] [in CALENDAR]`, the ends in any order; the number may come first: `20 issues in WEB`. */
  async read(words, context) {
    const first = takeTarget(takeLeading(words), context);
    const { left, tails } = await parseOptions(first.left, ['calendar', 'unit'], context);
    const second = takeTarget({ ...first, left }, context);
    assertDay(second.left);
    const { issues, until } = second;
    if (issues !== undefined && until !== undefined)
      throw badRequest(
        `A forecast takes a number or a day, not both. Try: ${countOf(issues, 'issue')} alone.`,
      );
    const { selection, sprint, remark } = await issuesOf(second.left, context);
    const question: ForecastQuestion = {
      kind: 'forecast',
      selection,
      ...(sprint === undefined ? {} : { sprint }),
      ...(issues === undefined ? {} : { issues }),
      ...(until === undefined ? {} : { until }),
      ...hoursOf(tails, context),
    };
    await context.check(question);
    return { question, remark };
  },
  builder: ({ selection, sprint, calendar, issues, until }) => ({
    report: 'forecast',
    filter: sprint !== undefined && /^\d+$/.test(sprint) ? { by: 'sprint', id: sprint } : selection,
    calendar,
    count: issues === undefined ? '' : String(issues),
    until: until ?? '',
  }),
  ofBuilder: ({ filter: { selection, sprint }, count, until, calendar, timeZone }): ForecastQuestion => ({
    kind: 'forecast',
    selection,
    ...(sprint === undefined ? {} : { sprint }),
    ...(count === '' ? {} : { issues: Number(count) }),
    ...(until === '' ? {} : { until }),
    calendar,
    timeZone,
  }),
  title: titleOf,
  view: forecastSheet,
};

function titleOf(question: ForecastQuestion): string {
  const { selection, sprint, issues, until } = question;
  const key = onlyKey(question);
  if (key !== null) return `the forecast of ${key}`;
  const which = sprint === undefined ? issuesText(selection) : `sprint ${shorten(sprint, NAME_LENGTH)}`;
  const what =
    issues !== undefined ? ` for ${countOf(issues, 'issue')}` : until !== undefined ? ` until ${until}` : '';
  return `the forecast${what} of ${which}`;
}

/** A forecast: the date, or the number, of 85%, then the others; a picture; what it is made from, and its doubts. */
function forecastSheet(forecast: Forecast, { question, place }: ViewContext<ForecastQuestion>): AnswerSheet {
  const { provenance, refused } = forecast;
  const { selection } = question;
  return {
    headline: wordedText((wording) =>
      refused === null ? headText(forecast, question, wording) : refusedText(forecast, question, wording),
    ),
    warnings: finishedWarnings(provenance, forecast, null, ''),
    chart: oddsChart(forecast),
    remarks: refused === null ? [basisOf(forecast), ...doubtsOf(forecast)] : [],
    footer: wordedText((wording) => footText(historiesOf(provenance), wording, queryText(selection, place))),
    hasFile: false,
  };
}

/** `20 issues in WEB will be done by Jan 14 (85%) · even odds: Jan 6 · nearly sure (95%): Jan 20`. */
function headText(forecast: Forecast, question: ForecastQuestion, wording: Wording): string {
  const { forecastOf, percentiles, remaining, until, issue, sprint, provenance } = forecast;
  const near = provenance.asOf;
  const [even, likely, sure] = [50, 85, 95].map((percent) =>
    percentiles.find((one) => one.percent === percent),
  );
  const which = subjectOf(forecast, question, wording);
  const others = [
    `even odds: ${valueText(even, near)}`,
    `nearly sure (95%): ${valueText(sure, near)}`,
    ...(sprint?.percent == null || sprint.end === null
      ? []
      : [`odds by its end (${dayIn(sprint.end, near)}): ${oddsText(sprint.percent)}`]),
  ].join(' · ');
  if (forecastOf === 'count') {
    const count = likely?.issues ?? 0;
    const day = dayIn(until ?? '', near);
    const first =
      count === 0
        ? `It is not sure that any issue${which} will be done by ${day} (85%)`
        : `${countWords(count)} or more issues${which} will be done by ${day} (85%)`;
    return `${wording.bold(first)} · ${others}`;
  }
  const when =
    likely?.date == null
      ? 'will not be done within five years'
      : `will be done by ${dayIn(likely.date, near)}`;
  if (issue !== null)
    return `${issueTitle(issue, wording)}\n${wording.strong(`${capital(when.replace(/^will/, 'Will'))} (85%)`)} · ${others}`;
  return `${wording.bold(`${countIn(forecast, remaining ?? 0)}${which} ${when} (85%)`)} · ${others}`;
}

function countIn({ isOpenCount }: Forecast, count: number): string {
  if (!isOpenCount) return countOf(count, 'issue');
  return count === 1 ? 'The one open issue' : `All ${countWords(count)} open issues`;
}

/** ` in WEB`, ` of WEB Sprint 12`. */
function subjectOf({ sprint }: Forecast, { selection }: ForecastQuestion, wording: Wording): string {
  return sprint === null
    ? selectionWords(selection, wording)
    : ` of ${wording.words(shorten(sprint.name, NAME_LENGTH))}`;
}

function valueText(one: ForecastPercentile | undefined, near: number): string {
  if (one?.issues != null) return countWords(one.issues);
  return one?.date == null ? 'later than in five years' : dayIn(one.date, near);
}

/** `Jan 14`; a day that is far away has its year. */
function dayIn(day: string, near: number): string {
  return nearDayText(readIsoDay(day) ?? near, near, false);
}

/** Trials are too few to say never, or always. */
function oddsText(percent: number): string {
  if (percent < 1) return 'under 1%';
  return percent > 99 ? 'over 99%' : percentText(percent / 100);
}

/** Why there is no forecast, and what works instead. */
function refusedText(forecast: Forecast, question: ForecastQuestion, wording: Wording): string {
  const { refused, issue, provenance } = forecast;
  const { reason = 'nothing-open', needed, found, tryOn } = refused ?? {};
  const { words } = wording;
  const { selection, timeZone } = question;
  const near = provenance.asOf;
  const key = issue === null ? '' : wording.key(shorten(issue.key, NAME_LENGTH), issue.link);
  const project = selection.by === 'project' ? selection.project : null;
  const there = `there ${found === 1 ? 'is' : 'are'} ${countWords(found ?? 0)}`;
  switch (reason) {
    case 'too-few-weeks': {
      const has =
        project === null ? there : `${words(shorten(project, NAME_LENGTH))} has ${countWords(found ?? 0)}`;
      const weeks = `I need ${countWords(needed ?? 0)} weeks with finished issues to forecast; ${has}.`;
      return `${wording.bold(weeks)} Try again after ${dayIn(tryOn ?? '', near)}.`;
    }
    case 'nothing-open': {
      const none = wording.bold(`No open issues${subjectOf(forecast, question, wording)}`);
      const hint = project === null ? ' of issues' : `: \`/tis forecast ${words(project)} 20 issues\``;
      return `${none}, so there is nothing to forecast. Try a number${hint}`;
    }
    case 'too-few-issues': {
      const age = durationWords(issue?.ageMs ?? 0, dayMsOf(provenance.calendar));
      return `${wording.bold(`I need ${countWords(needed ?? 0)} issues finished in the last 90 days that took as long as ${key} has so far (${age}); ${there}.`)} See where it is: \`/tis ${wording.words(issue?.key ?? '')}\``;
    }
    case 'not-started':
      return `${wording.bold(`${key} is not started`)}, so I can't say when it will be done. All that is open: \`/tis forecast ${wording.words(projectKeyOf({ key: issue?.key ?? '' }))}\``;
    case 'done':
      return issue?.finishedAt == null
        ? `✅ ${wording.bold(`${key} is done.`)}`
        : `✅ ${wording.bold(`${key} was done on ${dayWords(issue.finishedAt, { timeZone, near })}.`)}`;
    case 'age-unknown':
      return `${wording.bold(`It is unknown when work on ${key} began`)}, so I can't say when it will be done. See its history: \`/tis ${wording.words(issue?.key ?? '')} by history\``;
  }
}

/** `From 12 weeks of finished work (5 to 9 a week) · working days of Berlin`. */
function basisOf({ weeks, compared, comparedInStatus, issue, provenance }: Forecast): Text {
  const { calendar } = provenance;
  return wordedText(({ words }) => {
    const hours = calendar.continuous
      ? ''
      : ` · working days of ${words(shorten(calendar.name, NAME_LENGTH))}`;
    if (issue !== null) {
      const age = durationWords(issue.ageMs, dayMsOf(calendar));
      const where =
        comparedInStatus && issue.status !== null
          ? ` and were ${words(inStatus(shorten(issue.status.name, NAME_LENGTH)))}`
          : '';
      return `From ${countOf(compared ?? 0, 'issue')} finished in the last 90 days that took ${age} or longer${where}${hours}`;
    }
    const each = weeks.map(({ finished }) => finished);
    const [low, high] = [Math.min(...each), Math.max(...each)];
    const range = low === high ? countWords(low) : `${countWords(low)} to ${countWords(high)}`;
    return `From ${countOf(weeks.length, 'week')} of finished work (${range} a week)${hours}`;
  });
}

/** From this share of weeks without a finished issue on, work comes in bursts that no past week announces. */
const MIN_IDLE = 0.25;

/** Throughput that changed, scope that grows, and work that comes in bursts. */
function doubtsOf(forecast: Forecast): readonly Text[] {
  const { change, scopeGrows, arrived, weeks, provenance, isOpenCount } = forecast;
  const sentences: string[] = [];
  if (change !== null) {
    const { before, recent, percentiles } = change;
    const by = before === 0 ? '' : ` by ${percentText(Math.abs(recent - before) / before)}`;
    const likely = percentiles.find(({ percent }) => percent === 85);
    const alone = valueText(likely, provenance.asOf);
    sentences.push(
      `:warning: Throughput ${recent < before ? 'fell' : 'rose'}${by}: ${countWords(before)} a week before, ${countWords(recent)} a week in the last 6 weeks. From these alone: ${alone} (85%).`,
    );
  }
  if (scopeGrows) {
    const finished = weeks.reduce((sum, week) => sum + week.finished, 0);
    const effect = isOpenCount ? ' New issues are not in the forecast.' : '';
    sentences.push(
      `:warning: The scope grows: ${countOf(arrived ?? 0, 'issue')} arrived in these weeks, ${countWords(finished)} were finished.${effect}`,
    );
  }
  const idle = weeks.filter(({ finished }) => finished === 0).length;
  if (idle > 0 && idle >= MIN_IDLE * weeks.length)
    sentences.push(
      `:warning: In ${countWords(idle)} of ${countWords(weeks.length)} weeks nothing was finished, so this is less sure than it looks.`,
    );
  return sentences.map((sentence) => wordedText(() => sentence));
}

/** The chance by date, or by number, those of 50, 85 and 95% marked; null where there is nothing to compare. */
function oddsChart({ odds, percentiles, forecastOf, provenance }: Forecast): Chart | null {
  if (odds.length < 2) return null;
  const isCount = forecastOf === 'count';
  const labelOf = ({ date, issues }: ForecastOdds) => {
    const value = issues === null ? dayIn(date ?? '', provenance.asOf) : countWords(issues);
    // One day can be that of several chances: the largest says all.
    const mark = percentiles.findLast((one) => one.date === date && one.issues === issues);
    return mark === undefined ? value : `${value} (${mark.percent}%)`;
  };
  const title = isCount ? 'Chance of so many issues or more' : 'Chance to be done by date';
  const categories = chartLabels(odds.map(labelOf));
  const chances = odds.map(({ percent }) => Math.round(percent));
  return {
    kind: 'bar',
    title,
    unit: '%',
    categories,
    series: [{ name: 'Chance', values: chances }],
    alt: shorten(
      `${title}: ${odds.map((one, i) => `${labelOf(one).replace(/ \(.*/, '')} ${chances[i]}%`).join(', ')}.`,
      limits.image.alt,
    ),
  };
}

const things = /^(?:issues?|tickets?|items?|stories|tasks?|bugs?)$/i;

/** The number or the day of a forecast, and the words that are left. */
interface Target extends Pick<ForecastQuestion, 'issues' | 'until'> {
  readonly left: readonly Word[];
}

/** `20 issues in WEB`. */
function takeLeading(words: readonly Word[]): Target {
  const [number, thing, preposition] = words.map(({ plain }) => plain);
  if (words.length < 3 || !isCount(number) || !things.test(thing ?? '')) return { left: words };
  const isFollowed = oneOf(['in', 'of', 'from', 'for'], preposition) !== undefined;
  return { left: words.slice(isFollowed ? 3 : 2), issues: numberOf(number) };
}

/** The longest name of a day: `Friday, Dec 24 2026`. */
const MAX_WORDS = 4;

/** Takes `20 issues` and `by Dec 24` off the end. */
function takeTarget(target: Target, context: ParserContext): Target {
  const { left } = target;
  const [number, thing] = left.slice(-2).map(({ plain }) => plain);
  if (isCount(number) && things.test(thing ?? ''))
    return takeTarget({ ...target, left: left.slice(0, -2), issues: numberOf(number) }, context);
  const today = dayAt(context.now, context.hours.timeZone);
  for (let start = Math.max(0, left.length - MAX_WORDS - 1); start < left.length - 1; start += 1) {
    if (oneOf(['by', 'until', 'till', 'before'], left[start]?.plain) === undefined) continue;
    const typed = plainText(left.slice(start + 1));
    const day = readDay(typed, today);
    if (day === null || day.time !== null) continue;
    if (day.day < today) throw badRequest(`"${typed}" is in the past. Try: a later day.`);
    return takeTarget({ ...target, left: left.slice(0, start), until: isoDay(day.day) }, context);
  }
  return target;
}

/** Refuses a day that is not known. A query may go on with `ORDER BY`. */
function assertDay(left: readonly Word[]): void {
  const at = left.findLastIndex(({ plain }) => oneOf(['by', 'until', 'till'], plain) !== undefined);
  if (at < 0 || left.some(({ plain }) => /^jql$|[=~<>(]/i.test(plain))) return;
  if (at === left.length - 1) throw badRequestAs('missing-value', 'The day is missing. Try: by Dec 24.');
  throw badRequest(`I don't know the day "${plainText(left.slice(at + 1))}". Try: by Dec 24.`);
}

function isCount(word: string | undefined): boolean {
  return /^\d[\d,]*$/.test(word ?? '');
}

function numberOf(word: string | undefined): number {
  const count = Number((word ?? '').replaceAll(',', ''));
  if (count >= 1 && count <= MAX_COUNT) return count;
  throw badRequest(`"${word}" is not a number of issues. Try: 1 to ${countWords(MAX_COUNT)}.`);
}

/** The issues that are meant; `sprint` alone is the one that runs. */
async function issuesOf(words: readonly Word[], context: ParserContext): Promise<JoinedFilter> {
  if (!/^(?:(?:this|the|current) )?sprint$/i.test(plainText(words))) return filterOrDefault(words, context);
  const usual = await context.defaultProjects();
  const { selection } = usual === null ? { selection: null } : await filterOrDefault([], context);
  const running = await context.sprintNow('this', selection);
  if (running === null)
    throw badRequest('No sprint is running here. Try: a project such as WEB, or sprint NAME.');
  const { name } = running;
  return {
    selection: { by: 'jql', jql: `sprint = ${asLiteral(name)}` },
    title: `sprint ${name}`,
    sprint: name,
    remark: `The sprint that runs is ${codeText(name)}.`,
  };
}
