import type { SlashCommand } from '../command.ts';
import { answerLink } from '../delegations/answer-link.ts';
import type { LinkingParts, MessageParts } from '../parts.ts';

/** `/tis link`: the same as `/delegates link`, for who looks for it here. */
export const tisLink: SlashCommand<LinkingParts & MessageParts> = {
  root: '/tis',
  word: 'link',
  usage: '/tis link [@PERSON USERNAME]',
  summary: 'say who you are in the tracker; admins say it of others',
  examples: ['/tis link @bob bob'],
  details:
    'Answers are given with your rights in the tracker. Dwell knows you by your e-mail address in Slack, where exactly one user of the tracker has it; where that fails, a link of your own and a token of Dwell prove who you are.',
  answer: (asked, parts) => answerLink('/tis link @PERSON USERNAME', asked, parts),
};
