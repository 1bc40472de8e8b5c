import { codeText } from '../../block-kit/code-text.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { fullDayText } from '../../time/day-text.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { holidaysAhead } from './holidays-ahead.ts';
import { hoursText } from './hours-text.ts';

const HOLIDAYS = 3;
const NAME_LENGTH = 60;
const HOURS_LENGTH = 200;

/** The calendars there are, and what counts here. `inForce` are whole sentences (mrkdwn), with what can be done. */
export function calendarList(
  calendars: readonly CalendarDefinition[],
  { now, calendar, inForce }: { readonly now: Instant; readonly calendar: string; readonly inForce: string },
): Message {
  const lines = calendars.map((one) => () => {
    const isHere = calendarIdOf(one) === calendar;
    const ahead = holidaysAhead(one.holidays, dayAt(now, one.timeZone), HOLIDAYS).map(
      ({ day, name }) => `${fullDayText(day)} (${escapeMrkdwn(shorten(name, NAME_LENGTH))})`,
    );
    const zone = one.id === null ? '' : `, ${escapeMrkdwn(one.timeZone)}`;
    return [
      `*${escapeMrkdwn(shorten(one.name, NAME_LENGTH))}*${isHere ? ' (used here)' : ''}: ${shorten(hoursText(one), HOURS_LENGTH)}${zone}`,
      ...(ahead.length === 0 ? [] : [`      holidays ahead: ${ahead.join(', ')}`]),
    ].join('\n');
  });
  const other = calendars.find((one) => calendarIdOf(one) !== calendar);
  const use = other === undefined ? [] : [`Change it with ${codeText(`/tis calendar use ${other.name}`)}.`];
  return lineBlocks([[inForce, ...use].join(' '), ...lines]);
}
