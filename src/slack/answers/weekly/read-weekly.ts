import type { WeeklyQuestion } from '../../../api/answers/weekly/nine-weeks.ts';
import { badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { shorten } from '../../../output/readable-text.ts';
import { mondayOf, type NamedWeek, readWeekName } from '../../../time/day-words.ts';
import { dayAt, firstInstantFrom } from '../../../time/wall-clock.ts';
import { parseOptions, unitOf } from '../../ask/grammar/parse-options.ts';
import { filterKinds, type ParserContext, type QuestionReader } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault } from '../../ask/grammar/read-filter.ts';
import { oneOf, plainText, type Word } from '../../ask/grammar/typed-words.ts';

const MAX_SHOWN_LENGTH = 60;

const weekNames = 'last week, this week, or an ISO week such as 2026-W46 or W46';

const likeWeek = /(?:^|\s)((?:\S+\s+)?(?:\d+\s+)?weeks?(?:\s+\d+)?|(?:\d{4}-?)?w\d+)$/i;

/** Reads `[FILTER] [this week|last week|2026-W46|W46] [in CALENDAR]`, the ends in any order. */
export const readWeekly: QuestionReader = async (words, context) => {
  const before = takeWeek(words, context);
  const { rest, tails } = await parseOptions(before.rest, ['calendar', 'unit'], context);
  const { week, rest: filter } = before.week === null ? takeWeek(rest, context) : { ...before, rest };
  if (week === null) await assertWeek(filter, context);
  const { selection, remark } = await filterOrDefault(filter, context);
  const { hours } = context;
  const question: WeeklyQuestion = {
    kind: 'weekly',
    selection,
    week: week ?? 'last',
    calendar: tails.calendar ?? hours.calendar,
    timeZone: hours.timeZone,
    ...unitOf(tails),
  };
  await context.check(question);
  return { question, remark };
};

/** The longest name of a week: `calendar week 46`. */
const MAX_WORDS = 3;

function takeWeek(
  words: readonly Word[],
  context: Pick<ParserContext, 'now' | 'hours'>,
): { readonly week: WeeklyQuestion['week'] | null; readonly rest: readonly Word[] } {
  for (let start = Math.max(0, words.length - MAX_WORDS); start < words.length; start += 1) {
    const typed = plainText(words.slice(start)).toLowerCase();
    const rest = words.slice(0, start);
    const running = /^(this|last) week$/.exec(typed)?.[1];
    if (running !== undefined) return { week: running === 'this' ? 'this' : 'last', rest };
    const named = readWeekName(typed);
    if (named === null) continue;
    // `sprint KW 46` is a sprint that is called so.
    const isName = oneOf(filterKinds, words[start - 1]?.plain ?? '') !== undefined;
    return isName ? { week: null, rest: words } : { week: startOf(typed, named, context), rest };
  }
  return { week: null, rest: words };
}

/** The first instant of a named week in the zone of the question. */
function startOf(
  typed: string,
  named: NamedWeek,
  { now, hours: { timeZone } }: Pick<ParserContext, 'now' | 'hours'>,
): Instant {
  const monday = mondayOf(named, dayAt(now, timeZone), 'past');
  if (monday === null) {
    const refused =
      named.year === null
        ? `No year has a week ${named.number}.`
        : `There is no "${typed.toUpperCase()}" in that year.`;
    throw badRequest(`${refused} Try: ${weekNames}.`);
  }
  const start = firstInstantFrom(monday, timeZone);
  if (start > now) {
    throw badRequest(`The week "${typed.toUpperCase()}" hasn't begun. Try: ${weekNames}.`);
  }
  return start;
}

/** Refuses what looks like a week but names none, where it cannot be part of a name or a query. */
async function assertWeek(
  words: readonly Word[],
  { isProject }: Pick<ParserContext, 'isProject'>,
): Promise<void> {
  const [first = ''] = words.map(({ plain }) => plain);
  const kind = oneOf(filterKinds, first);
  if (
    (kind !== undefined && kind !== 'project') ||
    (await isProject(plainText(words.slice(kind === undefined ? 0 : 1))))
  )
    return;
  const [, typed] = likeWeek.exec(plainText(words)) ?? [];
  if (typed === undefined) return;
  const [, project, meant] = /^(\S+) (weeks?)$/.exec(typed) ?? [];
  const isOwn = project !== undefined && (await isProject(project));
  throw badRequest(
    `"${shorten(isOwn ? (meant ?? typed) : typed, MAX_SHOWN_LENGTH)}" doesn't name a week. Try: ${weekNames}.`,
  );
}
