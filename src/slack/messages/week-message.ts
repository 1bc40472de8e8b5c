import type { TableBlock } from '@slack/types';
import { millisecondsInMinute } from 'date-fns/constants';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { someWithin } from '../../block-kit/some-of.ts';
import type { Coverage, Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { fullDayText } from '../../time/day-text.ts';
import { wallOf } from '../../time/wall-clock.ts';
import { peopleText } from './delegation-line.ts';
import { categoriesText, type Names } from './names.ts';
import { someLines } from './some-lines.ts';
import { awayTooText, uncoveredText } from './stand-in-message.ts';
import { withZone, zoneText } from './with-zone.ts';
import { timesIn, type Words, wordsIn } from './words.ts';

/** With its titles a table has a hundred rows, and about ten thousand characters. */
const ROWS = 99;
const TABLE_CHARACTERS = 6_000;
/** All blocks of a message take about thirteen thousand. */
const BELOW_CHARACTERS = 5_000;
const CELL_LENGTH = 60;

/** A week's delegations; names are not escaped. `onlyOwn` where the reader may not see those of others. */
interface WeekStory {
  readonly coverage: Coverage;
  readonly names: Names;
  readonly timeZone: string;
  readonly onlyOwn: string | null;
}

/** Who covers for whom in a week, what is not covered, and what ends. */
export function weekMessage({ coverage, names, timeZone, onlyOwn }: WeekStory): Message {
  const { span, delegations } = coverage;
  const day = (at: Instant) => fullDayText(wallOf(at, timeZone));
  const time = timesIn(timeZone, span.from);
  const title = `*Who covers for whom*, ${day(span.from)} to ${day(span.until - millisecondsInMinute)}`;
  const remarks = onlyOwn === null ? [] : [onlyOwn];
  if (delegations.length === 0) {
    const none =
      onlyOwn === null
        ? 'nobody for anybody.'
        : 'of you: you stand in for nobody, and nobody stands in for you.';
    const lines = [
      `${title}${onlyOwn === null ? ':' : ','} ${none}`,
      ...remarks,
      'Hand something over with `/delegates set`.',
    ];
    return withZone(lineBlocks(lines), timeZone);
  }
  const lead = onlyOwn === null ? title : `${title}, of you:`;
  const shown = fitting(delegations.slice(0, ROWS).map((one) => rowOf(one, names, time)));
  const rest = delegations.length - shown.length;
  const foot = `${zoneText(timeZone)}${rest > 0 ? ` ${shown.length} of ${delegations.length} delegations are shown.` : ''}`;
  const words = wordsIn(timeZone, span.from, names);
  const below = lineBlocks([...remarks, ...warnings(coverage, words)], BELOW_CHARACTERS);
  return {
    text: [lead, ...shown.map((cells) => escapeMrkdwn(cells.join(', '))), below.text, foot].join('\n'),
    blocks: [section(lead), tableOf(shown), ...below.blocks, context(foot)],
  };
}

const titles = ['Whose work', 'Who stands in', 'Category', 'From', 'Until'] as const;

function rowOf(delegation: Delegation, names: Names, time: (at: Instant) => string): readonly string[] {
  return [
    names.person(delegation.delegator),
    someWithin(delegation.delegates.map(names.person), CELL_LENGTH),
    someWithin(
      delegation.categoryIds.length === 0
        ? [names.category(null)]
        : delegation.categoryIds.map(names.category),
      CELL_LENGTH,
    ),
    time(delegation.start),
    time(delegation.end),
  ].map((text) => text || ' ');
}

function fitting(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let characters = titles.join('').length;
  const most = rows.findIndex((cells) => {
    characters += cells.join('').length;
    return characters > TABLE_CHARACTERS;
  });
  return most < 0 ? rows : rows.slice(0, most);
}

function tableOf(rows: readonly (readonly string[])[]): TableBlock {
  return {
    type: 'table',
    column_settings: titles.map(() => ({ is_wrapped: true })),
    rows: [titles, ...rows].map((cells) => cells.map((text) => ({ type: 'raw_text', text }))),
  };
}

function warnings({ span, uncovered, awayToo, ending }: Coverage, words: Words): readonly string[] {
  const looked = { span, whole: 'all week' };
  return [
    ...someLines(uncovered, (one) => `:warning: ${uncoveredText(one, words, looked)}`),
    ...someLines(awayToo, (one) => `:warning: ${awayTooText(one, words, looked)}`),
    ...someLines(
      ending,
      ({ delegator, delegates, categoryIds, end }) =>
        `Ends ${words.time(end)} and nothing follows: ${peopleText(delegates, words)} for *${words.person(delegator)}* (${categoriesText(categoryIds, words)}).`,
    ),
  ];
}
