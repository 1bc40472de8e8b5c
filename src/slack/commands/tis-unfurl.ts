import { codeText } from '../../block-kit/code-text.ts';
import { oneOf } from '../../questions/parse/typed-words.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { notice } from '../messages/notice.ts';
import type { QuestionParts, SlackParts } from '../parts.ts';
import { issueHost } from '../unfurls/issue-host.ts';

/** `/tis unfurl on`: links to issues show the time in status of the issue, in this channel. */
export const tisUnfurl: SlashCommand<
  QuestionParts & Pick<SlackParts, 'channels' | 'reporting' | 'timeZone'>
> = {
  root: '/tis',
  word: 'unfurl',
  usage: '/tis unfurl [on|off]',
  summary: 'show the time in status below links to issues in this channel, or no longer',
  examples: ['/tis unfurl on', '/tis unfurl off'],
  details:
    'Off until somebody in the channel switches it on. Quiet with three links or more in a message, with an issue that was shown within half an hour, and wherever somebody who reads here may not see the issue.',
  async answer(asked, parts) {
    const { text, place, principal } = asked;
    const choice = oneOf(['on', 'off'], text);
    if (text === '') return [notice(...(await stateText(asked, parts)))];
    if (choice === undefined) {
      return [
        notice(
          `I do not know what ${codeText(text)} means here. Try: \`on\`, \`off\`, or nothing to see which.`,
        ),
      ];
    }
    await parts.channels.changeChannel(place.channel, { unfurls: choice === 'on' }, principal.account);
    return [notice('Done.', ...(await stateText(asked, parts)))];
  },
};

async function stateText(
  { place, principal }: Asked,
  parts: QuestionParts & Pick<SlackParts, 'channels' | 'reporting' | 'timeZone'>,
): Promise<readonly string[]> {
  const { unfurls } = await parts.channels.channel(place.channel);
  if (!unfurls) {
    return ['Links to issues show nothing in this channel. `/tis unfurl on` changes that.'];
  }
  const host = await issueHost(principal.account, parts);
  const domain = host === null ? 'the domain of the tracker' : codeText(host);
  return [
    'Links to issues show the time in status of the issue in this channel; `/tis unfurl off` ends that.',
    `For that, an admin of the workspace has to give the app the scopes \`links:read\` and \`links:write\`, subscribe it to the event \`link_shared\`, and enter ${domain} under *App unfurl domains* (all three in the settings of the app, under *Event Subscriptions* and *OAuth & Permissions*).`,
  ];
}
