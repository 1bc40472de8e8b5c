import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import { countOf } from '../../../output/figure-words.ts';
import { dayText } from '../../../time/date-text.ts';
import { type AnswerContext, figuresOf, type QuestionKind } from '../question-kind.ts';
import { compose, type FigureName, figureId, partOf, unknownFigure } from '../why/explanation.ts';
import { TRIALS } from './draw-trials.ts';
import {
  type Forecast,
  type ForecastPercentile,
  type ForecastQuestion,
  forecastSchema,
  onlyKey,
} from './forecast-answer.ts';
import { forecastIssue } from './forecast-issue.ts';
import { type ForecastContext, forecastIssues } from './forecast-issues.ts';
import { MAX_WEEKS } from './past-weeks.ts';

/** `/tis forecast [FILTER] [20 issues | by Dec 24] [in CALENDAR]`, or of one issue. */
export const forecastKind: QuestionKind<ForecastQuestion, Forecast> = {
  kind: 'forecast',
  selections: ({ selection }) => [selection],
  answer: async (question, context) => figuresOf(await answerForecast(question, context)),
  isEmpty: () => false,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind: ({ selection }, { projects }, about) => [
    about(selection),
    ...projects.map((project) => about({ by: 'project', project })),
  ],
  document: { schema: forecastSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: forecastFigures,
  explain: explainForecast,
  file: async () => null,
};

/** Answers a question about one issue, or about many. */
function answerForecast(question: ForecastQuestion, context: ForecastContext): Promise<Forecast> {
  const key = onlyKey(question);
  return key === null ? forecastIssues(question, context) : forecastIssue(question, key, context);
}

/** Each date or number by its chance, and the issues finished in the weeks that are drawn from. */
function forecastFigures(forecast: Forecast): readonly FigureChoice[] {
  const { percentiles, weeks } = forecast;
  return [
    ...percentiles
      .toSorted((a, b) => Number(b.percent === 85) - Number(a.percent === 85))
      .flatMap((one) => {
        const title = titleOf(one);
        return title === null ? [] : [{ id: figureId('percentiles', String(one.percent)), title }];
      }),
    ...(weeks.length === 0 ? [] : [{ id: figureId('weeks'), title: 'Finished in the weeks drawn from' }]),
  ];
}

function titleOf({ percent, date, issues }: ForecastPercentile): string | null {
  if (issues !== null) return `Issues finished with a chance of ${percent}%, or more`;
  return date === null ? null : `Chance to be done by ${dayText(date, 'EEE, MMM d, yyyy')}, in percent`;
}

/** Explains a date or a number by how it is drawn and from which weeks. */
async function explainForecast(
  { kind, words: [word] }: FigureName,
  question: ForecastQuestion,
  context: AnswerContext,
): Promise<Explanation> {
  const forecast = await answerForecast(question, context);
  const { percentiles, odds, weeks, provenance } = forecast;
  const chosen = percentiles.find(({ percent }) => String(percent) === word);
  const title = chosen === undefined ? null : titleOf(chosen);
  const parts = weeks.map(({ start, end, finished }) =>
    partOf({ label: countOf(finished, 'issue'), from: start, until: end, note: 'finished' }),
  );
  if (kind === 'weeks' && weeks.length > 0) {
    const finished = weeks.reduce((sum, week) => sum + week.finished, 0);
    return compose({
      title: 'Finished in the weeks drawn from',
      value: { kind: 'count', value: finished },
      rules: [weeksRule],
      parts,
      adds: false,
      provenance,
      asOf: context.asOf,
    });
  }
  if (kind !== 'percentiles' || chosen === undefined || title === null) throw unknownFigure();
  const { date, issues } = chosen;
  const chance = odds.find((point) => point.date === date)?.percent ?? chosen.percent;
  return compose({
    title,
    value: { kind: 'count', value: issues ?? chance },
    rules: rulesOf(forecast),
    parts,
    adds: false,
    provenance,
    asOf: context.asOf,
  });
}

const weeksRule = `The last ${MAX_WEEKS} weeks of seven days before the day of the forecast, without those before the first issue was finished.`;

function rulesOf({ forecastOf, compared, comparedInStatus }: Forecast): readonly string[] {
  if (forecastOf === 'issue') {
    const where = comparedInStatus ? ', and were in its status' : '';
    return [
      `Compared with ${countOf(compared ?? 0, 'issue')} of the project finished in the last 90 days that took at least as long as this one has so far${where}.`,
      'The time that each of them needed from that age on is added to now, in working time.',
      'The chance is the share of these issues that would be done by the end of the day.',
    ];
  }
  return [
    `${TRIALS.toLocaleString('en-US')} trials: each puts one week after the other together from the weeks below, so long as it takes.`,
    'A week is drawn half as often as one that is four weeks later. A working day has the issues that the same weekday of the drawn week had.',
    forecastOf === 'count'
      ? 'In that share of the trials so many issues, or more, are finished by the end of the last day.'
      : 'The chance is the share of trials that are done by the end of the day.',
    weeksRule,
  ];
}
