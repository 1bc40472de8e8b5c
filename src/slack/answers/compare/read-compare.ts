import { isDeepStrictEqual } from 'node:util';
import type { CompareQuestion } from '../../../api/answers/compare/compare-answer.ts';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import type { Side } from '../../../model/question.ts';
import { dateRangeFields } from '../../../model/request.ts';
import { dayAt, yearOf } from '../../../time/wall-clock.ts';
import {
  comparedFigure,
  hoursOf,
  parseOptions,
  type Tails,
  withSprintTime,
} from '../../ask/grammar/parse-options.ts';
import type { ParserContext, QuestionReader } from '../../ask/grammar/parser-context.ts';
import { type Filter, filterOrDefault, readFilter } from '../../ask/grammar/read-filter.ts';
import { readRange, USUAL_FIELD } from '../../ask/grammar/read-range.ts';
import { oneOf, type Word, wordsOf } from '../../ask/grammar/typed-words.ts';

const USAGE = 'A with B, such as WEB with APP last 30 days, or WEB last month with this month';

const sideTails = ['range', 'calendar', 'unit', 'sprint', 'statistic', 'cycleTime', 'inStatus'] as const;

/**
 * Reads `A with B [time in STATUS] [STATISTIC] [in CALENDAR]`, each side `[FILTER] [RANGE]`. What one side lacks it takes from the other. A time without
 * a field is that of the finish: cycle times are of what is finished, and little of what was created lately is. Two projects
 * need no word between them.
 */
export const readCompare: QuestionReader = async (typed, context) => {
  const words = splitAt(typed) < 0 ? await withWith(typed, context) : typed;
  const at = splitAt(words);
  if (at < 0) {
    throw badRequestAs(
      'missing-value',
      `Compare needs two sides with the word "with" between them. Try: ${USAGE}.`,
    );
  }
  const first = await parseOptions(words.slice(0, at), sideTails, context);
  const second = await parseOptions(words.slice(at + 1), sideTails, context);
  if (second.left.length === 0 && (second.tails.range ?? second.tails.sprint) === undefined) {
    throw badRequestAs('missing-value', `What comes after "${words[at]?.plain}" is missing. Try: ${USAGE}.`);
  }
  const [unit, otherUnit] = [first.tails.unit, second.tails.unit];
  if (unit !== undefined && otherUnit !== undefined && unit !== otherUnit) {
    throw badRequestAs(
      'conflicting-values',
      `One side is in ${unit}, the other in ${otherUnit}. Try: one unit for both.`,
    );
  }
  const { remark, ...one } =
    first.left.length > 0 || second.left.length === 0
      ? await filterOrDefault(first.left, context)
      : { ...(await readFilter(second.left, context)), remark: null };
  const other = second.left.length === 0 ? one : await readFilter(second.left, context);
  const [left, right] = [
    await withSprintTime(first.tails, one.selection, context),
    await withSprintTime(second.tails, other.selection, context),
  ];
  const remarks = [
    ...new Set([remark, ...('remark' in other ? [other.remark] : []), left.remark, right.remark]),
  ].filter((one) => one !== null);
  const sides = [
    sideOf(one, left.tails.range ?? right.tails.range, context),
    sideOf(other, right.tails.range ?? left.tails.range, context),
  ] as const;
  if (sides[0].title.toLowerCase() === sides[1].title.toLowerCase()) {
    throw badRequest(`Both sides are "${sides[0].title}". Try: two that differ, such as ${USAGE}.`);
  }
  const tails = { ...first.tails, ...second.tails };
  const measure = await measureOf(tails, context);
  const question: CompareQuestion = {
    kind: 'compare',
    sides,
    ...hoursOf(tails, context),
    ...(measure === null ? {} : { measure }),
  };
  await context.check(question);
  return { question, remark: remarks.join(' ') || null };
};

/** The figure to compare by; null if neither a statistic nor a status was typed. */
async function measureOf(
  { statistic, inStatus, cycleTime }: Tails,
  { statuses }: Pick<ParserContext, 'statuses'>,
): Promise<NonNullable<CompareQuestion['measure']> | null> {
  if (statistic === undefined && inStatus === undefined) return null;
  if (inStatus !== undefined && cycleTime)
    throw badRequest('Compare is by the cycle time or by the time in one status. Try: only one of them.');
  const figure = statistic === undefined || statistic === 'list' ? null : comparedFigure(statistic);
  if (statistic !== undefined && figure === null)
    throw badRequest('Two sides are compared by average, median or p85. Try: one of them.');
  if (inStatus === undefined) return { figure: figure ?? 'median' };
  const name = (await statuses()).find(({ id }) => inStatus.includes(id))?.name ?? '';
  return { figure: figure ?? 'average', status: { name, ids: inStatus } };
}

/** Two projects with the word between them that was left out, or that was another: `WEB APP`, `WEB and APP last month`. */
async function withWith(words: readonly Word[], context: ParserContext): Promise<readonly Word[]> {
  const { left } = await parseOptions(words, sideTails, context);
  const names = left.filter(({ plain }) => oneOf(['and', '&', 'to', 'against', 'or'], plain) === undefined);
  const plain = names.map((one) => one.plain.replace(/,$/, ''));
  const [one = '', other = ''] = plain;
  const areProjects =
    names.length === 2 && (await context.isProject(one)) && (await context.isProject(other));
  return areProjects ? [...wordsOf(`${one} with ${other}`), ...words.slice(left.length)] : words;
}

/** The place of the word between the sides, outside of quotes; -1 if there is none. */
function splitAt(words: readonly Word[]): number {
  let isOpen = false;
  for (const [at, { plain }] of words.entries()) {
    if (!isOpen && at > 0 && oneOf(['with', 'vs', 'vs.', 'versus', 'against'], plain) !== undefined)
      return at;
    if ((plain.match(/"/g)?.length ?? 0) % 2 === 1) isOpen = !isOpen;
  }
  return -1;
}

function sideOf({ selection, title }: Filter, range: Tails['range'], context: ParserContext): Side {
  if (range === undefined) return { title, selection, range: null };
  const { when, words } = range;
  const named = oneOf(dateRangeFields, words.split(' ')[0]);
  const time = withYear(range, context);
  return {
    title: `${title}, ${named === undefined ? `${USUAL_FIELD} ` : ''}${time}`,
    selection,
    range: { field: named ?? USUAL_FIELD, when },
  };
}

/** The words of a time, with its year where that is not the running one: `Q2 2025`, `2025-W50`. */
function withYear({ when, words }: NonNullable<Tails['range']>, { now, hours }: ParserContext): string {
  if (when.by !== 'dates' || when.from === null) return words;
  const [year, running] = [when.from, now].map((at) => yearOf(dayAt(at, hours.timeZone)));
  if (year === running) return words;
  const isSame = (other: string) =>
    isDeepStrictEqual(readRange(other.split(' '), { now, hours, isLoose: true })?.when, when);
  return [`${words} ${year}`, `${year}-${words}`].find(isSame) ?? words;
}
