import type { SlashCommand } from '../command.ts';
import { admit } from '../delegations/admit.ts';
import { newForm } from '../delegations/delegation-form.ts';
import { delegationFormView } from '../delegations/delegation-form-view.ts';
import { usageRefusal } from '../messages/usage-refusal.ts';
import { openLateView } from '../open-late-view.ts';
import type { DelegationParts } from '../parts.ts';

/** `/delegates set`: a form in which work is handed over. */
export const delegatesSet: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'set',
  usage: '/delegates set',
  summary: 'hand work over for a while; both sides are told',
  details:
    'A form asks who stands in, from when to when, and in which categories (none: everything), and takes notes. Who may edit all is also asked for whom. Everybody concerned gets a direct message, and you are warned of who is away too and who else stands in then.',
  async answer(asked, parts) {
    if (asked.text !== '') return [usageRefusal(asked.text, delegatesSet.usage)];
    const make = async () => {
      const admitted = await admit(asked, parts);
      if ('refusal' in admitted) return admitted.refusal;
      const { member, right } = admitted;
      const { principal, timeZone, account } = member;
      const categories = await parts.delegations.categories(principal);
      const form = newForm(asked.place, right === 'edit' ? account : null, { now: parts.now(), timeZone });
      return delegationFormView(form, { categories, wrong: null });
    };
    const late = {
      title: 'Hand work over',
      meanwhile: 'Getting the form…',
      advice: 'Please type `/delegates set` again.',
      make,
    };
    return openLateView(late, asked.open, parts);
  },
};
