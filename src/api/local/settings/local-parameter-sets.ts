import { badRequest } from '../../../model/error.ts';
import type { Asker } from '../../../model/request.ts';
import type { ParameterSet } from '../../../model/settings.ts';
import type { SettingsApi } from '../../settings.ts';
import { byName } from './by-name.ts';
import { ownerFor } from './owner-for.ts';
import { maySee, ownersOnly, unknownSet } from './set-rights.ts';
import type { SettingsParts } from './settings-parts.ts';
import type { TakeTurns } from './take-turns.ts';
import { whyBadParameterSet } from './why-bad-parameter-set.ts';

/**
 * Saved report configurations; who may not see one learns nothing of it, not even that it exists. The sets of the
 * tracker are beside our own until somebody changes or deletes them, which is kept under their id.
 */
export function localParameterSets(
  { settings, directory, users, now, newId }: SettingsParts,
  takeTurns: TakeTurns,
): Pick<
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
  const visible = async (asker: Asker, id: string) => {
    const found = (await settings.parameterSet(id)) ?? (await ofTracker(id));
    if (found === undefined || found.deleted === true || !maySee(asker, found)) throw unknownSet(id);
    return found;
  };
  const change = async (asker: Asker, id: string, changed: (kept: ParameterSet) => ParameterSet) => {
    const checked = (kept: ParameterSet) => {
      // Another process may have given it to somebody else in between.
      check(asker, kept);
      return changed(kept);
    };
    const kept = await settings.changeParameterSet(id, checked);
    if (kept !== null) return kept;
    const brought = await ofTracker(id);
    if (brought === undefined) throw unknownSet(id);
    const first = checked(brought);
    await settings.addParameterSet(first);
    return first;
  };

  return {
    async parameterSets(asker) {
      return (await all()).filter((set) => maySee(asker, set)).toSorted(byName);
    },
    parameterSet: visible,
    async createParameterSet(asker, wish) {
      return takeTurns(async () => {
        const at = now();
        const set: ParameterSet = {
          id: newId(),
          name: wish.name.trim(),
          ownerId: await ownerFor(asker, wish.ownerId, users),
          public: wish.public,
          parameters: wish.parameters,
          createdAt: at,
          updatedAt: at,
        };
        refuse(whyBadParameterSet(set, await all()));
        await settings.addParameterSet(set);
        return set;
      });
    },
    async updateParameterSet(asker, id, changes) {
      return takeTurns(async () => {
        const found = await visible(asker, id);
        ownersOnly(asker, found);
        const owner = changes.ownerId;
        const ownerId =
          owner === undefined || owner === found.ownerId ? null : await ownerFor(asker, owner, users);
        const others = await all();
        return change(asker, id, (kept) => {
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
        });
      });
    },
    async deleteParameterSet(asker, id) {
      await takeTurns(async () => {
        ownersOnly(asker, await visible(asker, id));
        if ((await ofTracker(id)) !== undefined) {
          await change(asker, id, (kept) => ({ ...kept, deleted: true }));
        } else if (!(await settings.removeParameterSet(id, (kept) => check(asker, kept)))) {
          throw unknownSet(id);
        }
      });
    },
  };
}

function check(asker: Asker, set: ParameterSet): void {
  if (!maySee(asker, set)) throw unknownSet(set.id);
  ownersOnly(asker, set);
}

function refuse(sentences: readonly string[]): void {
  if (sentences.length > 0) throw badRequest(...sentences);
}
