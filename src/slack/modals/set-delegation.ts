import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { formPlace, readForm, wrongInForm } from '../delegations/delegation-form.ts';
import { delegationFormView } from '../delegations/delegation-form-view.ts';
import { handOver } from '../delegations/hand-over.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal } from '../modal.ts';
import type { DelegationParts } from '../parts.ts';
import { identify } from '../people/identify.ts';

/** The form in which work is handed over, submitted; it comes back as it was filled in when something is wrong. */
export const setDelegation: SlackModal<DelegationParts> = {
  id: 'set-delegation',
  title: 'Hand work over',
  meanwhile: 'Setting it and telling both sides…',
  wrongAtOnce: wrongInForm,
  placeOf: formPlace,
  async answer(submission, parts) {
    const identified = await identify(submission, parts);
    if ('refusal' in identified) return identified.refusal;
    const { member } = identified;
    const form = readForm(submission);
    // The form comes back with them, and they could not be asked for any more when the register has just failed.
    const categories = await parts.delegations.categories(member.principal);
    try {
      return await handOver(member, { form, categories }, parts);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      // Whoever pressed *Set* once more might set it twice, so the form does not come back.
      if (error.reason === 'outcome-unknown') return notice(...[message, ...details].map(escapeMrkdwn));
      const wrong = error.code === 'bad-request' ? labelled(error) : [message, ...details].join(' ');
      return {
        ...notice(`Nothing is set. ${escapeMrkdwn(wrong)}`),
        again: delegationFormView(form, { categories, wrong }),
      };
    }
  },
};

/** What the form calls the members of a delegation. */
const labels: ReadonlyMap<string, string> = new Map([
  ['delegator', 'For whom'],
  ['delegates', 'Who stands in'],
  ['categoryIds', 'Categories'],
  ['startDate', 'From'],
  ['endDate', 'To'],
  ['notes', 'Notes'],
]);

/** What is wrong, for who looks at the form. */
function labelled({ parts }: AppError): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const label = labels.get(part.field);
      return label === undefined ? `${part.field}${part.problem}` : `${label}:${part.problem}`;
    })
    .join(' ');
}
