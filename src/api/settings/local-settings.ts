import { millisecondsInDay } from 'date-fns/constants';
import { type Backing, createNamespace } from '../../cache/namespace.ts';
import type { Directory } from '../../model/directory.ts';
import {
  AppError,
  about,
  badRequest,
  badRequestAs,
  type Detail,
  type FieldProblem,
  quoted,
} from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/request.ts';
import {
  type CalendarDefinition,
  type CalendarInput,
  type DateFormats,
  defaultDateFormats,
  weekdays,
} from '../../model/settings.ts';
import { getOrMake } from '../../store/documents.ts';
import type { TenantStore } from '../../store/store.ts';
import { patternProblem } from '../../time/date-text.ts';
import { parametersOf } from '../parameters/saved-report.ts';
import {
  adminsOnly,
  canSeeSet,
  compareSets,
  ownerFor,
  ownersOnly,
  permitSetting,
  type SettingsApi,
  unknownSet,
} from './settings-api.ts';

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
function localFormats({ stored, now }: SettingsParts) {
  const forGood = { ttlMs: null, maxEntries: 1, now, backing: stored };
  const chosen = createNamespace<DateFormats>({ name: 'formats', ...forGood });
  return {
    formats: async () => (await chosen.get('')) ?? defaultDateFormats,
    async putFormats(principal, given) {
      adminsOnly(principal, 'formats');
      const [dateFormat, dateTimeFormat] = [given.dateFormat.trim(), given.dateTimeFormat.trim()];
      const formats: DateFormats = { dateFormat, dateTimeFormat };
      const sentences = Object.entries(formats).flatMap(([name, pattern]) => {
        const why = patternProblem(pattern);
        return why === null ? [] : [about(name, `${quoted(pattern)} ${why}.`)];
      });
      if (sentences.length > 0) throw badRequest(...sentences);
      await chosen.set('', formats);
      return formats;
    },
  } satisfies Partial<SettingsApi>;
}

/** Trackers bring calendars along, whose ids are smaller. */
const calendarNumbers = { name: '', first: 101 };

/** The built-in calendar, those of the tracker's workspace, which are only read, and those kept here. */
function localCalendars({
  store: { calendars },
  directory,
  checkCalendar,
  defaultCalendar: chosen = null,
}: SettingsParts) {
  const ofTracker = async () => (await directory()).calendars.filter(({ id }) => id !== null);
  const all = async () => calendarsOf(await ofTracker(), await calendars.list());
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
        refuse(checkCalendar(input), nameProblems(input.name, calendarsOf(brought, stored)));
        return { ...input, id };
      });
    },
    async updateCalendar(principal, id, changes) {
      adminsOnly(principal, 'calendars');
      const brought = await ofTracker();
      const foreign = brought.find((calendar) => calendar.id === id);
      if (foreign !== undefined) {
        throw new AppError('managed-by-tracker', 'Forbidden', [
          `calendar '${id}' (${foreign.name}) belongs to the tracker's workspace and cannot be changed here; create a calendar of your own instead.`,
        ]);
      }
      return calendars.change(String(id), (current, stored) => {
        if (current === null) throw unknownCalendar(id);
        const input = {
          name: changes.name?.trim() ?? current.name,
          timeZone: changes.timeZone ?? current.timeZone,
          workingTimes: changes.workingTimes ?? current.workingTimes,
          holidays: changes.holidays ?? current.holidays,
        };
        const others = calendarsOf(brought, stored).filter((calendar) => calendar.id !== id);
        // The tracker may have brought the same name later, which is no reason to refuse a new holiday.
        const taken = sameName(input.name, current.name) ? [] : nameProblems(input.name, others);
        refuse(checkCalendar(input), taken);
        return { ...input, id };
      });
    },
  } satisfies Partial<SettingsApi>;
}

function calendarsOf(
  brought: readonly CalendarDefinition[],
  stored: readonly CalendarDefinition[],
): readonly CalendarDefinition[] {
  const numbered = [...brought, ...stored].toSorted((a, b) => Number(a.id) - Number(b.id));
  return [normalHoursDefinition, ...numbered];
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

/** The built-in calendar as it is shown: every hour of every day counts. */
export const normalHoursDefinition: CalendarDefinition = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  workingTimes: weekdays.map((weekday) => ({ weekday, start: 0, end: millisecondsInDay })),
  holidays: [],
};

/** The parts of the local settings. */
interface SettingsParts {
  readonly store: Pick<TenantStore, 'calendars' | 'parameterSets' | 'facts'>;
  /** Storage that outlives the process. */
  readonly stored: Backing;
  /** The tracker's; its calendars are shown beside our own. */
  readonly directory: () => Promise<Directory>;
  /** Everyone who is known, by id. */
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
  /** Makes ids of parameter sets and the client key: UUIDs. */
  readonly newId: () => string;
  /** The problems of a calendar, in whole sentences. */
  readonly checkCalendar: (input: CalendarInput) => readonly Detail[];
  /** The calendar of those who chose none, by name or id; null or absent: 24/7. */
  readonly defaultCalendar?: string | null;
}

