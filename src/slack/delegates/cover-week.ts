import type { TableBlock } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Coverage } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { readDayOfWeek, spanOfWeek } from '../../time/day-words.ts';
import { isoDay } from '../../time/iso-dates.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import { categoriesText } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { runButton } from '../people/find-person.ts';
import { outText, reasons } from './cover-message.ts';
import {
  admit,
  askAdmin,
  edgeDay,
  listText,
  peopleOf,
  periodText,
  plainWords,
  type ReaderFacts,
  readerFacts,
  seesAll,
  spanText,
  suggest,
} from './cover-words.ts';
import { readTypedDay } from './read-cover.ts';

/** `/delegates week`: who covers for whom in a week, and where cover is missing. */
export const delegatesWeek: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'week',
  usage: '/delegates week [DAY]',
  summary: 'cover this week, and where it is missing',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const { delegations, now } = parts;
    const typed = asked.text.replace(/(?:^|\s+)all$/i, '');
    const today = dayAt(now(), member.timeZone);
    const day = readDayOfWeek(typed, today) ?? readTypedDay(typed, today)?.day ?? null;
    if (day === null)
      return [suggest(`I can't read ${codeText(typed)} as a week.`, '/delegates week next week')];
    const coverage = await delegations.coverage(member.principal, spanOfWeek(day, member.timeZone));
    const facts = await readerFacts(member, parts);
    const onlyOwn = seesAll(right) ? null : `Only your own cover is shown. ${askAdmin(member, '--view-all')}`;
    const most = typed === asked.text ? ROWS : MOST_ROWS;
    return [weekMessage({ coverage: stillToCome(coverage, now()), facts, onlyOwn, most })];
  },
};

/** Rows people read at once, and those that fit into one message. */
const ROWS = 10;
const MOST_ROWS = 35;
const CELL_LENGTH = 75;

/** A week of cover. `onlyOwn`: why a reader does not see the cover of others; `most`: rows. */
interface WeekView {
  readonly coverage: Coverage;
  readonly facts: ReaderFacts;
  readonly onlyOwn: string | null;
  readonly most: number;
}

const titles = ['Out', 'Covered by', 'For', 'When'];

/** A table of the week: first where no one covers, then each cover. */
export function weekMessage({ coverage, facts, onlyOwn, most }: WeekView): Message {
  const { span, delegations, uncovered, ending } = coverage;
  const [zone = 'UTC'] = facts.zones;
  const monday = dayAt(span.from, zone);
  const words = { ...plainWords(facts), reader: '' };
  // In the zone of another person a cover can be over when the week begins.
  const covers = delegations.filter(
    (one) =>
      one.end > span.from + millisecondsInDay ||
      (edgeDay(one.end, 'until', peopleOf(one), words) ?? monday) >= monday,
  );
  const count = uncovered.length + covers.length;
  const rows = [
    ...uncovered
      .slice(0, most)
      .map(({ person, categoryId, reason, from, until }) => [
        words.person(person),
        `⚠ no one: ${reasons[reason]}`,
        words.category(categoryId),
        spanText({ from, until }, [person], words),
      ]),
    ...covers
      .slice(0, most)
      .map((one) => [
        words.person(one.delegator),
        `${listText(one.delegates.map(words.person))}${outText(one, coverage, words)}`,
        categoriesText(one.categoryIds, words),
        `${periodText(one, span.from, words)}${ending.includes(one) ? ', then no one' : ''}`,
      ]),
  ];
  const shown = rows.slice(0, most).map((cells) => cells.map((text) => shorten(text, CELL_LENGTH)));
  const gaps = uncovered.length > 0 ? ` · :warning: ${uncovered.length} without cover` : '';
  const title = `*Cover ${spanText(span, [facts.reader], words)}*${gaps}`;
  const rest = count > shown.length;
  const lines = [
    ...(rows.length > 0
      ? []
      : [onlyOwn === null ? 'No one is out.' : 'No one covers for you, and you cover for no one.']),
    ...(onlyOwn === null ? [] : [onlyOwn]),
    ...(rest ? [`${shown.length} of ${count} are shown.`] : []),
  ];
  const all = runButton('Show all', `/delegates week ${isoDay(monday)} all`, 'all');
  const next = `/delegates week ${isoDay(monday + 7 * millisecondsInDay)}`;
  const buttons = [runButton('Next week', next, 'next'), runButton('Set cover', '/delegates set', 'set')];
  return {
    text: [title, ...shown.map((cells) => escapeMrkdwn(cells.join(', '))), ...lines].join('\n'),
    blocks: [
      section(title),
      ...(count === 0 ? [] : [tableOf(shown)]),
      ...lines.map(context),
      { type: 'actions', elements: rest && most === ROWS ? [all, ...buttons] : buttons },
    ],
  };
}

function tableOf(rows: readonly (readonly string[])[]): TableBlock {
  return {
    type: 'table',
    column_settings: titles.map(() => ({ is_wrapped: true })),
    rows: [titles, ...rows].map((cells) => cells.map((text) => ({ type: 'raw_text', text: text || ' ' }))),
  };
}

/** The warnings of a running span without those that are over; those of one in the past remain. */
export function stillToCome(coverage: Coverage, now: Instant): Coverage {
  if (coverage.span.until <= now) return coverage;
  return {
    ...coverage,
    uncovered: coverage.uncovered.filter(({ until }) => until > now),
    awayToo: coverage.awayToo.filter(({ until }) => until > now),
    ending: coverage.ending.filter(({ end }) => end > now),
  };
}
