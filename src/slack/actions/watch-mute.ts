import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { SlackAction } from '../action.ts';
import { notice } from '../messages/notice.ts';
import type { SlackParts } from '../parts.ts';
import { ruleWords } from '../watches/rule-words.ts';

/** *No more from this watch* where somebody else's watch told something; its value is the id. */
export const watchMute: SlackAction<Pick<SlackParts, 'watches'>> = {
  id: 'watch-mute',
  async run({ principal: { account }, value }, { watches }) {
    const rule = escapeMrkdwn(ruleWords(await watches.mute(value, account)));
    return [notice(`You hear no more of this watch: ${rule}. Its owner is told instead.`)];
  },
};
