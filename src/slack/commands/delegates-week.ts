import { codeText } from '../../block-kit/code-text.ts';
import { allowedDaysOfWeek } from '../../questions/parse/read-range.ts';
import { readDayOfWeek, spanOfWeek } from '../../time/day-words.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { SlashCommand } from '../command.ts';
import { admit } from '../delegations/admit.ts';
import { askAdmin, seesAll } from '../delegations/rights-words.ts';
import { stillToCome } from '../delegations/still-to-come.ts';
import { namesOf } from '../messages/names.ts';
import { notice } from '../messages/notice.ts';
import { weekMessage } from '../messages/week-message.ts';
import type { DelegationParts } from '../parts.ts';

/** `/delegates week`: who covers for whom in a week, and what is not covered. */
export const delegatesWeek: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'week',
  usage: '/delegates week [DAY]',
  summary: 'who covers for whom this week, and what is not covered',
  examples: ['/delegates week next week', '/delegates week 2026-12-24'],
  details:
    'The running week on your clocks, or that of a day, with warnings: who is not covered, whose delegate is away too, and what ends without anything following.',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const { principal, timeZone } = member;
    const { delegations, people, now } = parts;
    const day = readDayOfWeek(asked.text, dayAt(now(), timeZone));
    if (day === null) {
      return [notice(`I cannot read ${codeText(asked.text)} as a week. Try: ${allowedDaysOfWeek}.`)];
    }
    const coverage = stillToCome(await delegations.coverage(principal, spanOfWeek(day, timeZone)), now());
    const names = namesOf(await people.users(), await delegations.categories(principal));
    const onlyOwn = `What concerns others is not shown to you. ${askAdmin(member, '--view-all')}`;
    return [weekMessage({ coverage, names, timeZone, onlyOwn: seesAll(right) ? null : onlyOwn })];
  },
};
