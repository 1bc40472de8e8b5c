import type { ForecastQuestion } from '../../../api/answers/forecast/forecast-answer.ts';
import { MAX_COUNT } from '../../../api/parameters/forecast.ts';
import { asLiteral } from '../../../api/reporting/query-text.ts';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import { countOf, countWords } from '../../../output/figure-words.ts';
import { isoDay } from '../../../time/date-text.ts';
import { readDay } from '../../../time/day-words.ts';
import { dayAt } from '../../../time/wall-clock.ts';
import { parseOptions, unitOf } from '../../ask/grammar/parse-options.ts';
import type { ParserContext, QuestionReader } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault, type JoinedFilter } from '../../ask/grammar/read-filter.ts';
import { oneOf, plainText, type Word } from '../../ask/grammar/typed-words.ts';
import { codeText } from '../../blocks/mrkdwn.ts';

const things = /^(?:issues?|tickets?|items?|stories|tasks?|bugs?)$/i;

/** Reads `[FILTER] [20 issues | by DAY] [in CALENDAR]`, the ends in any order; the number may come first: `20 issues in WEB`. */
export const readForecast: QuestionReader = async (words, context) => {
  const first = takeTarget(takeLeading(words), context);
  const { rest, tails } = await parseOptions(first.rest, ['calendar', 'unit'], context);
  const second = takeTarget({ ...first, rest }, context);
  assertDay(second.rest);
  const { issues, until } = second;
  if (issues !== undefined && until !== undefined)
    throw badRequest(`A forecast takes a number or a day, not both. Try: ${countOf(issues, 'issue')} alone.`);
  const { selection, sprint, remark } = await issuesOf(second.rest, context);
  const { hours } = context;
  const question: ForecastQuestion = {
    kind: 'forecast',
    selection,
    ...(sprint === undefined ? {} : { sprint }),
    ...(issues === undefined ? {} : { issues }),
    ...(until === undefined ? {} : { until }),
    calendar: tails.calendar ?? hours.calendar,
    timeZone: hours.timeZone,
    ...unitOf(tails),
  };
  await context.check(question);
  return { question, remark };
};

/** The number or the day of a forecast, and the words that are left. */
interface Target extends Pick<ForecastQuestion, 'issues' | 'until'> {
  readonly rest: readonly Word[];
}

/** `20 issues in WEB`. */
function takeLeading(words: readonly Word[]): Target {
  const [number, thing, preposition] = words.map(({ plain }) => plain);
  if (words.length < 3 || !isCount(number) || !things.test(thing ?? '')) return { rest: words };
  const isFollowed = oneOf(['in', 'of', 'from', 'for'], preposition) !== undefined;
  return { rest: words.slice(isFollowed ? 3 : 2), issues: numberOf(number) };
}

/** The longest name of a day: `Friday, Dec 24 2026`. */
const MAX_WORDS = 4;

/** Takes `20 issues` and `by Dec 24` off the end. */
function takeTarget(target: Target, context: Pick<ParserContext, 'now' | 'hours'>): Target {
  const { rest } = target;
  const [number, thing] = rest.slice(-2).map(({ plain }) => plain);
  if (isCount(number) && things.test(thing ?? ''))
    return takeTarget({ ...target, rest: rest.slice(0, -2), issues: numberOf(number) }, context);
  const today = dayAt(context.now, context.hours.timeZone);
  for (let start = Math.max(0, rest.length - MAX_WORDS - 1); start < rest.length - 1; start += 1) {
    if (oneOf(['by', 'until', 'till', 'before'], rest[start]?.plain) === undefined) continue;
    const typed = plainText(rest.slice(start + 1));
    const day = readDay(typed, today);
    if (day === null || day.time !== null) continue;
    if (day.day < today) throw badRequest(`"${typed}" is in the past. Try: a later day.`);
    return takeTarget({ ...target, rest: rest.slice(0, start), until: isoDay(day.day) }, context);
  }
  return target;
}

/** Refuses a day that is not known. A query may go on with `ORDER BY`. */
function assertDay(rest: readonly Word[]): void {
  const at = rest.findLastIndex(({ plain }) => oneOf(['by', 'until', 'till'], plain) !== undefined);
  if (at < 0 || rest.some(({ plain }) => /^jql$|[=~<>(]/i.test(plain))) return;
  if (at === rest.length - 1) throw badRequestAs('missing-value', 'The day is missing. Try: by Dec 24.');
  throw badRequest(`I don't know the day "${plainText(rest.slice(at + 1))}". Try: by Dec 24.`);
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
