import { type Line, lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import type {
  AwayToo,
  CategoryId,
  Chain,
  ChainPath,
  Delegation,
  TimeSpan,
  Uncovered,
  UncoveredReason,
} from '../../model/delegation.ts';
import type { Names, Words } from '../app/message-texts.ts';
import { notesText, peopleText, periodText, spanText } from './cover-words.ts';

/** Who stands in for somebody (`delegates`), or for whom they stand in (`delegators`). */
export type Direction = 'delegates' | 'delegators';

/** What is told of one person; words are escaped. */
export interface CoverAnswer {
  readonly direction: Direction;
  readonly person: string;
  /** The category asked for, where one was. */
  readonly category: string | null;
  /** `now` or the day, in words. */
  readonly when: string;
  readonly span: TimeSpan;
  /** One instant was asked about, not a day. */
  readonly instant: boolean;
  /** With the chain of who stands in for those who stand in, where that is told. */
  readonly groups: readonly (CategoryGroup & { readonly chain: Chain | null })[];
  readonly awayToo: readonly AwayToo[];
  readonly uncovered: readonly Uncovered[];
  readonly words: Words;
}

const PATHS_SHOWN = 10;

/** The answer to who stands in for somebody, or for whom they do, and what to do where nobody does. */
export function coverMessage(story: CoverAnswer): Message {
  const { groups, words } = story;
  const lines = groups.flatMap(({ categoryId, delegations, chain }): Line[] => [
    ...(story.category === null ? [`*${capital(words.category(categoryId))}*`] : []),
    ...delegations.map((delegation) => () => `• ${lineOf(delegation, story)}`),
    ...(chain === null ? [] : chainLines(chain, words)),
  ]);
  const hint = groups.length === 0 && story.direction === 'delegates';
  const advice = hint ? ['Hand something over with `/delegates set`.'] : [];
  return lineBlocks([leadText(story, groups.length === 0), ...lines, ...warnings(story), ...advice]);
}

/** What is told, or that there is nobody. */
export function leadText(
  {
    direction,
    person,
    category,
    when,
    words,
  }: Pick<CoverAnswer, 'direction' | 'person' | 'category' | 'when' | 'words'>,
  nobody: boolean,
): string {
  const [what, who] = [category === null ? '' : ` (${category})`, `*${words.person(person)}*`];
  if (direction === 'delegates') {
    return nobody
      ? `Nobody stands in for ${who}${what} ${when}.`
      : `Who stands in for ${who}${what} ${when}:`;
  }
  return nobody ? `${who} stands in for nobody${what} ${when}.` : `For whom ${who} stands in${what} ${when}:`;
}

function lineOf(delegation: Delegation, { direction, span, category, words }: CoverAnswer): string {
  const { delegates, delegator, categoryIds, notes } = delegation;
  const who = peopleText(direction === 'delegates' ? delegates : [delegator], words);
  const general = category !== null && categoryIds.length === 0 ? ` (${words.category(null)})` : '';
  return `${who}${general}, ${periodText(delegation, span.from, words)}${notesText(notes)}`;
}

/** Only where somebody on the way is away too. */
function chainLines({ paths, more }: Chain, names: Names): readonly string[] {
  const longer = paths.filter(({ people, backTo }) => people.length > 2 || backTo !== null);
  const shown = longer.slice(0, PATHS_SHOWN).map((path) => `    ◦ ${pathText(path, names)}`);
  return longer.length > PATHS_SHOWN || more ? [...shown, '    ◦ … and further ways.'] : shown;
}

/** `Ada → Bob → Carl`; a circle is told in words. */
function pathText({ people, backTo }: ChainPath, { person }: Names): string {
  const path = people.map(person).join(' → ');
  if (backTo === null) return `${path}, as those between are away too`;
  return `${path}, who is away too and has ${person(backTo)} stand in: a circle, in which nobody is left`;
}

/** A chain tells of who is away too already. */
function warnings({ instant, span, groups, awayToo, uncovered, words }: CoverAnswer): readonly Line[] {
  const untold = groups.some(({ chain }) => chain !== null) ? [] : awayToo;
  const looked = instant ? null : { span, whole: 'all day' };
  return [
    ...untold.map((one) => () => `:warning: ${awayTooText(one, words, looked)}`),
    ...uncovered.map((one) => () => `:warning: ${uncoveredText(one, words, looked)}`),
  ];
}

/**
 * A stretch in which a delegate is away too, and who is left where the reader may know that; without what was looked at
 * it is of one instant.
 */
export function awayTooText(away: AwayToo, words: Words, looked: Looked | null): string {
  const { delegate, person, standIns } = away;
  const when = looked === null ? '' : ` ${stretchText(away, looked, words)}`;
  const left = standIns === null ? '' : `; ${leftText(standIns, words)}`;
  return `*${words.person(delegate)}*, who stands in for *${words.person(person)}*, is away too${when}${left}.`;
}

function leftText(standIns: readonly string[], names: Names): string {
  return standIns.length === 0 ? 'nobody stands in then' : `left to stand in: ${peopleText(standIns, names)}`;
}

const accountProblem: Readonly<Record<UncoveredReason, string>> = {
  loop: 'all who would are away too, in a circle',
  gap: 'one delegation is over and the next has not begun',
  unknown: 'the tracker knows nobody of those who would',
};

/** A stretch in which nobody stands in, and why; likewise. */
export function uncoveredText(stretch: Uncovered, words: Words, looked: Looked | null): string {
  const { person, categoryId, reason } = stretch;
  const when = looked === null ? '' : ` ${stretchText(stretch, looked, words)}`;
  return `Nobody stands in for *${words.person(person)}* (${words.category(categoryId)})${when}: ${accountProblem[reason]}.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The span that was looked at, and what all of it is called. */
interface Looked {
  readonly span: TimeSpan;
  readonly whole: string;
}

/** When a stretch is, as far as the span tells it: one that reaches an end of it may go on beyond. */
function stretchText({ from, until }: TimeSpan, { span, whole }: Looked, words: Words): string {
  const [begins, ends] = [from > span.from, until < span.until];
  if (begins && ends) return spanText({ from, until }, words);
  if (begins) return `from ${words.time(from)} on`;
  return ends ? `until ${words.time(until)}` : whole;
}

/** Delegations that are told together. */
interface CategoryGroup {
  readonly categoryId: CategoryId;
  readonly delegations: readonly Delegation[];
}

/** Those of one category: its own and the general ones, or the general ones alone where general is asked for. */
export function ofCategory(delegations: readonly Delegation[], categoryId: CategoryId): CategoryGroup {
  const covering = delegations.filter(
    ({ categoryIds }) =>
      categoryIds.length === 0 || (categoryId !== null && categoryIds.includes(categoryId)),
  );
  return { categoryId, delegations: covering.toSorted(byStart) };
}

/** A group of the general ones, then one of each category by name; of several categories is told in each. */
export function groupByCategory(
  delegations: readonly Delegation[],
  { category }: Names,
): readonly CategoryGroup[] {
  const sorted = delegations.toSorted(byStart);
  const named = [...new Set(sorted.flatMap(({ categoryIds }) => categoryIds))].toSorted(
    (a, b) => category(a).localeCompare(category(b), 'en') || a - b,
  );
  const groups: CategoryGroup[] = [
    { categoryId: null, delegations: sorted.filter(({ categoryIds }) => categoryIds.length === 0) },
    ...named.map((id) => ({
      categoryId: id,
      delegations: sorted.filter(({ categoryIds }) => categoryIds.includes(id)),
    })),
  ];
  return groups.filter((group) => group.delegations.length > 0);
}

function byStart(a: Delegation, b: Delegation): number {
  return a.start - b.start || a.id - b.id;
}
