import { badRequestAs } from '../../../model/error.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import { normalHours } from '../../../time/calendar.ts';
import { findZone, zoneNames, zonesCalled, zoneWords } from '../../../time/zones.ts';
import { codeText, escapeMrkdwn } from '../../blocks/mrkdwn.ts';
import { didYouMean, inWords, nearestOf, onlyMeant } from './names-meant.ts';
import { unquoted } from './typed-words.ts';

const aroundTheClock = ['24/7', 'all hours', 'normal hours'];

/**
 * The id of a calendar called by name or id, whatever the case (`normalHours` for the built-in), also with the word `hours`
 * after it; null for none.
 */
export function readCalendar(typed: string, calendars: readonly CalendarDefinition[]): string | null {
  const wanted = unquoted(typed.trim()).toLowerCase();
  const named =
    calendars.find(({ name }) => name.toLowerCase() === wanted) ??
    calendars.find(({ id }) => id !== null && String(id) === wanted);
  if (named !== undefined) return calendarIdOf(named);
  if (aroundTheClock.includes(wanted)) return normalHours.name;
  const without = wanted.replace(/ hours$/, '');
  return without === wanted ? null : readCalendar(without, calendars);
}

/** Reads a calendar by its name or by a part of its name that no other calendar has. */
export function readCalendarPart(typed: string, calendars: readonly CalendarDefinition[]): string | null {
  const exact = readCalendar(typed, calendars);
  if (exact !== null) return exact;
  const meant = onlyMeant(
    unquoted(typed.trim()),
    // A part of the name of the built-in calendar is not enough: "hours" means a unit.
    calendars.flatMap(({ id, name }) => (id === null ? [] : [name])),
  );
  return meant === null ? null : readCalendar(meant, calendars);
}

/** The name of a calendar in questions: its id, or for the built-in one its name. */
export function calendarIdOf({ id }: Pick<CalendarDefinition, 'id'>): string {
  return id === null ? normalHours.name : String(id);
}

/** An IANA zone in its own spelling; a city will do where one zone is named after it. Else `bad-request`. */
export function readZone(typed: string): string {
  const found = findZone(typed);
  if (found !== null) return found;
  const { zones } = zonesCalled(typed);
  if (zones.length > 0) {
    throw badRequestAs('ambiguous-name', `"${typed}" can mean ${inWords(zones.map(zoneWords))}.`, {
      value: typed,
      meant: zones,
    });
  }
  const cities = new Map(zoneNames().map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const near = nearestOf(typed, zoneNames()) ?? cities.get(nearestOf(typed, [...cities.keys()]) ?? '');
  const meant = near === undefined ? [] : [near];
  throw badRequestAs(
    'invalid-value',
    [
      `I couldn't find the time zone "${typed}".`,
      ...(near === undefined ? ['Try: names such as Europe/Berlin.'] : didYouMean(meant)),
    ],
    { value: typed, meant },
  );
}

/** Which zone an abbreviation was taken for (mrkdwn), and how another is named; null for a zone by its own name. */
export function zoneRemark(typed: string): string | null {
  const [zone, another] = zonesCalled(typed).zones;
  if (zone === undefined) return null;
  const other = another ?? (zone === 'Europe/Berlin' ? 'Europe/London' : 'Europe/Berlin');
  return `I took ${codeText(typed.toUpperCase())} for ${escapeMrkdwn(zoneWords(zone))}. For another zone, name it, such as ${codeText(other)}.`;
}
