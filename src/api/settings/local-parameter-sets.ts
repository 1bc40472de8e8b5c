import type { Backing } from '../../cache/namespace.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Directory } from '../../model/directory.ts';
import { about, badRequestAs, type Detail, type FieldProblem, quoted } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarInput } from '../../model/settings.ts';
import { parametersOf } from '../../parameters/saved-report.ts';
import { NameTaken, type SettingsStore } from '../../store/store.ts';
import { byName, canSeeSet, ownerFor, ownersOnly, type SettingsApi, unknownSet } from './settings-api.ts';

/** What the local settings are built from. */
export interface SettingsParts {
  readonly settings: SettingsStore;
  /** Where what outlives the process is kept. */
  readonly stored: Backing;
  /** The tracker's; its calendars are shown beside our own. */
  readonly directory: () => Promise<Directory>;
  /** Everyone who is known, by id. */
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
  /** Makes ids of parameter sets and the client key: UUIDs. */
  readonly newId: () => string;
  /** What is wrong with a calendar, in whole sentences. */
  readonly checkCalendar: (input: CalendarInput) => readonly Detail[];
  /** The calendar of those who chose none, by name or id; null or absent: 24/7. */
  readonly defaultCalendar?: string | null;
}

/**
 * Saved report configurations; people who cannot see one learn nothing of it, not even that it exists. The sets of the
 * tracker are beside our own until someone changes or deletes them, which is stored under their id.
 */
export function localParameterSets({
  settings,
  directory,
  users,
  now,
  newId,
}: SettingsParts): Pick<
  SettingsApi,
  'parameterSets' | 'parameterSet' | 'createParameterSet' | 'updateParameterSet' | 'deleteParameterSet'
> {
  const ofTracker = async (id: string) => (await directory()).parameterSets.find((set) => set.id === id);
  const all = async () => {
    const kept = await settings.parameterSets();
    const known = new Set(kept.map(({ id }) => id));
    const brought = (await directory()).parameterSets.filter(({ id }) => !known.has(id));
    return [...kept, ...brought].filter(({ deleted }) => deleted !== true);
  };
  const visible = async (principal: Principal, id: string) => {
    const found = (await settings.parameterSet(id)) ?? (await ofTracker(id));
    if (found === undefined || found.deleted === true || !canSeeSet(principal, found)) throw unknownSet(id);
    return found;
  };
  const change = async (principal: Principal, id: string, changed: (kept: ParameterSet) => ParameterSet) => {
    const made = await settings.changeParameterSet(
      id,
      (kept) => {
        // Another process may have given it to another person in between.
        check(principal, kept);
        return changed(kept);
      },
      await ofTracker(id),
    );
    if (made === null) throw unknownSet(id);
    return made;
  };

  return {
    async parameterSets(principal) {
      return (await all()).filter((set) => canSeeSet(principal, set)).toSorted(byName);
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
      await withUniqueName(
        async () => refuseWrong(set, await all()),
        () => settings.addParameterSet(set),
      );
      return set;
    },
    async updateParameterSet(principal, id, changes) {
      const found = await visible(principal, id);
      ownersOnly(principal, found);
      const owner = changes.ownerId;
      const ownerId =
        owner === undefined || owner === found.ownerId ? null : await ownerFor(principal, owner, users);
      let others: readonly ParameterSet[] = [];
      return withUniqueName(
        async () => {
          others = await all();
        },
        () =>
          change(principal, id, (kept) => {
            const set: ParameterSet = {
              ...kept,
              name: changes.name?.trim() ?? kept.name,
              ownerId: ownerId ?? kept.ownerId,
              public: changes.public ?? kept.public,
              report: changes.report ?? kept.report,
              updatedAt: now(),
            };
            refuseWrong(set, others);
            return set;
          }),
      );
    },
    async deleteParameterSet(principal, id) {
      ownersOnly(principal, await visible(principal, id));
      if ((await ofTracker(id)) !== undefined) {
        await change(principal, id, (kept) => ({ ...kept, deleted: true }));
      } else if (!(await settings.removeParameterSet(id, (kept) => check(principal, kept)))) {
        throw unknownSet(id);
      }
    },
  };
}

function check(principal: Principal, set: ParameterSet): void {
  if (set.deleted === true || !canSeeSet(principal, set)) throw unknownSet(set.id);
  ownersOnly(principal, set);
}

const LONGEST_NAME = 200;
const MOST_PARAMETERS = 100;
const LONGEST_JSON = 100_000;

/** Refuses a set that is wrong among all others, in whole sentences. Whether its report can be run is not asked. */
function refuseWrong({ id, name, ownerId, report }: ParameterSet, all: readonly ParameterSet[]): void {
  const isTaken = all.some(
    (other) => other.id !== id && other.ownerId === ownerId && sameName(other.name, name),
  );
  const problems = [
    ...(name.length >= 1 && name.length <= LONGEST_NAME
      ? []
      : [
          about(
            'name',
            `${quoted(name)} has ${name.length} characters. Try: 1 to ${LONGEST_NAME} characters.`,
          ),
        ]),
    ...(isTaken
      ? [
          about(
            'name',
            `${quoted(name)} is the name of another parameter set of '${ownerId}'. Try: a name that none of them has in any case.`,
          ),
        ]
      : []),
    ...whyTooLarge(parametersOf(report)),
  ];
  if (problems.length > 0)
    throw badRequestAs(isTaken && problems.length === 1 ? 'name-taken' : 'invalid-value', problems);
}

function whyTooLarge(parameters: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  const text = JSON.stringify(parameters);
  const count = Object.keys(parameters).length;
  const size =
    count > MOST_PARAMETERS
      ? `${count} entries. Try: at most ${MOST_PARAMETERS} entries`
      : text.length > LONGEST_JSON
        ? `${text.length} characters as JSON. Try: at most ${LONGEST_JSON} characters`
        : null;
  return size === null ? [] : [about('parameters', `${quoted(text)} has ${size}.`)];
}

/** Whether people would take two names for one: neither case nor blanks around them tell them apart. */
export function sameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}

/**
 * Writes something with a name that must be unique; `refuse` fails where the name is taken, with what the user reads.
 * Where another process gives the name between that check and the write, the second check finds it.
 */
export async function withUniqueName<Result>(
  refuse: () => Promise<void>,
  write: () => Promise<Result>,
): Promise<Result> {
  await refuse();
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    await refuse();
    return write();
  }
}
