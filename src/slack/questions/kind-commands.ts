import { questionKinds } from '../../questions/index.ts';
import type { SlashCommand } from '../command.ts';
import { savedSets } from '../messages/saved-sets.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { tellTyped } from './tell-typed.ts';

/** `/tis WORD …` of every kind of question. */
export const kindCommands: readonly SlashCommand[] = questionKinds
  .flatMap(({ commands }) => commands)
  .map(({ tries, ...line }) => ({
    ...line,
    root: '/tis',
    answer: (asked, parts) =>
      line.word === 'saved' && asked.text === ''
        ? listSaved(asked, parts)
        : tellTyped(`${line.word} ${asked.text}`, asked, parts, tries),
  }));

/** `/tis saved` alone: the parameter sets that can be asked. */
const listSaved: SlashCommand['answer'] = async ({ principal: { account } }, parts) => {
  const principal = await resolvePrincipal(account, parts);
  const sets = await parts.settings.parameterSets(principal);
  return [savedSets(sets, principal.account, await parts.people.users())];
};
