import type { Backing } from '../../cache/namespace.ts';
import type { Directory } from '../../model/directory.ts';
import { about, badRequestAs, type Detail, type FieldProblem, quoted } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarInput } from '../../model/settings.ts';
import type { TenantStore } from '../../store/store.ts';
import { parametersOf } from '../parameters/saved-report.ts';
import { byName, canSeeSet, ownerFor, ownersOnly, type SettingsApi, unknownSet } from './settings-api.ts';

/** The parts of the local settings. */
export interface SettingsParts {
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
export function localParameterSets({
  store: { parameterSets: sets },
  directory,
  users,
  now,
  newId,
}: SettingsParts): Pick<
  SettingsApi,
  'parameterSets' | 'parameterSet' | 'createParameterSet' | 'updateParameterSet' | 'deleteParameterSet'
> {
  const ofTracker = async () => (await directory()).parameterSets;
  const visible = async (principal: Principal, id: string) => {
    const found = (await sets.get(id)) ?? withId(await ofTracker(), id);
    if (found === undefined || found.deleted === true || !canSeeSet(principal, found)) throw unknownSet(id);
    return found;
  };
  const change = async (
    principal: Principal,
    id: string,
    changed: (kept: ParameterSet, all: readonly ParameterSet[]) => ParameterSet,
  ) => {
    const brought = await ofTracker();
    return sets.change(id, (stored, all) => {
      const kept = stored ?? withId(brought, id);
      if (kept === undefined) throw unknownSet(id);
      // Another process may have given it to another person in between.
      check(principal, kept);
      return changed(kept, joined(all, brought));
    });
  };

  return {
    async parameterSets(principal) {
      const all = joined(await sets.list(), await ofTracker());
      return all.filter((set) => canSeeSet(principal, set)).toSorted(byName);
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
      return sets.change(set.id, (kept, all) => {
        if (kept !== null) throw new Error(`The id ${set.id} is another parameter set's.`);
        assertSetFits(set, joined(all, brought));
        return set;
      });
    },
    async updateParameterSet(principal, id, changes) {
      const found = await visible(principal, id);
      ownersOnly(principal, found);
      const owner = changes.ownerId;
      const ownerId =
        owner === undefined || owner === found.ownerId ? null : await ownerFor(principal, owner, users);
      return change(principal, id, (kept, all) => {
        const set: ParameterSet = {
          ...kept,
          name: changes.name?.trim() ?? kept.name,
          ownerId: ownerId ?? kept.ownerId,
          public: changes.public ?? kept.public,
          report: changes.report ?? kept.report,
          updatedAt: now(),
        };
        assertSetFits(set, all);
        return set;
      });
    },
    async deleteParameterSet(principal, id) {
      ownersOnly(principal, await visible(principal, id));
      if (withId(await ofTracker(), id) !== undefined) {
        await change(principal, id, (kept) => ({ ...kept, deleted: true }));
        return;
      }
      await sets.change(id, (kept) => {
        if (kept === null) throw unknownSet(id);
        check(principal, kept);
        return null;
      });
    },
  };
}

function withId(sets: readonly ParameterSet[], id: string): ParameterSet | undefined {
  return sets.find((set) => set.id === id);
}

/** The sets stored here and those that the tracker brings along, without the deleted ones. */
function joined(stored: readonly ParameterSet[], brought: readonly ParameterSet[]): readonly ParameterSet[] {
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
export function sameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}
