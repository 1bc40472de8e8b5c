import type { Message } from '../message.ts';
import { button } from './button.ts';
import { context, section } from './mrkdwn.ts';

/** How somebody says who they are in the tracker: by a link of their own, or through an admin. Expects escaped text. */
export function linkInvitation(lead: string, link: string, account: string): Message {
  const how = 'Open your link and prove who you are with a token of Dwell; it works for 15 minutes.';
  const admin = `Or an admin says it: \`/delegates link @you USERNAME\`, or \`npm run --silent dwell -- people --link ${account} --to USERNAME\`.`;
  return {
    text: `${lead} ${how} <${link}|Link my account> ${admin}`,
    blocks: [
      section(`${lead}\n${how}`),
      {
        type: 'actions',
        elements: [{ ...button('Link my account', 'open-link-page', 'link'), url: link, style: 'primary' }],
      },
      context(admin),
    ],
  };
}
