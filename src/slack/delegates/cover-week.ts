import type { TableBlock } from '@slack/types';
import { millisecondsInMinute } from 'date-fns/constants';
import { codeText } from '../../block-kit/code-text.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { someWithin } from '../../block-kit/some-of.ts';
import type { Coverage, Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { allowedDaysOfWeek } from '../../questions/parse/read-range.ts';
import { fullDayText } from '../../time/day-text.ts';
import { readDayOfWeek, spanOfWeek } from '../../time/day-words.ts';
import { dayAt, wallOf } from '../../time/wall-clock.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import {
  categoriesText,
  type Names,
  namesOf,
  notice,
  someLines,
  timesIn,
  type Words,
  withZone,
  wordsIn,
  zoneText,
} from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { awayTooText, uncoveredText } from './cover-message.ts';
import { admit, askAdmin, peopleText, seesAll } from './cover-words.ts';

/** `/delegates week`: who covers for whom in a week, and what is not covered. */
export const delegatesWeek: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'week',
  usage: '/delegates week [DAY]',
  summary: 'who covers for whom this week, and what is not covered',
  examples: ['/delegates week next week', '/delegates week 2026-12-24'],
  details:
    'The running week on your clocks, or that of a day, with warnings: who is not covered, whose delegate is away too, and what ends without anything following.',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const { principal, timeZone } = member;
    const { delegations, people, now } = parts;
    const day = readDayOfWeek(asked.text, dayAt(now(), timeZone));
    if (day === null) {
      return [notice(`I cannot read ${codeText(asked.text)} as a week. Try: ${allowedDaysOfWeek}.`)];
    }
    const coverage = stillToCome(await delegations.coverage(principal, spanOfWeek(day, timeZone)), now());
    const names = namesOf(await people.users(), await delegations.categories(principal));
    const onlyOwn = `What concerns others is not shown to you. ${askAdmin(member, '--view-all')}`;
    return [weekMessage({ coverage, names, timeZone, onlyOwn: seesAll(right) ? null : onlyOwn })];
  },
};

/** With its titles a table has a hundred rows, and about ten thousand characters. */
const ROWS = 99;
const TABLE_CHARACTERS = 6_000;
/** All blocks of a message take about thirteen thousand. */
const BELOW_CHARACTERS = 5_000;
const CELL_LENGTH = 60;

/** A week's delegations; names are not escaped. `onlyOwn` where the reader may not see those of others. */
interface WeekView {
  readonly coverage: Coverage;
  readonly names: Names;
  readonly timeZone: string;
  readonly onlyOwn: string | null;
}

/** Who covers for whom in a week, what is not covered, and what ends. */
export function weekMessage({ coverage, names, timeZone, onlyOwn }: WeekView): Message {
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

/** The warnings of a span that runs, without those nobody can act upon any more; those of one that is over stay. */
export function stillToCome(coverage: Coverage, now: Instant): Coverage {
  if (coverage.span.until <= now) return coverage;
  return {
    ...coverage,
    uncovered: coverage.uncovered.filter(({ until }) => until > now),
    awayToo: coverage.awayToo.filter(({ until }) => until > now),
    ending: coverage.ending.filter(({ end }) => end > now),
  };
}
