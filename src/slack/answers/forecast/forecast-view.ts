import type {
  Forecast,
  ForecastOdds,
  ForecastPercentile,
} from '../../../api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../../api/answers/forecast/forecast-kind.ts';
import { type ForecastQuestion, onlyKey } from '../../../api/answers/forecast/forecast-question.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { countOf, countWords, inStatus } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import { capital, dayMsOf, dayWords, type Wording } from '../../../output/wording.ts';
import { readIsoDay } from '../../../time/date-text.ts';
import { nearDayText } from '../../../time/day-words.ts';
import { limits } from '../../blocks/limits.ts';
import { issueTitle } from '../issue/issue-view.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { chartLabels } from '../view/figures-drawn.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { readForecast } from './read-forecast.ts';

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
  read: readForecast,
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
function forecastSheet(
  forecast: Forecast,
  { question, place }: ViewContext & { readonly question: ForecastQuestion },
): AnswerSheet {
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
  const near = provenance.asOf;
  const days = { timeZone: question.timeZone, near };
  const key = issue === null ? '' : wording.key(shorten(issue.key, NAME_LENGTH), issue.link);
  const dayMs = dayMsOf(provenance.calendar);
  switch (reason) {
    case 'too-few-weeks': {
      const { by } = question.selection;
      const name = by === 'project' ? question.selection.project : null;
      const has =
        name === null
          ? `there ${found === 1 ? 'is' : 'are'} ${countWords(found ?? 0)}`
          : `${wording.words(shorten(name, NAME_LENGTH))} has ${countWords(found ?? 0)}`;
      const weeks = wording.bold(
        `I need ${countWords(needed ?? 0)} weeks with finished issues to forecast; ${has}.`,
      );
      return `${weeks} Try again after ${dayIn(tryOn ?? '', near)}.`;
    }
    case 'nothing-open': {
      const none = wording.bold(`No open issues${subjectOf(forecast, question, wording)}`);
      const { selection } = question;
      const hint =
        selection.by === 'project'
          ? `: \`/tis forecast ${wording.words(selection.project)} 20 issues\``
          : ' of issues';
      return `${none}, so there is nothing to forecast. Try a number${hint}`;
    }
    case 'too-few-issues': {
      const age = durationWords(issue?.ageMs ?? 0, dayMs);
      const there = `${found === 1 ? 'there is' : 'there are'} ${countWords(found ?? 0)}`;
      return `${wording.bold(`I need ${countWords(needed ?? 0)} issues finished in the last 90 days that took as long as ${key} has so far (${age}); ${there}.`)} See where it is: \`/tis ${wording.words(issue?.key ?? '')}\``;
    }
    case 'not-started':
      return `${wording.bold(`${key} is not started`)}, so I can't say when it will be done. All that is open: \`/tis forecast ${wording.words(projectKeyOf({ key: issue?.key ?? '' }))}\``;
    case 'done':
      return issue?.finishedAt == null
        ? `✅ ${wording.bold(`${key} is done.`)}`
        : `✅ ${wording.bold(`${key} was done on ${dayWords(issue.finishedAt, days)}.`)}`;
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
function doubtsOf({
  change,
  scopeGrows,
  arrived,
  weeks,
  provenance,
  isOpenCount,
}: Forecast): readonly Text[] {
  const sentences: string[] = [];
  if (change !== null) {
    const { before, recent, percentiles } = change;
    const by = before === 0 ? '' : ` by ${percentText(Math.abs(recent - before) / before)}`;
    const alone = valueText(
      percentiles.find(({ percent }) => percent === 85),
      provenance.asOf,
    );
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