/**
 * Saved report configurations; people who cannot see one learn nothing of it, not even that it exists. The sets of the
 * tracker are beside our own until someone changes or deletes them, which is stored under their id.
 */
function localParameterSets({ store: { parameterSets: sets }, directory, users, now, newId }: SettingsParts) {
  const ofTracker = async () => (await directory()).parameterSets;
  const visible = async (principal: Principal, id: string) => {
    const found = (await sets.get(id)) ?? withId(await ofTracker(), id);
    if (found === undefined || found.deleted === true || !canSeeSet(principal, found)) throw unknownSet(id);
    return found;
  };
  const change = async (
    principal: Principal,
    id: string,
    changed: (current: ParameterSet, all: readonly ParameterSet[]) => ParameterSet,
  ) => {
    const brought = await ofTracker();
    return sets.change(id, (stored, all) => {
      const current = stored ?? withId(brought, id);
      if (current === undefined) throw unknownSet(id);
      // Another process may have given it to another person in between.
      check(principal, current);
      return changed(current, setsOf(all, brought));
    });
  };

  return {
    async parameterSets(principal) {
      const all = setsOf(await sets.list(), await ofTracker());
      return all.filter((set) => canSeeSet(principal, set)).toSorted(compareSets);
    },
    parameterSet: visible,
    async createParameterSet(principal, input) {
      const at = now();
      const set: ParameterSet = {
        id: newId(),
        name: input.name.trim(),
        ownerId: await ownerFor(principal, input.ownerId, users),
        public: input.public,
        report: input.report,
        createdAt: at,
        updatedAt: at,
      };
      const brought = await ofTracker();
      return sets.change(set.id, (current, all) => {
        if (current !== null) throw new Error(`The id ${set.id} is another parameter set's.`);
        assertSetFits(set, setsOf(all, brought));
        return set;
      });
    },
    async updateParameterSet(principal, id, changes) {
      const found = await visible(principal, id);
      ownersOnly(principal, found);
      const owner = changes.ownerId;
      const ownerId =
        owner === undefined || owner === found.ownerId ? null : await ownerFor(principal, owner, users);
      return change(principal, id, (current, all) => {
        const set: ParameterSet = {
          ...current,
          name: changes.name?.trim() ?? current.name,
          ownerId: ownerId ?? current.ownerId,
          public: changes.public ?? current.public,
          report: changes.report ?? current.report,
          updatedAt: now(),
        };
        assertSetFits(set, all);
        return set;
      });
    },
    async deleteParameterSet(principal, id) {
      ownersOnly(principal, await visible(principal, id));
      if (withId(await ofTracker(), id) !== undefined) {
        await change(principal, id, (current) => ({ ...current, deleted: true }));
        return;
      }
      await sets.change(id, (current) => {
        if (current === null) throw unknownSet(id);
        check(principal, current);
        return null;
      });
    },
  } satisfies Partial<SettingsApi>;
}

function withId(sets: readonly ParameterSet[], id: string): ParameterSet | undefined {
  return sets.find((set) => set.id === id);
}

/** The sets stored here and those that the tracker brings along, without the deleted ones. */
function setsOf(stored: readonly ParameterSet[], brought: readonly ParameterSet[]): readonly ParameterSet[] {
  const known = new Set(stored.map(({ id }) => id));
  return [...stored, ...brought.filter(({ id }) => !known.has(id))].filter(({ deleted }) => deleted !== true);
}

function check(principal: Principal, set: ParameterSet): void {
  if (set.deleted === true || !canSeeSet(principal, set)) throw unknownSet(set.id);
  ownersOnly(principal, set);
}

const MAX_NAME = 200;
const MAX_PARAMETERS = 100;
const MAX_JSON = 100_000;

/** Refuses a set that has problems among all others, in whole sentences. It is not checked whether its report can be run. */
function assertSetFits({ id, name, ownerId, report }: ParameterSet, all: readonly ParameterSet[]): void {
  const isTaken = all.some(
    (other) => other.id !== id && other.ownerId === ownerId && sameName(other.name, name),
  );
  const problems = [
    ...(name.length >= 1 && name.length <= MAX_NAME
      ? []
      : [about('name', `${quoted(name)} has ${name.length} characters. Try: 1 to ${MAX_NAME} characters.`)]),
    ...(isTaken
      ? [
          about(
            'name',
            `${quoted(name)} is the name of another parameter set of '${ownerId}'. Try: a name that none of them has in any case.`,
          ),
        ]
      : []),
    ...sizeProblems(parametersOf(report)),
  ];
  if (problems.length > 0)
    throw badRequestAs(isTaken && problems.length === 1 ? 'name-taken' : 'invalid-value', problems);
}

function sizeProblems(parameters: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  const text = JSON.stringify(parameters);
  const count = Object.keys(parameters).length;
  const size =
    count > MAX_PARAMETERS
      ? `${count} entries. Try: at most ${MAX_PARAMETERS} entries`
      : text.length > MAX_JSON
        ? `${text.length} characters as JSON. Try: at most ${MAX_JSON} characters`
        : null;
  return size === null ? [] : [about('parameters', `${quoted(text)} has ${size}.`)];
}

/** True if people would take two names for one: neither case nor blanks around them make them different. */
function sameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}
