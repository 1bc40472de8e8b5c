import type { SlashCommand } from '../command.ts';
import { answerLink } from '../delegations/answer-link.ts';
import type { LinkingParts, MessageParts } from '../parts.ts';

/** `/delegates link`: says who somebody is in the tracker, by themselves or by an admin. */
export const delegatesLink: SlashCommand<LinkingParts & MessageParts> = {
  root: '/delegates',
  word: 'link',
  usage: '/delegates link [@PERSON USERNAME]',
  summary: 'say who you are in the tracker; admins say it of others',
  examples: ['/delegates link @bob bob'],
  details:
    'Dwell knows you by your e-mail address in Slack, where exactly one user of the tracker has it. Where that fails, a link of your own and a token of Dwell prove who you are.',
  answer: (asked, parts) => answerLink('/delegates link @PERSON USERNAME', asked, parts),
};
