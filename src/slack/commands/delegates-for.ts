import type { SlashCommand } from '../command.ts';
import { answerAbout } from '../delegations/answer-about.ts';
import type { DelegationParts, SlackParts } from '../parts.ts';

/** `/delegates for @PERSON`: for whom somebody stands in. */
export const delegatesFor: SlashCommand<DelegationParts & Pick<SlackParts, 'commands'>> = {
  root: '/delegates',
  word: 'for',
  usage: '/delegates for @PERSON [CATEGORY] [on DAY]',
  summary: 'for whom somebody stands in, now or on a day',
  examples: ['/delegates for @bob', '/delegates for @bob expense on 24 Dec'],
  details: 'The other direction: whose work somebody does while they are away.',
  answer: (asked, parts) => answerAbout('delegators', asked, parts),
};
