import type { SlashCommand } from '../command.ts';
import { savedSets } from '../messages/saved-sets.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis saved`: the saved parameter sets, or the answer of one. */
export const tisSaved: SlashCommand = {
  root: '/tis',
  word: 'saved',
  usage: '/tis saved [NAME]',
  summary: 'the saved reports there are, or what one of them tells now',
  examples: ['/tis saved Review times'],
  details:
    'NAME is a parameter set of yours, or a public one. New ones are saved in the report builder: `/tis`.',
  async answer(asked, parts) {
    if (asked.text !== '') return tellTyped(`saved ${asked.text}`, asked, parts, () => ['/tis saved']);
    const principal = await resolvePrincipal(asked.principal.account, parts);
    const sets = await parts.settings.parameterSets(principal);
    return [savedSets(sets, principal.account, await parts.people.users())];
  },
};
