import type { SlashCommand } from '../command.ts';
import { weekOf } from '../days/day-span.ts';
import { admit } from '../delegations/admit.ts';
import { askAdmin, seesAll } from '../delegations/rights-words.ts';
import { namesOf } from '../messages/names.ts';
import { weekMessage } from '../messages/week-message.ts';

/** `/delegates week`: who covers for whom this week, and what is not covered. */
export const delegatesWeek: SlashCommand = {
  root: '/delegates',
  word: 'week',
  usage: '/delegates week',
  summary: 'who covers for whom this week, and what is not covered',
  details:
    'The running week on your clocks, with warnings: who is not covered, whose delegate is away too, and what ends without anything following.',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const { asker, timeZone } = member;
    const { delegations, people, now } = parts;
    const coverage = await delegations.coverage(asker, weekOf(now(), timeZone));
    const names = namesOf(await people.users(), await delegations.categories(asker));
    const onlyOwn = `Only what concerns you is told. ${askAdmin(member, '--view-all')}`;
    return [weekMessage({ coverage, names, timeZone, onlyOwn: seesAll(right) ? null : onlyOwn })];
  },
};
