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

/** Saved report configurations; who may not see one learns nothing of it, not even that it exists. */
export function localParameterSets(
  { settings, users, now, newId }: SettingsParts,
  takeTurns: TakeTurns,
): Pick<
  SettingsApi,
  'parameterSets' | 'parameterSet' | 'createParameterSet' | 'updateParameterSet' | 'deleteParameterSet'
> {
  const visible = async (asker: Asker, id: string) => {
    const found = await settings.parameterSet(id);
    if (found === null || !maySee(asker, found)) throw unknownSet(id);
    return found;
  };

  return {
    async parameterSets(asker) {
      return (await settings.parameterSets()).filter((set) => maySee(asker, set)).toSorted(byName);
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
        refuse(whyBadParameterSet(set, await settings.parameterSets()));
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
        const all = await settings.parameterSets();
        const changed = await settings.changeParameterSet(id, (kept) => {
          // Another process may have given it to somebody else in between.
          check(asker, kept);
          const set: ParameterSet = {
            ...kept,
            name: changes.name?.trim() ?? kept.name,
            ownerId: ownerId ?? kept.ownerId,
            public: changes.public ?? kept.public,
            parameters: changes.parameters ?? kept.parameters,
            updatedAt: now(),
          };
          refuse(whyBadParameterSet(set, all));
          return set;
        });
        if (changed === null) throw unknownSet(id);
        return changed;
      });
    },
    async deleteParameterSet(asker, id) {
      if (!(await settings.removeParameterSet(id, (kept) => check(asker, kept)))) throw unknownSet(id);
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
