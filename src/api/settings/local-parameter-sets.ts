import type { Detail } from '../../model/error.ts';
import { about, badRequest } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { ParameterSet } from '../../model/settings.ts';
import { quoted } from '../refusals.ts';
import type { SettingsApi } from '../settings.ts';
import {
  byName,
  maySee,
  ownerFor,
  ownersOnly,
  type SettingsParts,
  sameName,
  unknownSet,
  withUniqueName,
} from './set-rights.ts';

/**
 * Saved report configurations; who may not see one learns nothing of it, not even that it exists. The sets of the
 * tracker are beside our own until somebody changes or deletes them, which is kept under their id.
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
    if (found === undefined || found.deleted === true || !maySee(principal, found)) throw unknownSet(id);
    return found;
  };
  const change = async (principal: Principal, id: string, changed: (kept: ParameterSet) => ParameterSet) => {
    const made = await settings.changeParameterSet(
      id,
      (kept) => {
        // Another process may have given it to somebody else in between.
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
      return (await all()).filter((set) => maySee(principal, set)).toSorted(byName);
    },
    parameterSet: visible,
    async createParameterSet(principal, wish) {
      const at = now();
      const set: ParameterSet = {
        id: newId(),
        name: wish.name.trim(),
        ownerId: await ownerFor(principal, wish.ownerId, users),
        public: wish.public,
        parameters: wish.parameters,
        createdAt: at,
        updatedAt: at,
      };
      await withUniqueName(
        async () => refuse(whyBadParameterSet(set, await all())),
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
              parameters: changes.parameters ?? kept.parameters,
              updatedAt: now(),
            };
            refuse(whyBadParameterSet(set, others));
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
  if (set.deleted === true || !maySee(principal, set)) throw unknownSet(set.id);
  ownersOnly(principal, set);
}

function refuse(problems: readonly Detail[]): void {
  if (problems.length > 0) throw badRequest(...problems);
}

const LONGEST_NAME = 200;
const MOST_PARAMETERS = 100;
const LONGEST_JSON = 100_000;

/** What is wrong with a set among all others, in whole sentences. Whether its parameters mean anything is not asked. */
function whyBadParameterSet(set: ParameterSet, all: readonly ParameterSet[]): readonly Detail[] {
  const { id, name, ownerId, parameters } = set;
  const sentences: Detail[] = [];
  if (name.length < 1 || name.length > LONGEST_NAME) {
    sentences.push(
      about(
        'name',
        `${quoted(name)} has ${name.length} characters; allowed: 1 to ${LONGEST_NAME} characters.`,
      ),
    );
  }
  const taken = all.some(
    (other) => other.id !== id && other.ownerId === ownerId && sameName(other.name, name),
  );
  if (taken) {
    sentences.push(
      about(
        'name',
        `${quoted(name)} is the name of another parameter set of '${ownerId}'; allowed: a name that none of them has in any case.`,
      ),
    );
  }
  return [...sentences, ...whyBadParameters(parameters)];
}

function whyBadParameters(parameters: unknown): readonly Detail[] {
  const text = JSON.stringify(parameters) ?? 'undefined';
  if (parameters === null || typeof parameters !== 'object' || Array.isArray(parameters)) {
    return [
      about(
        'parameters',
        `${quoted(text)} is not an object; allowed: an object of request parameters by name.`,
      ),
    ];
  }
  const count = Object.keys(parameters).length;
  if (count > MOST_PARAMETERS) {
    return [
      about(
        'parameters',
        `${quoted(text)} has ${count} entries; allowed: at most ${MOST_PARAMETERS} entries.`,
      ),
    ];
  }
  return text.length <= LONGEST_JSON
    ? []
    : [
        about(
          'parameters',
          `${quoted(text)} has ${text.length} characters as JSON; allowed: at most ${LONGEST_JSON} characters.`,
        ),
      ];
}
