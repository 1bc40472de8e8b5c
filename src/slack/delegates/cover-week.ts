import { millisecondsInDay } from 'date-fns/constants';
import { stillToCome } from '../../api/delegations/delegation-api.ts';
import type { Coverage, TimeSpan } from '../../model/delegation.ts';
import { shorten } from '../../output/readable-text.ts';
import { isoDay } from '../../time/date-text.ts';
import { readDay, readDayOfWeek, spanOfWeek } from '../../time/day-words.ts';
import { readPeriod, spanOfPeriod } from '../../time/typed-periods.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import { categoriesText } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { runButton } from '../app/show-failure.ts';
import { listText, type Message } from '../blocks/message.ts';
import { actions, codeText, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import {
  admit,
  askAdmin,
  daysOf,
  edgeDay,
  outText,
  peopleOf,
  periodText,
  plainCoverWords,
  type ReaderFacts,
  readerFacts,
  reasons,
  seesAll,
  spanText,
  suggest,
} from './cover-words.ts';

/** `/delegates week`: a table of who covers for others. */
export const delegatesWeek: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'week',
  usage: '/delegates week [DAY | DATES]',
  summary: 'cover this week or in other days, and where it is missing',
  async answer(invocation, parts) {
    const { member, right } = await admit(invocation, parts);
    const { delegations, now } = parts;
    const typed = invocation.text.replace(/(?:^|\s+)all$/i, '');
    const today = dayAt(now(), member.timeZone);
    const day = readDayOfWeek(typed, today) ?? readDay(typed, today)?.day ?? null;
    // The command is the first word of `week 52` and `week of Dec 14`.
    const period = day === null ? (readPeriod(typed, today) ?? readPeriod(`week ${typed}`, today)) : null;
    if (day === null && period === null)
      return [suggest(`I can't read ${codeText(typed)} as a week.`, '/delegates week next week')];
    const span =
      period === null
        ? spanOfWeek(day ?? today, member.timeZone)
        : spanOfPeriod(period, { days: member.timeZone, times: member.timeZone });
    const coverage = await delegations.coverage(member.principal, span);
    const facts = await readerFacts(member, parts);
    const onlyOwn = seesAll(right) ? null : `Only your own cover is shown. ${askAdmin(member, '--view-all')}`;
    const max = typed === invocation.text ? ROWS : MAX_ROWS;
    const shown = coverage.span.until <= now() ? coverage : stillToCome(coverage, now());
    return [weekMessage(shown, facts, onlyOwn, max)];
  },
};

/** Rows people read at once, and those that fit into one message. */
const ROWS = 10;
const MAX_ROWS = 35;
const CELL_LENGTH = 75;

const titles = ['Out', 'Covered by', 'For', 'When'];

/** A table of `max` rows: first where no one covers, then each cover. `onlyOwn`: why others are not shown. */
export function weekMessage(
  coverage: Coverage,
  facts: ReaderFacts,
  onlyOwn: string | null,
  max: number,
): Message {
  const { span, ending } = coverage;
  const [zone = 'UTC'] = facts.zones;
  const [monday, sunday] = [dayAt(span.from, zone), dayAt(span.until - 1, zone)];
  const isWeek = sunday - monday === 6 * millisecondsInDay;
  const words = { ...plainCoverWords(facts), reader: '' };
  const isWithin = (at: TimeSpan) =>
    at.until > span.from + millisecondsInDay && at.from < span.until - millisecondsInDay;
  // In the zone of the person who is out, days can be over when the week begins, or begin after it.
  const covers = coverage.delegations.filter((one) => {
    const at = { from: one.start, until: one.end };
    const [first, last] = (isWithin(at) ? null : daysOf(at, peopleOf(one), words)) ?? [monday, monday];
    return last >= monday && first <= sunday;
  });
  const uncovered = coverage.uncovered.filter(
    ({ person, ...at }) =>
      isWithin(at) ||
      ((edgeDay(at.until, 'until', [person], words) ?? monday) >= monday &&
        (edgeDay(at.from, 'from', [person], words) ?? monday) <= sunday),
  );
  const rows = [
    ...uncovered.map(({ person, categoryId, reason, ...span }) => () => [
      words.person(person),
      `⚠ no one: ${reasons[reason]}`,
      words.category(categoryId),
      spanText(span, [person], words),
    ]),
    ...covers.map((one) => () => {
      const [person, work] = [words.person(one.delegator), categoriesText(one.categoryIds, words)];
      // A person who is covered in some categories only is there for everything else.
      const [out, back] =
        one.categoryIds.length === 0
          ? [person, `${person} is back`]
          : [`${person} (${work})`, `${person} again`];
      return [
        out,
        `${listText(one.delegates.map(words.person))}${outText(one, coverage, words)}`,
        work,
        `${periodText(one, span.from, words)}${ending.includes(one) ? `, then ${back}` : ''}`,
      ];
    }),
  ];
  const shown = rows.slice(0, max).map((cells) => cells().map((text) => shorten(text, CELL_LENGTH)));
  const isOver = span.until <= facts.now;
  const covered = `everyone who ${isOver ? 'was' : 'is'} out ${isOver ? 'had' : 'has'} cover`;
  const gaps =
    uncovered.length > 0
      ? ` · :warning: ${uncovered.length} without cover`
      : covers.length > 0 && onlyOwn === null
        ? ` · ${covered}`
        : '';
  const title = `*Cover ${spanText(span, [facts.reader], words)}*${gaps}`;
  const isCut = rows.length > shown.length;
  const none = onlyOwn === null ? 'No one is out.' : 'No one covers for you, and you cover for no one.';
  const lines = [
    ...(rows.length > 0 ? [] : [none]),
    ...(onlyOwn === null ? [] : [onlyOwn]),
    ...(isCut ? [`${shown.length} of ${rows.length} are shown.`] : []),
  ];
  const buttons = [
    ...(isCut && max === ROWS
      ? [
          runButton(
            `/delegates week ${isWeek ? isoDay(monday) : `${isoDay(monday)} to ${isoDay(sunday)}`} all`,
            'Show all',
          ),
        ]
      : []),
    runButton(
      `/delegates week ${isoDay(sunday + millisecondsInDay)}`,
      isWeek ? 'Next week' : 'The week after',
      1,
    ),
    runButton('/delegates set', 'Set cover', 2),
  ];
  const cell = (text: string) => ({ type: 'raw_text', text: text || ' ' }) as const;
  const table = {
    type: 'table',
    column_settings: titles.map(() => ({ is_wrapped: true })),
    rows: [titles, ...shown].map((cells) => cells.map(cell)),
  } as const;
  return {
    text: [title, ...shown.map((cells) => escapeMrkdwn(cells.join(', '))), ...lines].join('\n'),
    blocks: [
      section(title),
      ...(rows.length === 0 ? [] : [table]),
      ...lines.map(context),
      actions(...buttons),
    ],
  };
}
