import { isOut } from '../../api/delegations/delegation-api.ts';
import type {
  AwayToo,
  Coverage,
  Delegation,
  TimeSpan,
  Uncovered,
  UncoveredReason,
} from '../../model/delegation.ts';
import { capitalized, runButton } from '../app/show-failure.ts';
import { lineBlocks, listText, type Message } from '../blocks/message.ts';
import { actions } from '../blocks/mrkdwn.ts';
import {
  boldText,
  type CoverWords,
  coverText,
  edgeText,
  personText,
  spanText,
  workText,
} from './cover-words.ts';

/**
 * A message on who covers for a person, who steps in, what they still do, and the people they cover for. `when` is null
 * for now; `next` is the cover that comes where there is none now.
 */
export function coverMessage(
  person: string,
  coverage: Omit<Coverage, 'ending'>,
  {
    when,
    category,
    isOver,
    next,
  }: {
    readonly when: string | null;
    readonly category: string | null;
    readonly isOver: boolean;
    readonly next: Delegation | null;
  },
  words: CoverWords,
): Message {
  const own = coverage.delegations.filter(({ delegator }) => delegator === person);
  const covering = coverage.delegations.filter(({ delegator }) => delegator !== person);
  const line = (one: Delegation) => () => coverText(one, words, outText(one, coverage, words));
  const isPart =
    category === null && own.length > 0 && own.every(({ categoryIds }) => categoryIds.length > 0);
  const work = category === null ? '' : ` for ${category}`;
  return lineBlocks([
    ...(own.length === 0
      ? [`No one ${isOver ? 'covered' : 'covers'} for ${boldText(person, words)}${work} ${when ?? 'now'}.`]
      : []),
    ...(next === null ? [] : [() => `Next: ${coverText(next, words)}`]),
    ...(own.length === 0 || when === null ? [] : [`${capitalized(when)}:`]),
    ...own.map(line),
    ...coverage.uncovered.map((one) => `:warning: ${uncoveredText(one, words, coverage.span)}`),
    ...(isPart ? [`Everything else: ${personText(person, words)}.`] : []),
    ...covering.map(line),
    ...(person === words.reader && when !== null && covering.length === 0
      ? [`You ${isOver ? 'covered' : 'cover'} for no one ${when}.`]
      : []),
  ]);
}

/** Adds what to do about cover below a message; `setLine` null: the reader cannot set it. */
export function withButtons({ text, blocks }: Message, setLine: string | null): Message {
  const set = setLine === null ? [] : [runButton(setLine, 'Set cover')];
  const elements = [...set, runButton('/delegates week', 'This week', 1)];
  return { text, blocks: [...blocks, actions(...elements)] };
}

/** The most absences that are looked at; two that read differently are shown. */
const OUTS = 8;

/**
 * When the delegates of a cover are out, and who steps in: ` (Bob is out Dec 24–26: Carl steps in)`; for which categories,
 * where the cover is for others as well.
 */
export function outText(
  one: Delegation,
  { awayToo, span }: Pick<Coverage, 'awayToo' | 'span'>,
  words: CoverWords,
): string {
  const outs = awayToo.filter((away) => isOut(one, away)).slice(0, OUTS);
  const alike = Map.groupBy(outs, ({ categoryId: _, ...away }) => JSON.stringify(away)).values();
  const lines = [...new Set([...alike].flatMap((group) => outClauses(group, one.categoryIds, words, span)))];
  if (lines.length === 0) return '';
  return ` (${lines.slice(0, 2).join('; ')}${lines.length > 2 ? '; and more' : ''})`;
}

/** One who is out in some categories alike; `covered` are those of the cover. */
function outClauses(
  alike: readonly AwayToo[],
  covered: readonly number[],
  words: CoverWords,
  span: TimeSpan,
): readonly string[] {
  const ids = alike.map(({ categoryId }) => categoryId);
  const isAll = ids.includes(null) || (covered.length > 0 && covered.every((id) => ids.includes(id)));
  const work = isAll
    ? ''
    : workText(
        ids.flatMap((id) => id ?? []),
        words,
      );
  return alike.slice(0, 1).map(({ delegate, person, standIns, ...at }) => {
    const out = delegate === words.reader ? 'you are out' : `${words.person(delegate)} is out`;
    return `${out}${work}${stretchText(at, [person, delegate], words, span)}${stepsInText(standIns, words)}`;
  });
}

function stepsInText(remaining: readonly string[] | null, words: CoverWords): string {
  if (remaining === null) return '';
  if (remaining.length === 0) return ': no one steps in';
  const names = listText(remaining.map((id) => personText(id, words)));
  return `: ${names} ${remaining.length > 1 || remaining[0] === words.reader ? 'step' : 'steps'} in`;
}

/** That a delegate is out too, and who steps in; `span` is what was looked at, `whole` what all of it is called. */
export function awayTooText(away: AwayToo, words: CoverWords, span: TimeSpan, whole = ''): string {
  const { delegate, person, standIns, categoryId } = away;
  const work = workText(categoryId === null ? [] : [categoryId], words);
  const when = stretchText(away, [person, delegate], words, span, whole);
  return `*${words.person(delegate)}*, who covers for ${boldText(person, words)}, is out${work}${when}${stepsInText(standIns, words)}.`;
}

/** Why no one covers. */
export const reasons: Readonly<Record<UncoveredReason, string>> = {
  loop: 'the people who cover are out too',
  gap: 'one cover ends before the next begins',
  unknown: 'the people who cover are not in Jira',
};

/** That no one covers, and why; likewise. */
export function uncoveredText(stretch: Uncovered, words: CoverWords, span: TimeSpan, whole = ''): string {
  const { person, categoryId, reason } = stretch;
  const what = categoryId === null ? '' : ` (${words.category(categoryId)})`;
  const when = stretchText(stretch, [person], words, span, whole);
  return `No one covers for ${boldText(person, words)}${what}${when}: ${reasons[reason]}.`;
}

/** When a stretch is, after a blank; one that reaches an end of what was looked at may go on beyond. */
function stretchText(
  { from, until }: TimeSpan,
  people: readonly string[],
  words: CoverWords,
  span: TimeSpan,
  whole = '',
): string {
  if (from > span.from && until < span.until) return ` ${spanText({ from, until }, people, words)}`;
  if (from > span.from) return ` ${edgeText(from, 'from', people, words)}`;
  if (until < span.until) return ` ${edgeText(until, 'until', people, words)}`;
  return whole === '' ? '' : ` ${whole}`;
}
