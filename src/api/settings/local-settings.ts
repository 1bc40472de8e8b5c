import { millisecondsInDay } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import { AppError, about, badRequest, badRequestAs, type Detail, quoted } from '../../model/error.ts';
import {
  type CalendarDefinition,
  type CalendarInput,
  type DateFormats,
  defaultDateFormats,
  weekdays,
} from '../../model/settings.ts';
import { getOrMake } from '../../store/documents.ts';
import { patternProblem } from '../../time/date-text.ts';
import { localParameterSets, type SettingsParts, sameName } from './local-parameter-sets.ts';
import { adminsOnly, permitSetting, type SettingsApi } from './settings-api.ts';

/** The settings port answered by our own store, and by the tracker where it brings calendars along. */
export function createLocalSettings(parts: SettingsParts): SettingsApi {
  const sets = localParameterSets(parts);
  return {
    permit: (principal, setting) => permitSetting(principal, setting, sets.parameterSet),
    ...localCalendars(parts),
    ...sets,
    ...localFormats(parts),
    clientKey: () => getOrMake(parts.store.facts, 'client-key', parts.newId),
  };
}

/** The patterns of dates, the tracker's own defaults until an admin has chosen. */
function localFormats({ stored, now }: SettingsParts): Pick<SettingsApi, 'formats' | 'putFormats'> {
  const chosen = createNamespace<DateFormats>({
    name: 'formats',
    ttlMs: null,
    most: 1,
    now,
    backing: stored,
  });
  return {
    formats: async () => (await chosen.get('')) ?? defaultDateFormats,
    async putFormats(principal, given) {
      adminsOnly(principal, 'formats');
      const formats: DateFormats = {
        dateFormat: given.dateFormat.trim(),
        dateTimeFormat: given.dateTimeFormat.trim(),
      };
      const sentences = Object.entries(formats).flatMap(([name, pattern]) => {
        const why = patternProblem(pattern);
        return why === null ? [] : [about(name, `${quoted(pattern)} ${why}.`)];
      });
      if (sentences.length > 0) throw badRequest(...sentences);
      await chosen.set('', formats);
      return formats;
    },
  };
}

/** Trackers bring calendars along, whose ids are smaller. */
const calendarNumbers = { name: '', first: 101 };

/** The built-in calendar, those of the tracker's workspace, which are only read, and those kept here. */
function localCalendars({
  store: { calendars },
  directory,
  checkCalendar,
  defaultCalendar: chosen = null,
}: SettingsParts): Pick<
  SettingsApi,
  'calendars' | 'calendar' | 'createCalendar' | 'updateCalendar' | 'defaultCalendar'
> {
  const ofTracker = async () => (await directory()).calendars.filter(({ id }) => id !== null);
  const all = async () => joined(await ofTracker(), await calendars.list());
  const refuse = (wrong: readonly Detail[], taken: readonly Detail[]) => {
    const reason = wrong.length === 0 ? 'name-taken' : 'invalid-value';
    if (wrong.length + taken.length > 0) throw badRequestAs(reason, [...wrong, ...taken]);
  };

  return {
    calendars: all,
    async defaultCalendar() {
      if (chosen === null) return normalHoursDefinition.name;
      const some = await all();
      const found =
        some.find(({ name }) => sameName(name, chosen)) ?? some.find(({ id }) => String(id) === chosen);
      // One that is not there is refused by name, with every question that would be measured by it.
      return String(found?.id ?? chosen);
    },
    async calendar(_principal, id) {
      const found = (await all()).find((calendar) => calendar.id === id);
      if (found === undefined) throw unknownCalendar(id);
      return found;
    },
    async createCalendar(principal, { name, timeZone, workingTimes, holidays }) {
      adminsOnly(principal, 'calendars');
      const input = { name: name.trim(), timeZone, workingTimes, holidays };
      const brought = await ofTracker();
      return calendars.addNumbered(calendarNumbers, (id, stored) => {
        refuse(checkCalendar(input), nameProblems(input.name, joined(brought, stored)));
        return { ...input, id };
      });
    },
    async updateCalendar(principal, id, changes) {
      adminsOnly(principal, 'calendars');
      const brought = await ofTracker();
      const foreign = brought.find((calendar) => calendar.id === id);
      if (foreign !== undefined) throw foreignCalendar(foreign);
      return calendars.change(String(id), (kept, stored) => {
        if (kept === null) throw unknownCalendar(id);
        const input = changedCalendar(kept, changes);
        const others = joined(brought, stored).filter((calendar) => calendar.id !== id);
        // The tracker may have brought the same name later, which is no reason to refuse a new holiday.
        const taken = sameName(input.name, kept.name) ? [] : nameProblems(input.name, others);
        refuse(checkCalendar(input), taken);
        return { ...input, id };
      });
    },
  };
}

function joined(
  brought: readonly CalendarDefinition[],
  stored: readonly CalendarDefinition[],
): readonly CalendarDefinition[] {
  const numbered = [...brought, ...stored].toSorted((a, b) => Number(a.id) - Number(b.id));
  return [normalHoursDefinition, ...numbered];
}

function changedCalendar(kept: CalendarDefinition, changes: Partial<CalendarInput>): CalendarInput {
  return {
    name: changes.name?.trim() ?? kept.name,
    timeZone: changes.timeZone ?? kept.timeZone,
    workingTimes: changes.workingTimes ?? kept.workingTimes,
    holidays: changes.holidays ?? kept.holidays,
  };
}

function nameProblems(name: string, others: readonly CalendarDefinition[]): readonly Detail[] {
  const other = others.find((calendar) => sameName(calendar.name, name));
  if (other === undefined) return [];
  const id = other.id === null ? 'the built-in one' : `calendar '${other.id}'`;
  return [
    about('name', `${quoted(name)} is the name of ${id}. Try: a name that no calendar has in any case.`),
  ];
}

function unknownCalendar(id: number): AppError {
  return new AppError('unknown-calendar', 'The calendar could not be found.', [
    `calendar '${id}' could not be found. Try: the ids of GET /rest/calendars.`,
  ]);
}

function foreignCalendar({ id, name }: CalendarDefinition): AppError {
  return new AppError('managed-by-tracker', 'Forbidden', [
    `calendar '${id}' (${name}) belongs to the tracker's workspace and cannot be changed here; create a calendar of your own instead.`,
  ]);
}

/** The built-in calendar as it is shown: every hour of every day counts. */
export const normalHoursDefinition: CalendarDefinition = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  workingTimes: weekdays.map((weekday) => ({ weekday, start: 0, end: millisecondsInDay })),
  holidays: [],
};
