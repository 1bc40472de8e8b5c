import type { SlashCommand } from '../command.ts';
import { answerAbout } from '../delegations/answer-about.ts';
import { delegatesHelpMessage } from '../messages/delegates-help-message.ts';
import type { DelegationParts, SlackParts } from '../parts.ts';

/** `/delegates @PERSON`: who stands in for somebody; alone it tells what there is to ask. */
export const delegatesWho: SlashCommand<DelegationParts & Pick<SlackParts, 'commands'>> = {
  root: '/delegates',
  word: null,
  usage: '/delegates @PERSON [CATEGORY] [on DAY]',
  summary: 'who stands in for somebody, now or on a day',
  examples: ['/delegates @ada', '/delegates @ada expense on friday', '/delegates ada on 2026-12-24 14:00'],
  details:
    'A person is a mention, a user name of the tracker or a full name; `me` is yourself. For now, or a day with a time, it is told as well who stands in for delegates who are away too.',
  answer: async (asked, parts) =>
    asked.text === '' ? [delegatesHelpMessage(parts.commands)] : answerAbout('delegates', asked, parts),
};
